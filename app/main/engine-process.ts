import { app, type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import { engineApplicationCommands } from '../protocol/application-commands';
import type { FileGrants } from '../protocol/file-grants';
import { fleetFolderIn } from '../protocol/machine-settings';
import { type EngineActivity, engineEnvironment, type FromEngine, type ToEngine } from '../protocol/shell';
import v8Options from '../protocol/v8-options.json';
import { serveCommands } from '../rpc/serve-commands';
import { engineAnswers } from './engine-answers';
import { machineSettings } from './machine-settings';
import { appFolder, engineBundle } from './paths';
import { StreamHosts, type WindowPortKind } from './stream-hosts';

/** A row that is closed waits up to two seconds for its last frames, then each stream is removed. */
const shutDownTimeoutMs = 8000;

/** Closing waits no longer for an engine that hangs. */
const activityTimeoutMs = 3000;

interface EngineListener {
  onReady(): void;
  /** The process is gone without having been asked to go. */
  onCrash(exitCode: number): void;
}

/** One life of the engine, with the stream hosts it asked for. */
export class EngineProcess {
  private readonly child: UtilityProcess;
  private readonly environment = machineSettings().startEnvironment();
  private readonly hosts = new StreamHosts(this.environment, (spawnId, exitCode) => {
    if (this.alive) this.post({ type: 'host-exit', spawnId, exitCode });
  });
  private readonly answer: (message: unknown) => Promise<void>;
  private alive = true;
  private shuttingDown = false;

  constructor(
    grants: FileGrants,
    private readonly listener: EngineListener,
  ) {
    this.answer = serveCommands({
      ...{ table: engineApplicationCommands, whose: 'main', handlers: engineAnswers(grants) },
      post: (reply) => {
        if (this.alive) this.post(reply);
      },
    });
    this.child = utilityProcess.fork(engineBundle, [], {
      serviceName: 'Whiteline engine',
      execArgv: [`--js-flags=${v8Options.engine.join(' ')}`],
      env: {
        ...this.environment,
        [engineEnvironment.appFolder]: appFolder,
        [engineEnvironment.fleetFolder]: fleetFolderIn(app.getPath('userData')),
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

  activity(): Promise<EngineActivity> {
    const idle = { mode: 'idle', streams: 0 } as const;
    if (!this.alive) return Promise.resolve(idle);
    return new Promise((resolve) => {
      const finish = (activity: EngineActivity): void => {
        clearTimeout(timer);
        this.child.off('message', hear);
        this.child.off('exit', hearExit);
        resolve(activity);
      };
      const hear = (message: FromEngine): void => {
        if (message.type === 'activity') finish(message.activity);
      };
      const hearExit = (): void => finish(idle);
      const timer = setTimeout(() => finish({ mode: 'silent' }), activityTimeoutMs);
      this.child.on('message', hear);
      this.child.on('exit', hearExit);
      this.post({ type: 'ask-activity' });
    });
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
          this.hosts.spawn(message.spawnId, message.role, message.isViewed),
        ]);
        break;
      case 'request':
        void this.answer(message);
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
