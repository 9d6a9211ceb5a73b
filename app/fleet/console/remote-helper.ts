import { type HelperEnd, HelperProblems } from '../../engine/capabilities/helper/helper-problems';
import type { HelperProgram, Message } from '../../engine/capabilities/helper/helper-program';
import type { DeadHelper, RunningHelper } from '../../engine/capabilities/helper/helpers';
import { Inbox } from '../../engine/capabilities/helper/inbox';
import { problemOn } from '../../engine/streams/host-connection';
import type { Clock } from '../../protocol/clock';
import { badInput, type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import {
  checkedHelperJson,
  checkedHelperWire,
  type FromHelper,
  helperCommand,
  type ToHelper,
} from '../../protocol/fleet/helper-messages';
import type { HostChannel } from '../host-channel';
import { MessageRate } from '../message-rate';

/** An agent kills a program that does not go within 5 s, and its last words may be asked for again. */
const goesWithinMs = 9000;
/** From the question for it to its first message; a helper of this machine has 10 s. */
const readyWithinMs = 15_000;
/** Some hundred subscribers of one process report at once; after a break of the bus all come together. */
const limits = { perSecond: 200, atOnce: 5000 };
/** Of messages that were not taken. */
const mostUnreadBytes = 16 * 1024 * 1024;

export interface RemoteHelperOptions {
  clock: Pick<Clock, 'after' | 'monotonicNs'>;
  /** Its name, for people. */
  machine: string;
  /** Starts it at the agent, and gives its id. */
  start(): Promise<string>;
  /** Ends it at the agent. */
  end(helperId: string): Promise<unknown>;
  open(helperId: string): HostChannel;
  /** It is gone, or out of reach for good. `dead`: how, where it was ready and was not stopped in order. */
  onExit(helper: { lose(words: string): void }, dead: DeadHelper | null): void;
  signal?: AbortSignal;
}

/** A helper program on another machine, as an experiment knows one of its own. What its agent says is checked. */
export class RemoteHelper<Ready extends Message, Command extends Message, Output extends Message>
  implements RunningHelper<Ready, Command, Output>
{
  /** Its first message; rejects when it is gone before. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<HelperEnd>;
  /** They are its own machine’s business. */
  readonly processIds: number[] = [];
  private readonly name: string;
  private readonly problems: HelperProblems;
  private readonly rate: MessageRate;
  private readonly inbox = new Inbox<Output>(() => undefined);
  private readonly abort = (): void => void this.stop();
  private helperId: string | null = null;
  private channel: HostChannel | null = null;
  private isReady = false;
  private isStopping = false;
  private isOver = false;
  private problem: WhitelineError | null = null;
  private stopWaiting: () => void;
  private onReady: (ready: Ready) => void = () => undefined;
  private onNotReady: (error: WhitelineError) => void = () => undefined;
  private onEnded: (end: HelperEnd) => void = () => undefined;

  constructor(
    private readonly program: HelperProgram<Ready, Command, Output>,
    private readonly options: RemoteHelperOptions,
  ) {
    const { clock, machine, signal } = options;
    this.name = `${program.name} on ${machine}`;
    this.problems = new HelperProblems(this.name);
    this.rate = new MessageRate(limits, clock);
    this.ready = new Promise((resolve, reject) => {
      this.onReady = resolve;
      this.onNotReady = reject;
    });
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    signal?.addEventListener('abort', this.abort, { once: true });
    this.stopWaiting = clock.after(readyWithinMs, () =>
      this.giveUp(`was not ready within ${readyWithinMs / 1000} s`),
    );
    void this.begin();
  }

  get unreadBytes(): number {
    return this.inbox.bytes;
  }

  /** @throws WhitelineError ABORTED when it is stopped, otherwise why it is gone; ZodError for what is no command of it */
  async send(command: Command): Promise<void> {
    const checked = this.program.commands.parse(command);
    if (this.isOver || this.isStopping) throw this.problem ?? this.problems.stopped();
    this.channel?.send(helperCommand(checked));
  }

  receive(): Promise<Output | null> {
    return this.inbox.take();
  }

  stop(): Promise<HelperEnd> {
    if (!this.isStopping && !this.isOver) {
      this.isStopping = true;
      this.stopWaiting();
      this.stopWaiting = this.options.clock.after(goesWithinMs, () =>
        this.exit(this.problems.gone('did not report its end')),
      );
      this.channel?.send({ type: 'stop' } satisfies ToHelper);
    }
    return this.ended;
  }

  /** Its agent or the lease is gone. `words`: why, as they follow its name. */
  lose(words: string): void {
    this.exit(this.problems.gone(words));
  }

  private async begin(): Promise<void> {
    try {
      const helperId = await this.options.start();
      this.helperId = helperId;
      if (this.isOver) this.endAtAgent();
      else this.open(helperId);
    } catch (error) {
      this.exit(this.here(toProblem(error)));
    }
  }

  private open(helperId: string): void {
    const channel = this.options.open(helperId);
    this.channel = channel;
    channel.onMessage((value) => this.take(value));
    channel.onLost(() => this.giveUp('was given up: some of its messages were lost on the way'));
    if (this.isStopping) channel.send({ type: 'stop' } satisfies ToHelper);
  }

  private take(value: unknown): void {
    if (this.isOver) return;
    try {
      this.hear(checkedHelperWire(value));
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      this.giveUp(`was given up: ${error.message}`);
    }
  }

  /** @throws WhitelineError for what the program does not send */
  private hear(message: FromHelper): void {
    if (message.type === 'exit') this.exit(this.endOf(message.problem));
    else if (this.rate.isTooFast())
      throw badInput('messages', `at most ${limits.perSecond} of them a second`, 'more');
    else if ((message.type === 'ready') === this.isReady)
      throw badInput('message', 'the first one, and only that, to say that it is ready', message.type);
    else if (message.type === 'ready') this.noteReady(checkedHelperJson(message.json, this.program.ready));
    else this.put(message.json);
  }

  private noteReady(ready: Ready): void {
    this.isReady = true;
    if (!this.isStopping) this.stopWaiting();
    this.onReady(ready);
  }

  private put(json: string): void {
    this.inbox.put(checkedHelperJson(json, this.program.messages), json.length);
    if (this.inbox.bytes > mostUnreadBytes)
      throw badInput('messages', `at most ${mostUnreadBytes} bytes that wait`, this.inbox.bytes);
  }

  /** As its agent says how it ended; null: it was stopped in order. */
  private endOf(problem: Problem | null): WhitelineError | null {
    if (this.isStopping && (problem === null || problem.code === 'ABORTED')) return null;
    return problem ? this.here(problem) : this.problems.gone('was ended by its agent');
  }

  /** Its agent does not name the machine, which it is on itself. */
  private here({ message, ...problem }: Problem): WhitelineError {
    const { name, kindName = name } = this.program;
    const own = `The ${kindName} `;
    return message.startsWith(own)
      ? new WhitelineError({ ...problem, message: `The ${this.name} ${message.slice(own.length)}` })
      : new WhitelineError(problemOn({ name: this.options.machine }, { ...problem, message }));
  }

  private giveUp(words: string): void {
    if (this.isOver) return;
    this.endAtAgent();
    this.exit(this.problems.gone(words));
  }

  /** Where that does not reach the agent, the lease ends, and the program with it. */
  private endAtAgent(): void {
    if (this.helperId !== null) this.options.end(this.helperId).catch(() => undefined);
  }

  private exit(problem: WhitelineError | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.problem = problem;
    this.stopWaiting();
    this.options.signal?.removeEventListener('abort', this.abort);
    this.channel?.close();
    this.onNotReady(this.isStopping || problem === null ? this.problems.stopped() : problem);
    this.inbox.end(problem);
    this.onEnded({ exitCode: problem ? null : 0, endSignal: null });
    this.options.onExit(this, problem && this.isReady ? this.deadBy(problem) : null);
  }

  private deadBy({ message }: WhitelineError): DeadHelper {
    const own = `The ${this.name} `;
    const how = message.startsWith(own) ? message.slice(own.length) : `failed: ${message}`;
    return { helper: this.name, how: how.replace(`${this.options.machine}: `, '') };
  }
}
