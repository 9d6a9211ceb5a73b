import type { HostProcess, HostRole, RemoteMachine } from '../../engine/host-application';
import { MachineClock } from '../../engine/machines/machine-clock';
import { SampledSide } from '../../engine/machines/machine-side';
import type { Clock } from '../../protocol/clock';
import type { AgentPresence } from '../../protocol/fleet/presence';
import type { RemoteAgent } from './remote-agent';

/** The clocks are known to some milliseconds. */
const mostAheadNs = 1e9;

/** A machine that this console has the lease of, as the engine uses it. */
export class FleetMachine extends SampledSide implements RemoteMachine {
  readonly clock = new MachineClock();
  /** When its newest sample was made, by its own clock. */
  private sampledNs = 0;
  addresses: readonly string[];

  constructor(
    private readonly agent: RemoteAgent,
    presence: AgentPresence,
    private readonly ours: Pick<Clock, 'monotonicNs'>,
  ) {
    super(agent.name);
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
      preview: (wish) => host.preview(wish),
      kill: () => host.kill(),
    };
  }

  hear({ addresses, load }: AgentPresence): void {
    this.addresses = addresses;
    if (!load || !this.clock.isKnown || load.atNs <= this.sampledNs) return;
    const atNs = this.clock.toOursNs(load.atNs);
    // A sample of the future would hide all that come before it.
    if (atNs > this.ours.monotonicNs() + mostAheadNs) return;
    this.sampledNs = load.atNs;
    this.add({ ...withoutStreams, ...load, atNs });
  }

  /** Resolves when the agent knows, or cannot be told. */
  release(): Promise<void> {
    return this.agent.release();
  }
}

/** What an agent leaves out of a sample: the console counts the streams. */
const withoutStreams = {
  ...{ interfaces: [], changes: [], fullestLink: null, streams: 0, lostPerSecond: null },
  ...{ latencyP50Ms: null, latencyP99Ms: null, wallMs: 0 },
};
