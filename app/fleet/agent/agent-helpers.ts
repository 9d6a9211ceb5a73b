import { randomBytes } from 'node:crypto';
import type { HelperElsewhere } from '../../engine/capabilities/helper/helper-elsewhere';
import type { Message } from '../../engine/capabilities/helper/helper-program';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { type Launch, launchWatched } from '../../engine/capabilities/helper/launch';
import type { Clock } from '../../protocol/clock';
import { badInput, type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import { fieldProblems } from '../../protocol/field-problems';
import { type FromHelper, toHelperSchema } from '../../protocol/fleet/helper-messages';
import { plainJsonValue, plainLines } from '../../protocol/fleet/plain-json';
import { withoutProcessNumbers } from '../../protocol/fleet/process-numbers';
import { fromHostSubject, toHostSubject } from '../../protocol/fleet/subjects';
import { safeParse } from '../../protocol/safe-parse';
import type { HostChannel, OpenChannel } from '../host-channel';

export interface AgentHelpersOptions {
  agentId: string;
  clock: Clock;
  openChannel: OpenChannel;
  /** What may be started here, by kind. */
  kinds: ReadonlyMap<string, HelperElsewhere>;
  /** Default: processes of this machine, which end where we are stopped or hang. */
  launch?: Launch;
}

/** The last messages may still be asked for again so long after the end. */
const channelStaysMs = 7000;
/** For all consoles; an experiment has some on each machine. */
const mostHelpers = 32;
/** Commands that the program has not taken yet. */
const mostWaiting = 1000;

interface Running {
  fence: number;
  channel: HostChannel;
  abort: AbortController;
  /** Why its agent ended it, unasked. */
  problem: WhitelineError | null;
  gone: Promise<void>;
}

/** Helper programs of this machine for consoles. What a console says to one is checked; what it says is passed on. */
export class AgentHelpers {
  private readonly running = new Map<string, Running>();
  /** Of kinds that are looked at now. */
  private readonly looks = new Map<HelperElsewhere, Promise<string | null>>();
  private readonly helpers: Helpers;

  constructor(private readonly options: AgentHelpersOptions) {
    const { clock, launch = launchWatched(clock) } = options;
    // Its console hears how one ended.
    this.helpers = new Helpers(clock, () => undefined, launch);
  }

  /** Of processes whose load is ours, by role. */
  get processIds(): Record<string, number[]> {
    return this.helpers.processIds;
  }

  /** @throws WhitelineError BAD_INPUT for a kind that is not started here */
  async check(kind: string): Promise<{ missing: string | null }> {
    return { missing: await this.missing(this.kindOf(kind)) };
  }

  /** @throws WhitelineError BAD_INPUT for a kind that is not started here, and for one too many */
  start({ fence, key }: { fence: number; key: string }, kind: string): string {
    const elsewhere = this.kindOf(kind);
    if (this.running.size >= mostHelpers)
      throw badInput('kind', `at most ${mostHelpers} helper programs at a time`, this.running.size + 1);
    const { agentId, openChannel } = this.options;
    const helperId = randomBytes(8).toString('hex');
    const channel = openChannel(fromHostSubject(agentId, helperId), toHostSubject(agentId, helperId, key));
    const running: Running = {
      ...{ fence, channel, abort: new AbortController(), problem: null },
      gone: Promise.resolve(),
    };
    this.running.set(helperId, running);
    running.gone = this.run(elsewhere, running).then((problem) => this.forget(helperId, running, problem));
    return helperId;
  }

  /** @throws WhitelineError NOT_FOUND if it has none of this lease */
  end({ fence }: { fence: number }, helperId: string): null {
    const running = this.running.get(helperId);
    if (running?.fence !== fence)
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: `There is no helper program ${helperId} of this lease`,
        remedy: 'It may have ended already',
      });
    running.abort.abort();
    return null;
  }

  /** Their lease is over. */
  endAll(): void {
    for (const { abort } of this.running.values()) abort.abort();
  }

  /** Resolves when all processes that run now are gone. */
  get gone(): Promise<unknown> {
    return Promise.all([...this.running.values()].map(({ gone }) => gone));
  }

  /** However often it is asked for a kind, one program looks. */
  private missing(elsewhere: HelperElsewhere): Promise<string | null> {
    const look = this.looks.get(elsewhere) ?? elsewhere.missing().finally(() => this.looks.delete(elsewhere));
    this.looks.set(elsewhere, look);
    return look;
  }

  private kindOf(kind: string): HelperElsewhere {
    const { kinds } = this.options;
    const elsewhere = kinds.get(kind);
    if (!elsewhere) throw badInput('kind', `one of ${[...kinds.keys()].join(', ')}`, kind);
    return elsewhere;
  }

  /** From its start to its end; null if it was stopped in order. */
  private async run(elsewhere: HelperElsewhere, running: Running): Promise<Problem | null> {
    const { channel, abort } = running;
    const inOrder = new CommandQueue(elsewhere, (problem) => {
      running.problem ??= problem;
      abort.abort();
    });
    channel.onMessage((value) => {
      const { data } = safeParse(toHelperSchema, value);
      if (data?.type === 'command') inOrder.take(data.json);
      else if (data) abort.abort();
    });
    channel.onLost(() => abort.abort());
    try {
      const missing = await this.missing(elsewhere);
      if (missing !== null) throw new WhitelineError({ code: 'TOOL_MISSING', message: missing });
      const { helper, ready } = await this.helpers.start(elsewhere.program(), { signal: abort.signal });
      this.say(channel, { type: 'ready', json: JSON.stringify(ready) });
      inOrder.open((command) => helper.send(command));
      for (let said = await helper.receive(); said; said = await helper.receive())
        this.say(channel, { type: 'said', json: JSON.stringify(said) });
      return running.problem;
    } catch (error) {
      return running.problem ?? toProblem(error);
    }
  }

  private say(channel: HostChannel, message: FromHelper): void {
    channel.send(message);
  }

  private forget(helperId: string, { channel }: Running, problem: Problem | null): void {
    this.running.delete(helperId);
    this.say(channel, { type: 'exit', problem: problem && toldProblem(problem) });
    this.options.clock.after(channelStaysMs, () => channel.close());
  }
}

