import { app, MessageChannelMain, type WebContents } from 'electron';
import { shellChannels } from '../protocol/bridge';
import type { EngineLife } from '../protocol/shell';
import { EngineProcess } from './engine-process';
import type { WindowPortKind } from './stream-hosts';

const consoleProcessesIntervalMs = 5000;

/** Keeps the engine: starts it, tells the windows how it fares, and starts it again when asked. */
export class EngineSupervisor {
  private life: EngineLife = { state: 'starting' };
  private engine: EngineProcess;

  constructor(private readonly tellWindows: (channel: string, life: EngineLife) => void) {
    this.engine = this.launch();
    setInterval(() => this.reportConsoleProcesses(), consoleProcessesIntervalMs);
  }

  restart(): void {
    if (this.life.state !== 'crashed') return;
    this.engine = this.launch();
  }

  connectWindow(contents: WebContents): void {
    contents.send(shellChannels.engineLife, this.life);
    if (this.life.state === 'crashed') return;
    const { port1, port2 } = new MessageChannelMain();
    this.engine.connectWindow(port1);
    contents.postMessage(shellChannels.enginePort, null, [port2]);
    this.reportConsoleProcesses();
  }

  connectPreview(contents: WebContents): void {
    this.connectToHost(contents, 'preview-port', shellChannels.previewPort);
  }

  connectTextures(contents: WebContents): void {
    this.connectToHost(contents, 'texture-port', shellChannels.texturePort);
  }

  shutDown(): Promise<void> {
    return this.engine.shutDown();
  }

  private connectToHost(contents: WebContents, kind: WindowPortKind, channel: string): void {
    const { port1, port2 } = new MessageChannelMain();
    if (this.engine.connectWindowToHost(kind, port1)) contents.postMessage(channel, null, [port2]);
  }

  private launch(): EngineProcess {
    this.setLife({ state: 'starting' });
    return new EngineProcess({
      onReady: () => {
        this.setLife({ state: 'running' });
        this.reportConsoleProcesses();
      },
      onCrash: (exitCode) => this.setLife({ state: 'crashed', exitCode }),
    });
  }

  private setLife(life: EngineLife): void {
    this.life = life;
    this.tellWindows(shellChannels.engineLife, life);
  }

  /** The engine and its hosts are utility processes and account for themselves. */
  private reportConsoleProcesses(): void {
    if (this.life.state !== 'running') return;
    const own = app.getAppMetrics().filter(({ type }) => type !== 'Utility');
    this.engine.reportConsoleProcesses(own.map(({ pid }) => pid));
  }
}
