import type { Message } from '../../engine/capabilities/helper/helper-program';
import type { StartedHelper } from '../../engine/capabilities/helper/helpers';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';

type Helper<Command extends Message, Output extends Message> = StartedHelper<
  Message,
  Command,
  Output
>['helper'];
type Of<Output extends Message, Type extends Output['type']> = Extract<Output, { type: Type }>;

/** Sends commands to one helper and waits for answers; messages that no call waits for go to `note`. */
export class Conversation<Command extends Message, Output extends Message> {
  private readonly waiting = new Map<string, (message: Output) => void>();
  private readonly said = new Map<string, Output>();
  private readonly fails = new Set<(error: unknown) => void>();
  private failure: unknown = null;

  constructor(
    private readonly name: string,
    private readonly helper: Helper<Command, Output>,
    private readonly clock: Pick<Clock, 'after'>,
    private readonly signal: AbortSignal,
    private readonly note: (message: Output) => void = () => undefined,
  ) {
    void this.listen();
  }

  send(command: Command): Promise<void> {
    return this.helper.send(command);
  }

  /**
   * Sends, and waits for the answer.
   * @throws WhitelineError TOOL_FAILED for a missing answer, or with the error of the helper; HOST_DIED, ABORTED
   */
  async ask<Type extends Output['type']>(
    command: Command,
    type: Type,
    limitMs = 20_000,
    signal = this.signal,
  ): Promise<Of<Output, Type>> {
    this.forget(type);
    await this.send(command);
    const answer = await this.next(type, limitMs, signal);
    if (answer) return answer;
    throw toolFailed(`The ${this.name} did not answer “${command.type}” within ${limitMs / 1000} s`);
  }

  /** Drops a message that came earlier, so that it does not answer the next request. */
  forget(type: Output['type']): void {
    this.said.delete(type);
  }

  /** The next message of that type, or one that came since the last wait; null: timed out. @throws as `ask` */
  next<Type extends Output['type']>(
    type: Type,
    limitMs: number,
    signal = this.signal,
  ): Promise<Of<Output, Type> | null> {
    return new Promise((resolve, reject) => {
      const isOfType = (message: Output): message is Of<Output, Type> => message.type === type;
      const end = (settle: () => void): void => {
        stopWaiting();
        this.waiting.delete(type);
        this.fails.delete(fail);
        signal.removeEventListener('abort', stop);
        settle();
      };
      const fail = (error: unknown): void => end(() => reject(error));
      const stop = (): void => fail(new WhitelineError({ code: 'ABORTED', message: 'The run was stopped' }));
      const stopWaiting = this.clock.after(limitMs, () => end(() => resolve(null)));
      this.waiting.set(type, (message) => end(() => resolve(isOfType(message) ? message : null)));
      this.fails.add(fail);
      signal.addEventListener('abort', stop);
      const said = this.said.get(type);
      if (this.failure !== null) fail(this.failure);
      else if (signal.aborted) stop();
      else if (said) this.take(said);
    });
  }

  /** What still waits for a message ends. */
  async stop(): Promise<void> {
    await this.helper.stop();
    for (const fail of [...this.fails]) fail(this.failure ?? toolFailed(`The ${this.name} was stopped`));
  }

  private async listen(): Promise<void> {
    try {
      for (let message = await this.helper.receive(); message; message = await this.helper.receive()) {
        if (message.type === 'failed' && 'text' in message)
          throw toolFailed(`The ${this.name} failed: ${message.text}`);
        this.take(message);
      }
    } catch (error) {
      this.failure = error;
      for (const fail of [...this.fails]) fail(error);
    }
  }

  private take(message: Output): void {
    const wanted = this.waiting.get(message.type);
    if (wanted) {
      this.said.delete(message.type);
      wanted(message);
    } else {
      this.said.set(message.type, message);
      this.note(message);
    }
  }
}

export function toolFailed(message: string): WhitelineError {
  return new WhitelineError({ code: 'TOOL_FAILED', message, field: 'helper' });
}
