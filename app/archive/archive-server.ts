import { requestIdOf, requestProblem } from '../engine/request-problem';
import { type ArchiveMessage, archiveCommandSchema, archiveRequestSchema } from '../protocol/archive';
import { toProblem } from '../protocol/errors';
import { safeParse } from '../protocol/safe-parse';
import { type Archive, isChanging } from './archive';

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

  constructor(private readonly archive: Pick<Archive, 'execute'>) {}

  add(port: ArchivePort): void {
    this.windows.add(port);
    port.onClose(() => this.windows.delete(port));
    port.onMessage((message) =>
      this.answer(port, message).catch((error: unknown) =>
        port.post({ type: 'refusal', requestId: requestIdOf(message), problem: toProblem(error) }),
      ),
    );
  }

  reportChange(): void {
    for (const window of this.windows) window.post({ type: 'changed' });
  }

  private async answer(port: ArchivePort, message: unknown): Promise<void> {
    const request = safeParse(archiveRequestSchema, message);
    if (!request.success) {
      const problem = requestProblem(archiveCommandSchema, 'the archive', message);
      port.post({ type: 'refusal', requestId: requestIdOf(message), problem });
      return;
    }
    const { requestId, command } = request.data;
    try {
      const result = await this.archive.execute(command);
      port.post({ type: 'result', requestId, name: command.name, result } as ArchiveMessage);
    } catch (error) {
      port.post({ type: 'refusal', requestId, problem: toProblem(error) });
      return;
    }
    if (isChanging(command.name)) this.reportChange();
  }
}
