import type {
  CommandOf,
  CommandReply,
  CommandRequest,
  CommandTable,
  NameIn,
  ResultOf,
} from '../protocol/command-table';
import { type Problem, toProblem, WhitelineError } from '../protocol/errors';
import { Requests } from './requests';

/** What a command was answered with, or why it was refused. */
export type Answer<Result> = { result: Result; problem: null } | { result: null; problem: Problem };

/** The asking end of a port that serves a table: each command gets the result of its own name. */
export class Asker<Table extends CommandTable<Table>> {
  private readonly requests = new Requests<unknown>();

  constructor(
    private readonly table: Table,
    private readonly post: (request: CommandRequest<CommandOf<Table>>) => void,
  ) {}

  /** @throws WhitelineError with what is wrong with the command, or why it could not be done */
  async ask<Name extends NameIn<Table>>(command: CommandOf<Table, Name>): Promise<ResultOf<Table, Name>> {
    const result = await this.requests.ask((requestId) => this.post({ type: 'request', requestId, command }));
    const { name }: { name: Name } = command;
    const schema: Table[Name]['result'] = this.table[name].result;
    return schema.parse(result);
  }

  /** The same where a refusal is an answer too. */
  answer<Name extends NameIn<Table>>(
    command: CommandOf<Table, Name>,
  ): Promise<Answer<ResultOf<Table, Name>>> {
    return this.ask(command).then(
      (result) => ({ result, problem: null }),
      (error: unknown) => ({ result: null, problem: toProblem(error) }),
    );
  }

  take(reply: CommandReply): void {
    const { requestId } = reply;
    if (reply.problem) this.requests.reject(requestId, new WhitelineError(reply.problem));
    else this.requests.resolve(requestId, reply.result);
  }

  /** The other end is gone: what it has not answered is refused, but for what was never sent. */
  drop(problem: Problem, unsent?: ReadonlySet<number>): void {
    this.requests.rejectAll(new WhitelineError(problem), unsent);
  }
}
