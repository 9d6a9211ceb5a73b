import { homedir, constants as osConstants, setPriority } from 'node:os';
import { join } from 'node:path';
import { archiveApplicationCommands } from '../protocol/application-commands';
import { type FromArchive, toArchiveSchema } from '../protocol/archive-process';
import { type ChildPort, ChildPorts, sendToParent } from '../protocol/child-ports';
import type { CommandReply } from '../protocol/command-table';
import type { FilePurpose, GrantedFile } from '../protocol/granted-file';
import { machineClock } from '../protocol/machine-clock';
import { onParentGone } from '../protocol/own-child';
import type { ReportHeader } from '../protocol/report-header';
import { safeParse } from '../protocol/safe-parse';
import { type ExportKind, engineEnvironment } from '../protocol/shell';
import { Asker } from '../rpc/asker';
import { Archive } from './archive';
import type { ArchiveApplication } from './archive-application';
import { ArchiveServer } from './archive-server';
import { eraseOverdue } from './deleted-runs';
import { removeUnfinishedImports } from './import-runs';

/** The archive as a utility process of Electron's main process: what it reads and writes disturbs no measurement. */

/** What Electron adds to a utility process; the archive knows no more of Electron than this. */
interface MessagePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: MessagePort[] }) => void): void;
  on(event: 'close', listener: () => void): void;
  start(): void;
}

const erasingIntervalMs = 3_600_000;

const main = (process as unknown as { parentPort?: MessagePort }).parentPort ?? parentOfNode();

/** Dialogs, printing and opening are main's. */
class ElectronApplication implements ArchiveApplication {
  private readonly asker = new Asker(archiveApplicationCommands, (request) =>
    main.postMessage(request satisfies FromArchive),
  );

  constructor(readonly reportTemplate: string) {}

  choosePicture(): Promise<string | null> {
    return this.asker.ask({ name: 'choosePicture' });
  }

  chooseImport(): Promise<string | null> {
    return this.asker.ask({ name: 'chooseImport' });
  }

  chooseExport(kind: ExportKind, suggestedName: string): Promise<GrantedFile | null> {
    return this.asker.ask({ name: 'chooseExport', kind, suggestedName });
  }

  redeemGrant(purpose: FilePurpose, grant: string): Promise<string | null> {
    return this.asker.ask({ name: 'redeemGrant', purpose, grant });
  }

  open(path: string): Promise<GrantedFile | null> {
    return this.asker.ask({ name: 'open', path });
  }

  async show(path: string): Promise<void> {
    await this.asker.ask({ name: 'show', path });
  }

  async printPage(htmlFile: string, pdfFile: string): Promise<void> {
    await this.asker.ask({ name: 'printPage', htmlFile, pdfFile });
  }

  reportHeader(): Promise<ReportHeader> {
    return this.asker.ask({ name: 'reportHeader' });
  }

  take(reply: CommandReply): void {
    this.asker.take(reply);
  }
}

// A measurement that goes on comes first.
setPriority(osConstants.priority.PRIORITY_LOW);

const environment = process.env;
const appFolder = environment[engineEnvironment.appFolder] ?? join(__dirname, '..', '..');
const runsFolder = environment[engineEnvironment.runsFolder] ?? join(homedir(), 'Whiteline', 'runs');
const application = new ElectronApplication(join(appFolder, 'dist', 'report', 'index.html'));
const server = new ArchiveServer(new Archive(runsFolder, application, machineClock));
removeUnfinishedImports(runsFolder, machineClock.wallMs());

let keepDeletedDays: number | null = null;
machineClock.every(erasingIntervalMs, eraseDeleted);

function eraseDeleted(): void {
  if (keepDeletedDays === null) return;
  if (eraseOverdue(runsFolder, keepDeletedDays, machineClock.wallMs()) > 0) server.reportChange();
}

main.on('message', ({ data, ports }) => {
  const message = safeParse(toArchiveSchema, data);
  if (!message.success) return;
  if (message.data.type === 'reply') {
    application.take(message.data);
    return;
  }
  if (message.data.type === 'keep-deleted') {
    keepDeletedDays = message.data.days;
    eraseDeleted();
    return;
  }
  const [port] = ports;
  if (!port) return;
  server.add({
    post: (sent) => port.postMessage(sent),
    onMessage: (listener) => port.on('message', (event) => listener(event.data)),
    onClose: (listener) => port.on('close', listener),
  });
  port.start();
});

/** The process that forked us where there is no Electron: `whiteline serve`. */
function parentOfNode(): Pick<MessagePort, 'postMessage' | 'on'> {
  onParentGone(() => process.exit(0));
  return {
    postMessage: sendToParent,
    on: (event: string, listener: (message: { data: unknown; ports: ChildPort[] }) => void) => {
      if (event !== 'message') return;
      const windows = new ChildPorts((type, port) => listener({ data: { type }, ports: [port] }));
      process.on('message', (data) => {
        if (!windows.take(data)) listener({ data, ports: [] });
      });
    },
  };
}