/** Commands of a console for one program, each checked before it is passed on, in their order. */
class CommandQueue {
  private readonly waiting: Message[] = [];
  private pass: ((command: Message) => Promise<void>) | null = null;
  private isPassing = false;

  constructor(
    private readonly elsewhere: Pick<HelperElsewhere, 'commands'>,
    private readonly refuse: (problem: WhitelineError) => void,
  ) {}

  take(json: string): void {
    try {
      if (this.waiting.length >= mostWaiting)
        throw badInput('command', `at most ${mostWaiting} commands that wait`, this.waiting.length + 1);
      this.waiting.push(this.checked(json));
    } catch (error) {
      this.refuse(new WhitelineError(toProblem(error)));
      return;
    }
    void this.passAll();
  }

  /** It is ready. */
  open(pass: (command: Message) => Promise<void>): void {
    this.pass = pass;
    void this.passAll();
  }

  private async passAll(): Promise<void> {
    const { pass } = this;
    if (this.isPassing || !pass) return;
    this.isPassing = true;
    try {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await pass(next);
    } catch {
      // It is gone, and says why.
      this.waiting.length = 0;
    } finally {
      this.isPassing = false;
    }
  }

  /** @throws WhitelineError BAD_INPUT naming field, value and remedy */
  private checked(json: string): Message {
    const { commands } = this.elsewhere;
    const value = plainJsonValue(json, plainLines);
    const { success, data } = safeParse(commands, value);
    if (success) return data;
    const [first] = fieldProblems(commands, value, 'command', 'field');
    throw first ? new WhitelineError(first.problem) : badInput('command', 'a command', 'something else');
  }
}

/** Without what means another process elsewhere. */
function toldProblem({ code, message, field, value, remedy }: Problem): Problem {
  return {
    ...{ code, message: withoutProcessNumbers(message) },
    ...(field !== undefined && { field }),
    ...(value !== undefined && { value }),
    ...(remedy !== undefined && { remedy }),
  };
}
