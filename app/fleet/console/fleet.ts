import { randomBytes } from 'node:crypto';
import type { RemoteMachine } from '../../engine/host-application';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { MachineFacts } from '../../protocol/fleet/fleet-view';
import type { MovieList } from '../../protocol/fleet/movie-list';
import type { MovieLook } from '../../protocol/fleet/movies';
import type { SourceSettings } from '../../protocol/source-spec';
import type { TransportName } from '../../protocol/transports';
import type { Bus } from '../bus/bus';
import type { OpenChannel } from '../host-channel';
import { Agents, type AgentView } from './agents';
import { askAgent } from './ask-agent';
import { FleetMachine } from './fleet-machine';
import { RemoteAgent } from './remote-agent';

export interface FleetOptions {
  bus: Bus;
  clock: Clock;
  /** Of Whiteline, as it runs here. */
  version: string;
  /** This console, as other consoles read it. */
  holder: string;
  transport: TransportName;
  openChannel: OpenChannel;
  /** Whether an agent was invited under this name. Absent: it is not known who was invited. */
  isInvited?(agent: { id: string; name: string }): boolean;
  /** A machine is gone against our will. `words`: why. */
  onLost(name: string, words: string): void;
}

/** An agent speaks once a second. */
const heardWithinMs = 3000;
const lookMs = 100;
/** The agent answers earlier, with what it found by then. */
const listsWithinMs = 4000;
/** ffprobe may read a large movie from a slow disk. */
const inspectsWithinMs = 15_000;

/** The machines of the fleet, as an application finds them by their names. */
export class Fleet {
  private readonly agents: Agents;
  private readonly leaseKey = randomBytes(16).toString('hex');
  /** Those that this console has the lease of, by the id of their agent. */
  private readonly leased = new Map<string, Promise<FleetMachine>>();

  constructor(private readonly options: FleetOptions) {
    this.agents = new Agents(options);
  }

  /** Agents that give themselves another name than that of their invitation are left out. */
  views(): AgentView[] {
    const { isInvited } = this.options;
    return this.agents.views().filter((view) => isInvited?.(view) ?? true);
  }

  /**
   * The machine of this name, whose lease is taken where this console does not have it. Null if no agent of the name is
   * connected.
   * @throws WhitelineError BAD_INPUT if several have it; those of `RemoteAgent.lease`
   */
  async find(name: string): Promise<RemoteMachine | null> {
    const view = await this.heard(name);
    if (!view) return null;
    for (let known = this.leased.get(view.id); known; known = this.leased.get(view.id)) {
      if ((await known).lost === null) return known;
      // Both ends ask at once: the lease of one would end that of the other.
      this.forget(view.id, known);
    }
    const leased = this.lease(view);
    this.leased.set(view.id, leased);
    leased.catch(() => this.forget(view.id, leased));
    return leased;
  }

  /** Those that give themselves another name included. */
  heardAgents(): AgentView[] {
    return this.agents.views();
  }

  /** Null: the agent with this id is not heard. */
  async facts(id: string): Promise<MachineFacts | null> {
    const view = this.views().find((one) => one.id === id && one.state === 'here');
    if (!view?.presence) return null;
    const { machine, limits, addresses, uptimeSeconds, load } = view.presence;
    const leased = await this.leased.get(id)?.catch(() => null);
    const uncertaintyNs = leased?.clock.uncertaintyNs(this.options.clock.monotonicNs()) ?? null;
    return {
      ...{ machine, limits, addresses, uptimeSeconds },
      notMeasured: load?.notMeasured ?? {},
      clockUncertaintyMs: uncertaintyNs === null ? null : uncertaintyNs / 1e6,
    };
  }

  /** False while the connection to the server is made again. */
  get isConnected(): boolean {
    return this.options.bus.state === 'connected';
  }

  /**
   * The movies that the agent of this name offers, whether or not this console has its lease. Null if no agent of the name is connected.
   * @throws WhitelineError LEASE_HELD if another console has it; BAD_INPUT where several have the name; those of `askAgent`
   */
  async movies(name: string): Promise<MovieList | null> {
    const view = await this.heard(name);
    if (!view) return null;
    return askAgent(this.options.bus, view, { name: 'movies.list', key: this.leaseKey }, listsWithinMs);
  }

  /** What it would play of one of them. @throws as `movies`, and for one that it does not have or cannot play */
  async movie(name: string, settings: SourceSettings): Promise<MovieLook | null> {
    const view = await this.heard(name);
    if (!view) return null;
    const asked = { name: 'movies.inspect', key: this.leaseKey, settings } as const;
    return askAgent(this.options.bus, view, asked, inspectsWithinMs);
  }

  /** Those of these agents that are connected: each speaks once a second. */
  async connected(ids: readonly string[]): Promise<AgentView[]> {
    const { clock } = this.options;
    const untilNs = clock.monotonicNs() + heardWithinMs * 1e6;
    while (true) {
      const here = this.views().filter(({ id, state }) => state === 'here' && ids.includes(id));
      if (here.length === ids.length || clock.monotonicNs() > untilNs) return here;
      await clock.sleep(lookMs);
    }
  }

  /** Gives all machines back, and closes the bus. */
  async close(): Promise<void> {
    this.agents.close();
    const machines = await Promise.allSettled(this.leased.values());
    await Promise.all(machines.map((one) => (one.status === 'fulfilled' ? one.value.release() : null)));
    await this.options.bus.close();
  }

  private forget(id: string, leased: Promise<FleetMachine>): void {
    if (this.leased.get(id) === leased) this.leased.delete(id);
  }

  private async heard(name: string): Promise<AgentView | null> {
    const { clock } = this.options;
    const untilNs = clock.monotonicNs() + heardWithinMs * 1e6;
    while (true) {
      const here = this.views().filter((view) => view.name === name && view.state === 'here');
      if (here.length > 1)
        throw new WhitelineError({
          code: 'BAD_INPUT',
          message: `${here.length} connected agents have the name ${name}, and one is wanted`,
          ...{ field: 'machine', value: name },
          remedy: 'Invite each by a name of its own: whiteline fleet invite NAME',
        });
      if (here[0] || clock.monotonicNs() > untilNs) return here[0] ?? null;
      await clock.sleep(lookMs);
    }
  }

  private async lease({ id, name, presence }: AgentView): Promise<FleetMachine> {
    const { options } = this;
    let machine: FleetMachine | null = null;
    const agent = await RemoteAgent.lease({
      ...options,
      ...{ agent: { id, name }, leaseKey: this.leaseKey },
      onPresence: (heard) => machine?.hear(heard),
      onLost: (words) => options.onLost(name, words),
    });
    if (!presence) throw new Error('an agent of another version gives no lease');
    machine = new FleetMachine(agent, presence, options.clock);
    return machine;
  }
}
