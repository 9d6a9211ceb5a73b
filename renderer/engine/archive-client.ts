import type {
  ArchiveCommandInput,
  ArchiveCommandName,
  ArchiveMessage,
  ArchiveRequest,
  ArchiveResults,
} from '../../app/protocol/archive';
import { type Problem, toProblem, WhitelineError } from '../../app/protocol/errors';
import { Requests } from '../../app/rpc/requests';
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

/**
 * The window's end of the port to the archive. What is asked before there is a port waits for it; what an archive that
 * ended did not answer is refused.
 */
export class ArchiveClient {
  private port: MessagePort | null = null;
  private readonly requests = new Requests<ArchiveResults[ArchiveCommandName]>();
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

  async ask<Name extends ArchiveCommandName>(command: CommandNamed<Name>): Promise<ArchiveAnswer<Name>> {
    try {
      const result = await this.requests.ask((requestId) => {
        const request: ArchiveRequest = { type: 'request', requestId, command };
        if (this.port) this.port.postMessage(request);
        else this.unsent.push(request);
      });
      // The archive answers each request with the result of its own command.
      return { result: result as ArchiveResults[Name], problem: null };
    } catch (error) {
      return { result: null, problem: toProblem(error) };
    }
  }

  /** The archive has ended: nothing that it was sent will be answered. */
  drop(): void {
    this.port?.close();
    this.port = null;
    const unsent = new Set(this.unsent.map(({ requestId }) => requestId));
    this.requests.rejectAll(new WhitelineError(archiveGone), unsent);
  }

  private receive(message: ArchiveMessage): void {
    if (message.type === 'changed') {
      this.onChanged();
      return;
    }
    const { requestId } = message;
    if (message.type === 'refusal') this.requests.reject(requestId, new WhitelineError(message.problem));
    else this.requests.resolve(requestId, message.result);
  }
}
