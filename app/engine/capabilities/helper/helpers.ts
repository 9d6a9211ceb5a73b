import type { Clock } from '../../../protocol/clock';
import { HelperProblems } from './helper-problems';
import { type HelperOptions, HelperProcess } from './helper-process';
import type { HelperProgram, Message } from './helper-program';
import { type Launch, launchProcess } from './launch';

/** What an experiment uses of a helper, wherever it runs. */
export type RunningHelper<Ready extends Message, Command extends Message, Output extends Message> = Pick<
  HelperProcess<Ready, Command, Output>,
  'send' | 'receive' | 'stop' | 'ended' | 'processIds' | 'unreadBytes'
>;

/** A helper that is ready, and what it said then. */
export interface StartedHelper<Ready extends Message, Command extends Message, Output extends Message> {
  helper: RunningHelper<Ready, Command, Output>;
  ready: Ready;
}

interface Running {
  readonly processIds: readonly number[];
  stop(): Promise<unknown>;
}

/** A helper that died, and how: "was killed (SIGKILL)", with its last words. */
export interface DeadHelper {
  helper: string;
  how: string;
}

/** The helpers that run now. */
export class Helpers {
  /** With their roles. */
  private readonly running = new Map<Running, string>();
  private readonly dead: DeadHelper[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly noteEvent: HelperOptions['noteEvent'],
    private readonly launch: Launch = launchProcess,
  ) {}

  /**
   * Starts a helper and waits until it is ready.
   * @throws WhitelineError TOOL_MISSING, TOOL_FAILED, HOST_DIED, HOST_SILENT, ABORTED, after its process is gone
   */
  async start<Ready extends Message, Command extends Message, Output extends Message>(
    program: HelperProgram<Ready, Command, Output>,
    options: Pick<HelperOptions, 'signal'> = {},
  ): Promise<StartedHelper<Ready, Command, Output>> {
    if (options.signal?.aborted) throw new HelperProblems(program.name).stopped();
    const noteDeath: HelperOptions['noteEvent'] = (kind, text, details) => {
      this.dead.push({ helper: program.name, how: text.slice(`The ${program.name} `.length) });
      this.noteEvent(kind, text, details);
    };
    const helper = new HelperProcess(program, {
      ...options,
      ...{ clock: this.clock, launch: this.launch, noteEvent: noteDeath },
    });
    this.running.set(helper, program.role);
    void helper.ended.then(() => this.running.delete(helper));
    return { helper, ready: await helper.ready };
  }

  /** Those that ended unasked after they were ready, in the order of their ends. */
  get died(): readonly DeadHelper[] {
    return this.dead;
  }

  /** By role, for the load. */
  get processIds(): Record<string, number[]> {
    const byRole: Record<string, number[]> = {};
    for (const [{ processIds }, role] of this.running)
      byRole[role] = [...(byRole[role] ?? []), ...processIds];
    return byRole;
  }

  /** Stops all; resolves when they are gone. */
  async close(): Promise<void> {
    await Promise.all([...this.running.keys()].map((helper) => helper.stop()));
  }
}
