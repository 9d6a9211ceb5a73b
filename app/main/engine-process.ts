import { type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import { engineEnvironment, type FromEngine, type ToEngine } from '../protocol/shell';
import { appFolder, engineBundle, runsFolder } from './paths';
import { StreamHosts, type WindowPortKind } from './stream-hosts';

/** A row that is closed waits up to two seconds for its last frames, then each stream is removed. */
const shutDownTimeoutMs = 8000;

interface EngineListener {
  onReady(): void;
  /** The process is gone without having been asked to go. */
  onCrash(exitCode: number): void;
}

/** One life of the engine, with the stream hosts it asked for. */
export class EngineProcess {
  private readonly child: UtilityProcess;
  private readonly hosts = new StreamHosts((spawnId, exitCode) => {
    if (this.alive) this.post({ type: 'host-exit', spawnId, exitCode });
  });
  private alive = true;
  private shuttingDown = false;

  constructor(private readonly listener: EngineListener) {
    this.child = utilityProcess.fork(engineBundle, [], {
      serviceName: 'Whiteline engine',
      env: {
        ...process.env,
        [engineEnvironment.runsFolder]: runsFolder(),
        [engineEnvironment.appFolder]: appFolder,
      },
    });
    this.child.on('message', (message: FromEngine) => this.receive(message));
    this.child.once('exit', (exitCode) => this.exited(exitCode));
  }

  connectWindow(port: MessagePortMain): void {
    this.post({ type: 'window-port' }, [port]);
  }

  connectWindowToHost(kind: WindowPortKind, port: MessagePortMain): boolean {
    return this.hosts.connectWindow(kind, port);
  }

  reportConsoleProcesses(processIds: number[]): void {
    this.post({ type: 'console-processes', processIds });
  }

  /** Lets the engine close its run; ends it the hard way when that takes too long. */
  async shutDown(): Promise<void> {
    if (!this.alive) return;
    this.shuttingDown = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, shutDownTimeoutMs);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.child.once('exit', finish);
      this.child.on('message', (message: FromEngine) => {
        if (message.type === 'shut-down-done') finish();
      });
      this.post({ type: 'shut-down' });
    });
    this.hosts.killAll();
    this.child.kill();
  }

  private receive(message: FromEngine): void {
    switch (message.type) {
      case 'ready':
        this.listener.onReady();
        break;
      case 'spawn-host':
        this.post({ type: 'host-port', spawnId: message.spawnId }, [
          this.hosts.spawn(message.spawnId, message.role),
        ]);
        break;
      case 'kill-host':
        this.hosts.kill(message.spawnId);
        break;
    }
  }

  private exited(exitCode: number): void {
    this.alive = false;
    this.hosts.killAll();
    if (!this.shuttingDown) this.listener.onCrash(exitCode);
  }

  private post(message: ToEngine, ports: MessagePortMain[] = []): void {
    this.child.postMessage(message, ports);
  }
}
