import type {
  ArchiveCommandInput,
  ArchiveCommandName,
  ArchiveMessage,
  ArchiveRequest,
  ArchiveResults,
} from '../../app/protocol/archive';
import type { Problem } from '../../app/protocol/errors';
import { texts } from '../texts';

/** What a command was answered with, or why it was refused. */
export type ArchiveAnswer<Name extends ArchiveCommandName> =
  | { result: ArchiveResults[Name]; problem: null }
  | { result: null; problem: Problem };

export type CommandNamed<Name extends ArchiveCommandName> = ArchiveCommandInput & { name: Name };

const archiveGone: Problem = {
  code: 'INTERNAL',
  message: texts.sessions.archiveGone,
  remedy: texts.sessions.archiveGoneRemedy,
};

type Waiting = (answer: ArchiveAnswer<ArchiveCommandName>) => void;

/**
 * The window's end of the port to the archive. What is asked before there is a port waits for it; what an archive that
 * ended did not answer is refused.
 */
export class ArchiveClient {
  private port: MessagePort | null = null;
  private nextRequestId = 1;
  private readonly waiting = new Map<number, Waiting>();
  private unsent: ArchiveRequest[] = [];

  constructor(private readonly onChanged: () => void) {}

  takePort(port: MessagePort): void {
    this.drop();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<ArchiveMessage>) => this.receive(data);
    for (const request of this.unsent) port.postMessage(request);
    this.unsent = [];
    this.onChanged();
  }

  ask<Name extends ArchiveCommandName>(command: CommandNamed<Name>): Promise<ArchiveAnswer<Name>> {
    const request: ArchiveRequest = { type: 'request', requestId: this.nextRequestId, command };
    this.nextRequestId += 1;
    return new Promise((resolve) => {
      // The archive answers each request with the result of its own command.
      this.waiting.set(request.requestId, resolve as Waiting);
      if (this.port) this.port.postMessage(request);
      else this.unsent.push(request);
    });
  }

  /** The archive has ended: nothing that it was sent will be answered. */
  drop(): void {
    this.port?.close();
    this.port = null;
    const unsent = new Set(this.unsent.map(({ requestId }) => requestId));
    for (const [requestId, resolve] of [...this.waiting]) {
      if (unsent.has(requestId)) continue;
      this.waiting.delete(requestId);
      resolve({ result: null, problem: archiveGone });
    }
  }

  private receive(message: ArchiveMessage): void {
    if (message.type === 'changed') {
      this.onChanged();
      return;
    }
    const answer =
      message.type === 'refusal'
        ? { result: null, problem: message.problem }
        : { result: message.result, problem: null };
    this.waiting.get(message.requestId)?.(answer);
    this.waiting.delete(message.requestId);
  }
}
