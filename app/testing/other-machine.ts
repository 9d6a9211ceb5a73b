import type { HostProcess, HostRole, MachineHelpers, RemoteMachine } from '../engine/host-application';
import { MachineClock } from '../engine/machines/machine-clock';
import { SampledSide } from '../engine/machines/machine-side';
import type { Clock } from '../protocol/clock';
import { FakeHost } from './fake-application';
import { noHelpers } from './no-helpers';

/** A machine of the fleet whose hosts answer for the time of a clock that is so far ahead. */
export class OtherMachine extends SampledSide implements RemoteMachine {
  readonly id: string;
  readonly addresses = ['192.0.2.7'];
  readonly reachedNs = 0;
  readonly unreachableSinceNs = null;
  readonly lost = null;
  readonly clock = new MachineClock();
  readonly wallOffsetUs = 5e6;
  readonly hosts: FakeHost[] = [];

  constructor(
    name: string,
    private readonly ours: Pick<Clock, 'monotonicNs'>,
    private readonly aheadNs: number,
    readonly helper: MachineHelpers = noHelpers,
  ) {
    super({ name, network: '' });
    this.id = `id-of-${name}`;
  }

  /** The newest one. */
  get host(): FakeHost {
    const host = this.hosts.at(-1);
    if (!host) throw new Error(`no host was spawned on ${this.name}`);
    return host;
  }

  readEnvironment(): Promise<never> {
    return Promise.reject(new Error('not known'));
  }

  /** How often it was given back. */
  released = 0;

  async release(): Promise<void> {
    this.released += 1;
  }

  get link(): never {
    throw new Error('it has no iperf3');
  }
  startExperiment(): never {
    throw new Error('it has no experiments');
  }

  chooseSource(): never {
    throw new Error('it has no movies');
  }

  spawnStreamHost(role: HostRole): HostProcess {
    const host = new FakeHost(role, ({ name }) => {
      const heardNs = this.ours.monotonicNs() + this.aheadNs;
      return name === 'time' ? { heardNs, repliedNs: heardNs } : null;
    });
    this.hosts.push(host);
    return {
      machine: this,
      post: (request) => host.post(request),
      onMessage: (listener) => host.onMessage(listener),
      onExit: (listener) => host.onExit(listener),
      kill: () => host.kill(),
    };
  }
}
