import { app, MessageChannelMain, type WebContents } from 'electron';
import { archiveServiceName } from '../protocol/archive-process';
import { shellChannels } from '../protocol/bridge';
import type { Clock } from '../protocol/clock';
import type { FileGrants } from '../protocol/file-grants';
import type { EngineActivity, EngineLife } from '../protocol/shell';
import { EngineProcess } from './engine-process';
import type { WindowPortKind } from './stream-hosts';

const consoleProcessesIntervalMs = 5000;

/** Keeps the engine: starts it, reports its state to the windows, and starts it again when asked. */
export class EngineSupervisor {
  private life: EngineLife = { state: 'starting' };
  private engine: EngineProcess;
  /** No window is to be connected to an engine that is being replaced. */
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly grants: FileGrants,
    private readonly postToWindows: (channel: string, life: EngineLife) => void,
    clock: Pick<Clock, 'every'>,
  ) {
    this.engine = this.launch();
    clock.every(consoleProcessesIntervalMs, () => this.reportConsoleProcesses());
  }

  /** With the settings as they are now; an engine that runs closes its run first. */
  async restart(): Promise<void> {
    if (this.life.state === 'starting') return;
    this.setLife({ state: 'starting' });
    this.ended = this.engine.shutDown();
    await this.ended;
    this.engine = this.launch();
  }

  async connectWindow(contents: WebContents): Promise<void> {
    contents.send(shellChannels.engineLife, this.life);
    if (this.life.state === 'crashed') return;
    await this.ended;
    if (contents.isDestroyed()) return;
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

  activity(): Promise<EngineActivity> {
    // One that is still starting has no run.
    if (this.life.state !== 'running') return Promise.resolve({ mode: 'idle', streams: 0 });
    return this.engine.activity();
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
    return new EngineProcess(this.grants, {
      onReady: () => {
        this.setLife({ state: 'running' });
        this.reportConsoleProcesses();
      },
      onCrash: (exitCode) => this.setLife({ state: 'crashed', exitCode }),
    });
  }

  private setLife(life: EngineLife): void {
    this.life = life;
    this.postToWindows(shellChannels.engineLife, life);
  }

  /** The engine and its hosts are utility processes and account for themselves; the archive is one that does not. */
  private reportConsoleProcesses(): void {
    if (this.life.state !== 'running') return;
    const own = app
      .getAppMetrics()
      .filter(({ type, name }) => type !== 'Utility' || name === archiveServiceName);
    this.engine.reportConsoleProcesses(own.map(({ pid }) => pid));
  }
}
