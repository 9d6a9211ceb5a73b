import { type ArchiveMessage, archiveCommands, changingCommands } from '../protocol/archive';
import { serveCommands } from '../rpc/serve-commands';
import type { Archive } from './archive';

/** One window's end of its port to the archive. */
export interface ArchivePort {
  post(message: ArchiveMessage): void;
  /** What `listener` gives resolves once the message is answered; it is never rejected. */
  onMessage(listener: (message: unknown) => Promise<void>): void;
  onClose(listener: () => void): void;
}

/** Shows the archive to any number of windows: answers each request once, and reports to all of them what changed. */
export class ArchiveServer {
  private readonly windows = new Set<ArchivePort>();

  constructor(private readonly archive: Pick<Archive, 'commands'>) {}

  add(port: ArchivePort): void {
    this.windows.add(port);
    port.onClose(() => this.windows.delete(port));
    port.onMessage(
      serveCommands({
        ...{ table: archiveCommands, whose: 'the archive', handlers: this.archive.commands },
        post: (reply) => port.post(reply),
        onDone: (name) => {
          if (name in changingCommands) this.reportChange();
        },
      }),
    );
  }

  reportChange(): void {
    for (const window of this.windows) window.post({ type: 'changed' });
  }
}
