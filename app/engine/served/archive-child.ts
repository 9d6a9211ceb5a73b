import { type ChildProcess, spawn } from 'node:child_process';
import { archiveApplicationCommands } from '../../protocol/application-commands';
import type { ToArchive } from '../../protocol/archive-process';
import { WhitelineError } from '../../protocol/errors';
import type { FileGrants } from '../../protocol/file-grants';
import { ownChild } from '../../protocol/own-child';
import { engineEnvironment } from '../../protocol/shell';
import { type Handlers, serveCommands } from '../../rpc/serve-commands';
import type { HostApplication } from '../host-application';
import { ChildViews, type ViewPort } from './child-views';
import type { ExportFolder } from './export-folder';

export interface ArchiveChildOptions {
  archiveFile: string;
  appFolder: string;
  runsFolder: string;
  exports: ExportFolder;
  grants: Pick<FileGrants, 'offer'>;
  application: Pick<HostApplication, 'printPage' | 'reportHeader'>;
}

/** The archive of recorded runs as a child of plain Node; started by the first page that shows them. */
export class ArchiveChild {
  private running: { child: ChildProcess; views: ChildViews } | null = null;
  private readonly answers: Handlers<typeof archiveApplicationCommands> = {
    printPage: async ({ htmlFile, pdfFile }) => {
      await this.options.application.printPage(htmlFile, pdfFile);
      return null;
    },
    reportHeader: () => this.options.application.reportHeader(),
    chooseExport: ({ suggestedName, kind }) =>
      this.options.grants.offer(this.options.exports.reserve(suggestedName, kind)),
    open: ({ path }) => this.options.grants.offer(path),
    show: ({ path }) => showsNothing(path),
    redeemGrant: choosesNothing,
    choosePicture: choosesNothing,
    chooseImport: choosesNothing,
  };

  constructor(private readonly options: ArchiveChildOptions) {}

  connect(port: ViewPort): void {
    if (!this.views()?.connect('window-port', port)) port.close();
  }

  /** What it writes is whole at any time: it may be ended at any time. */
  close(): void {
    this.running?.child.kill();
  }

  /** Null if the system starts no further process: a page tries again later. */
  private views(): ChildViews | null {
    try {
      this.running ??= this.launch();
      return this.running.views;
    } catch {
      return null;
    }
  }

  private launch(): { child: ChildProcess; views: ChildViews } {
    const { archiveFile, appFolder, runsFolder } = this.options;
    const child = spawn(process.execPath, [...process.execArgv, archiveFile], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      ...ownChild,
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
    const answer = serveCommands({
      ...{ table: archiveApplicationCommands, whose: 'whiteline serve', handlers: this.answers },
      post: (reply) => {
        if (child.connected) child.send(reply satisfies ToArchive);
      },
    });
    child.on('message', (message) => {
      // Those of its windows' ports come the same way.
      if ((message as { type?: unknown }).type === 'request') void answer(message);
    });
    return { child, views };
  }
}

function showsNothing(path: string): never {
  throw new WhitelineError({
    code: 'TOOL_FAILED',
    message: `A browser shows no folder of this machine: export the run instead. It is ${path}`,
  });
}

function choosesNothing(): never {
  throw new WhitelineError({
    code: 'TOOL_FAILED',
    message: 'Files are not chosen in a browser: do this in Whiteline’s own window',
  });
}
