import { type ChildProcess, spawn } from 'node:child_process';
import type { ArchiveAsk, FromArchive, ToArchive } from '../../protocol/archive-process';
import { engineEnvironment } from '../../protocol/shell';
import { ChildViews, type ViewPort } from '../child-views';
import type { HostApplication } from '../host-application';
import type { ExportFolder } from './export-folder';

export interface ArchiveChildOptions {
  archiveFile: string;
  appFolder: string;
  runsFolder: string;
  exports: ExportFolder;
  application: Pick<HostApplication, 'printPage'>;
}

/** The archive of recorded runs as a child of plain Node; started by the first page that shows them. */
export class ArchiveChild {
  private running: { child: ChildProcess; views: ChildViews } | null = null;

  constructor(private readonly options: ArchiveChildOptions) {}

  connect(port: ViewPort): void {
    this.running ??= this.launch();
    if (!this.running.views.connect('window-port', port)) port.close();
  }

  /** What it writes is whole at any time: it may be ended at any time. */
  close(): void {
    this.running?.child.kill();
  }

  private launch(): { child: ChildProcess; views: ChildViews } {
    const { archiveFile, appFolder, runsFolder } = this.options;
    const child = spawn(process.execPath, [...process.execArgv, archiveFile], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
      env: {
        ...process.env,
        [engineEnvironment.runsFolder]: runsFolder,
        [engineEnvironment.appFolder]: appFolder,
      },
    });
    const views = new ChildViews(child);
    const forget = (): void => {
      if (this.running?.child === child) this.running = null;
    };
    // A message that could not be sent is one too; another archive beside a living one is not wanted.
    child.on('error', () => {
      forget();
      child.kill();
    });
    child.on('exit', forget);
    child.on('message', (message) => {
      const { type } = message as { type?: unknown };
      if (type === 'ask') void this.answer(child, message as FromArchive);
    });
    return { child, views };
  }

  private async answer(child: ChildProcess, { askId, ask }: FromArchive): Promise<void> {
    const reply = await this.carryOut(ask).then(
      (path) => ({ path, problem: null }),
      (error: unknown) => ({ path: null, problem: error instanceof Error ? error.message : String(error) }),
    );
    if (child.connected) child.send({ type: 'answer', askId, ...reply } satisfies ToArchive);
  }

  private async carryOut(ask: ArchiveAsk): Promise<string | null> {
    const { exports, application } = this.options;
    switch (ask.what) {
      case 'print-page':
        await application.printPage(ask.htmlFile, ask.pdfFile);
        return null;
      case 'choose-export':
        return exports.reserve(ask.suggestedName, ask.kind);
      case 'open':
      case 'show':
        throw new Error(
          `A browser opens no file of this machine: export the report instead. It is ${ask.path}`,
        );
      default:
        throw new Error('Files are not chosen in a browser: do this in Whiteline’s own window');
    }
  }
}
