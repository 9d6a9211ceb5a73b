import type { HostProcess, HostRole, RemoteMachine } from '../../engine/host-application';
import { othersCpuOf } from '../../engine/load/load-sums';
import { MachineClock } from '../../engine/machines/machine-clock';
import { ReportedLoads } from '../../engine/streams/rows/reported-load';
import type { Clock } from '../../protocol/clock';
import type { AgentLoad, AgentPresence } from '../../protocol/fleet/presence';
import type { SharedLoad } from '../../protocol/shared-records';
import type { RemoteAgent } from './remote-agent';

/** A machine that this console has the lease of, as the engine uses it. */
export class FleetMachine implements RemoteMachine {
  readonly clock = new MachineClock();
  readonly loads = new ReportedLoads();
  addresses: readonly string[];

  constructor(
    private readonly agent: RemoteAgent,
    presence: AgentPresence,
    private readonly ours: Pick<Clock, 'monotonicNs'>,
  ) {
    this.addresses = presence.addresses;
    agent.askTime(({ askedUs, heardUs, repliedUs, answeredUs }) =>
      this.clock.add({
        ...{ askedNs: askedUs * 1000, heardNs: heardUs * 1000 },
        ...{ repliedNs: repliedUs * 1000, answeredNs: answeredUs * 1000 },
      }),
    );
  }

  get id(): string {
    return this.agent.id;
  }

  get name(): string {
    return this.agent.name;
  }

  get wallOffsetUs(): number {
    return this.agent.wallOffsetUs;
  }

  /** Why it is of no use any more; null: it is. */
  get lost(): string | null {
    return this.agent.lost;
  }

  spawnStreamHost(role: HostRole, number: number): HostProcess {
    const host = this.agent.spawnStreamHost(role, { number });
    return {
      machine: this,
      post: (request) => host.post(request),
      onMessage: (listener) => host.onMessage(listener),
      onExit: (listener) => host.onExit(listener),
      kill: () => host.kill(),
    };
  }

  hear({ addresses, load }: AgentPresence): void {
    this.addresses = addresses;
    if (load) this.loads.hear(sharedLoadOf(load), this.ours.monotonicNs());
  }

  /** Resolves when the agent knows, or cannot be told. */
  release(): Promise<void> {
    return this.agent.release();
  }
}

/** What of a second the columns of a sender on another machine show. */
function sharedLoadOf(load: AgentLoad): SharedLoad {
  const { atNs: measuredNs, cpuPercent, gpuPercent, cpuStealPercent: stealPercent } = load;
  const others = othersCpuOf(load);
  const othersPercent = typeof others === 'number' ? others : null;
  return { measuredNs, cpuPercent, gpuPercent, othersPercent, stealPercent };
}
