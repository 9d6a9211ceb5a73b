import { fieldProblems } from '../engine/field-problems';
import {
  type ArchiveCommand,
  type ArchiveMessage,
  archiveCommandSchema,
  archiveRequestSchema,
} from '../protocol/archive';
import { badInput, type Problem, toProblem } from '../protocol/errors';
import { type Archive, isChanging } from './archive';

/** One window's end of its port to the archive. */
export interface ArchivePort {
  post(message: ArchiveMessage): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
}

/** Shows the archive to any number of windows: answers each request once, and tells all of them what changed. */
export class ArchiveServer {
  private readonly windows = new Set<ArchivePort>();

  constructor(private readonly archive: Pick<Archive, 'execute'>) {}

  add(port: ArchivePort): void {
    this.windows.add(port);
    port.onClose(() => this.windows.delete(port));
    port.onMessage((message) => void this.answer(port, message));
  }

  tellChanged(): void {
    for (const window of this.windows) window.post({ type: 'changed' });
  }

  private async answer(port: ArchivePort, message: unknown): Promise<void> {
    const request = archiveRequestSchema.safeParse(message);
    if (!request.success) {
      const { requestId } = (message ?? {}) as { requestId?: unknown };
      const problem = problemOf((message as { command?: unknown } | null)?.command);
      port.post({ type: 'refusal', requestId: typeof requestId === 'number' ? requestId : -1, problem });
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
    if (isChanging(command.name)) this.tellChanged();
  }
}

function problemOf(command: unknown): Problem {
  const { name } = (command ?? {}) as Partial<ArchiveCommand>;
  const schema = archiveCommandSchema.options.find(({ shape }) => shape.name.value === name);
  if (!schema) return toProblem(badInput('command', 'a command of the archive', name ?? ''));
  const [first] = fieldProblems(schema, command, 'command', 'field');
  return first?.problem ?? toProblem(badInput('request', 'a request with a whole number as its id', command));
}
