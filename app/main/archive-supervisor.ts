import { MessageChannelMain, type UtilityProcess, utilityProcess, type WebContents } from 'electron';
import { archiveApplicationCommands } from '../protocol/application-commands';
import type { ArchiveLife } from '../protocol/archive';
import { archiveServiceName, type ToArchive } from '../protocol/archive-process';
import { shellChannels } from '../protocol/bridge';
import type { Clock } from '../protocol/clock';
import type { Settings } from '../protocol/settings';
import { engineEnvironment } from '../protocol/shell';
import { type Handlers, serveCommands } from '../rpc/serve-commands';
import { appFolder, archiveBundle, runsFolder } from './paths';

/** What crashes twice within this time may crash again: it is started after a pause. */
const soonNs = 10e9;
const pauseMs = 10_000;

/** Keeps the archive of recorded runs: starts it when a window first asks, and again after a crash. */
export class ArchiveSupervisor {
  private child: UtilityProcess | null = null;
  /** That it was started with. */
  private folder = '';
  private lastCrashNs = Number.NEGATIVE_INFINITY;
  private readonly windows = new Set<WebContents>();

  constructor(
    private readonly answers: Handlers<typeof archiveApplicationCommands>,
    private readonly keepDeletedDays: () => Settings['keepDeletedDays'],
    private readonly clock: Pick<Clock, 'monotonicNs' | 'after'>,
  ) {}

  connectWindow(contents: WebContents): void {
    if (!this.windows.has(contents)) {
      this.windows.add(contents);
      contents.once('destroyed', () => this.windows.delete(contents));
    }
    if (this.child) this.connect(this.child, contents);
    else this.start();
  }

  /** Another folder of runs is another archive. */
  followSettings(): void {
    if (!this.child || this.folder === runsFolder()) return;
    this.shutDown();
    this.start();
  }

  /** How long deleted runs are kept comes into force at once. */
  sendKeeping(): void {
    this.child?.postMessage({ type: 'keep-deleted', days: this.keepDeletedDays() } satisfies ToArchive);
  }

  /** What it writes is whole at any time: it may be ended at any time. */
  shutDown(): void {
    const ended = this.child;
    this.child = null;
    ended?.kill();
  }

  private start(): void {
    if (this.child || this.windows.size === 0) return;
    this.child = this.launch();
    this.sendKeeping();
    for (const contents of this.windows) this.connect(this.child, contents);
  }

  private launch(): UtilityProcess {
    this.folder = runsFolder();
    const child = utilityProcess.fork(archiveBundle, [], {
      serviceName: archiveServiceName,
      env: {
        ...process.env,
        [engineEnvironment.runsFolder]: this.folder,
        [engineEnvironment.appFolder]: appFolder,
      },
    });
    child.on(
      'message',
      serveCommands({
        ...{ table: archiveApplicationCommands, whose: 'main', handlers: this.answers },
        // It may be gone while a dialog was open.
        post: (reply) => {
          if (this.child === child) child.postMessage(reply satisfies ToArchive);
        },
      }),
    );
    child.once('exit', (exitCode) => {
      if (this.child === child) this.crashed(exitCode);
    });
    return child;
  }

  private connect(child: UtilityProcess, contents: WebContents): void {
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage({ type: 'window-port' } satisfies ToArchive, [port1]);
    this.report(contents, { state: 'running' });
    contents.postMessage(shellChannels.archivePort, null, [port2]);
  }

  private crashed(exitCode: number): void {
    const nowNs = this.clock.monotonicNs();
    const wasSoon = nowNs - this.lastCrashNs <= soonNs;
    this.lastCrashNs = nowNs;
    this.child = null;
    for (const contents of this.windows) this.report(contents, { state: 'crashed', exitCode });
    this.clock.after(wasSoon ? pauseMs : 0, () => this.start());
  }

  private report(contents: WebContents, life: ArchiveLife): void {
    contents.send(shellChannels.archiveLife, life);
  }
}
