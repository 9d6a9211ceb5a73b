import type { HelperProgram, Message } from '../../engine/capabilities/helper/helper-program';
import type { DeadHelper, StartedHelper } from '../../engine/capabilities/helper/helpers';
import type { MachineHelpers } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import type { HostChannel } from '../host-channel';
import { RemoteHelper } from './remote-helper';

export interface RemoteHelpersOptions {
  clock: Pick<Clock, 'after' | 'monotonicNs'>;
  /** Its name. */
  machine: string;
  /** All of them ask its agent. */
  check(kind: string): Promise<string | null>;
  start(kind: string): Promise<string>;
  end(helperId: string): Promise<unknown>;
  open(helperId: string): HostChannel;
}

/** The helper programs of this console on one other machine. */
export class RemoteHelpers implements MachineHelpers {
  private readonly running = new Set<{ lose(words: string): void }>();
  private readonly dead: DeadHelper[] = [];

  constructor(private readonly options: RemoteHelpersOptions) {}

  async start<Ready extends Message, Command extends Message, Output extends Message>(
    program: HelperProgram<Ready, Command, Output>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<StartedHelper<Ready, Command, Output>> {
    const { clock, machine, start, end, open } = this.options;
    const helper = new RemoteHelper(program, {
      ...{ clock, machine, end, open, signal },
      start: () => start(program.role),
      onExit: (gone, dead) => {
        this.running.delete(gone);
        if (dead) this.dead.push(dead);
      },
    });
    this.running.add(helper);
    return { helper, ready: await helper.ready };
  }

  missing({ role }: { role: string }): Promise<string | null> {
    return this.options.check(role);
  }

  get died(): readonly DeadHelper[] {
    return this.dead;
  }

  /** The lease is over. `words`: why, as they follow the name of one. */
  lose(words: string): void {
    for (const helper of [...this.running]) helper.lose(words);
  }
}
