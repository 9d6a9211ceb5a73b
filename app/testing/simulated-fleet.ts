import { Agent } from '../fleet/agent/agent';
import type { Limits } from '../fleet/agent/limits';
import type { Bus } from '../fleet/bus/bus';
import { Lease } from '../fleet/bus/lease';
import { NumberedChannel } from '../fleet/bus/numbered-channel';
import { Fleet } from '../fleet/console/fleet';
import { agentEnvironment, agentMachine, noMedia } from '../fleet/fleet.fixture';
import type { OpenChannel } from '../fleet/host-channel';
import type { Clock } from '../protocol/clock';
import type { Problem } from '../protocol/errors';
import { fleetThatFinds } from './fake-application';
import { MemoryBusServer } from './memory-bus';
import type { SimulatedBench } from './simulated-bench';
import { SimulatedLoad } from './simulated-load';

/** Another machine of a simulated bench. */
interface SimulatedMachine {
  agent: Agent;
  load: SimulatedLoad;
  /** What keeps NDI from loading there; null: nothing. */
  transportProblem: Problem | null;
}

/** A console and agents on a bus of memory: the stream hosts of all of them are those of the bench, and send to each other. */
export class SimulatedFleet {
  readonly server: MemoryBusServer;
  /** Why machines were given up, in words. */
  readonly lost: string[] = [];
  private readonly machines = new Map<string, SimulatedMachine>();
  private readonly fleet: Fleet;
  private started = 0;

  constructor(private readonly bench: SimulatedBench) {
    const { clock, hosts } = bench;
    this.server = new MemoryBusServer(clock);
    const bus = this.server.connect('console');
    this.fleet = new Fleet({
      ...{ bus, clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
      openChannel: this.channels(bus),
      onLost: (name, words) => this.lost.push(`${name} ${words}`),
    });
    hosts.fleet = fleetThatFinds((name) => this.fleet.find(name));
    const { other } = hosts;
    hosts.other = (command, role) => {
      if (command.name !== 'time') return other(command, role);
      return { heardNs: clock.monotonicNs(), repliedNs: clock.monotonicNs() };
    };
  }

  /** Starts the agent of a machine, whether or not there was one before. `wallAheadUs`: its wall offset is false by so much. */
  start(
    name: string,
    limits: Limits = { streams: 64, format: null, minutes: null },
    wallAheadUs = 0,
  ): SimulatedMachine {
    const { hosts } = this.bench;
    const clock = withWallAhead(this.bench.clock, wallAheadUs);
    const bus = this.server.connect(name);
    const load = this.machines.get(name)?.load ?? new SimulatedLoad();
    this.started += 1;
    const agent = new Agent({
      ...{
        bus,
        clock,
        version: '1.0.0',
        machine: agentMachine,
        environment: agentEnvironment,
        media: noMedia,
        network: name,
        bootId: `boot of ${name}`,
      },
      ...{ addresses: () => ['192.0.2.7'], sampleLoad: load.sample },
      application: {
        spawnStreamHost: (role) => {
          hosts.transportProblem = this.machines.get(name)?.transportProblem ?? null;
          const host = hosts.spawnStreamHost(role);
          hosts.transportProblem = null;
          return host;
        },
      },
      agent: { id: name.replace(/[^a-z0-9]/g, '').padEnd(16, '0'), name },
      lease: new Lease(1000 * this.started, () => undefined),
      openChannel: this.channels(bus),
      transportOf: () => ({ name: 'ndi', candidates: ['/opt/libndi.so'] }),
      limits,
      onNote: () => undefined,
      onClosed: () => undefined,
    });
    const machine: SimulatedMachine = { agent, load, transportProblem: null };
    this.machines.set(name, machine);
    return machine;
  }

  /** Who has the lease of each machine, as its agent says; null: no console. */
  holders(): Record<string, string | null> {
    const said = this.fleet.views().map(({ name, presence }) => [name, presence?.holder ?? null] as const);
    return Object.fromEntries(said);
  }

  /** Nothing goes between the console and this machine, and neither is told. */
  cut(name: string): void {
    this.server.cut('console', name);
  }

  mend(name: string): void {
    this.server.mend('console', name);
  }

  private channels(bus: Bus): OpenChannel {
    return (sendOn, hearOn) => new NumberedChannel(bus, this.bench.clock, { sendOn, hearOn });
  }
}

function withWallAhead(clock: Clock, aheadUs: number): Clock {
  return {
    monotonicNs: () => clock.monotonicNs(),
    uptimeSeconds: () => clock.uptimeSeconds(),
    wallOffsetUs: () => clock.wallOffsetUs() + aheadUs,
    wallMs: () => clock.wallMs() + aheadUs / 1000,
    sleep: (...given) => clock.sleep(...given),
    after: (...given) => clock.after(...given),
    every: (...given) => clock.every(...given),
  };
}
