import type { WaysToOpen } from '../engine/capabilities/open-capabilities';
import type { ExperimentChild } from '../engine/host-application';
import type { ClosedRow } from '../facts/row';
import {
  type FromExperiment,
  longestExperimentMessage,
  type PrepareExperiment,
  type ToExperiment,
} from '../protocol/fleet/experiment-messages';
import { MemoryBusServer } from '../testing/memory-bus';
import { SimulatedClock } from '../testing/simulated-clock';
import { Agent } from './agent/agent';
import type { ExperimentPlaces } from './agent/agent-experiments';
import type { AgentOptions } from './agent/agent-options';
import type { Bus } from './bus/bus';
import { Lease } from './bus/lease';
import { NumberedChannel } from './bus/numbered-channel';
import { Fleet } from './console/fleet';
import { agentEnvironment, agentMachine, noMedia } from './fleet.fixture';
import type { OpenChannel } from './host-channel';

/** An experiment's process on another machine, which says what a test says. */
export class FakeChild implements ExperimentChild {
  readonly processId = 4711;
  readonly heard: (PrepareExperiment | ToExperiment)[] = [];
  isKilled = false;
  keptAlive = 0;
  private deliver: (json: string) => void = () => undefined;
  private exit: () => void = () => undefined;

  constructor(private readonly onHeard: (child: FakeChild, type: string) => void) {}

  post(message: PrepareExperiment | ToExperiment): void {
    this.heard.push(message);
    queueMicrotask(() => this.onHeard(this, message.type));
  }

  keepAlive(): void {
    this.keptAlive += 1;
  }

  onMessage(listener: (json: string) => void): void {
    this.deliver = listener;
  }

  onExit(listener: () => void): void {
    this.exit = listener;
  }

  kill(): void {
    this.isKilled = true;
    queueMicrotask(() => this.exit());
  }

  say(message: FromExperiment): void {
    this.sayText(JSON.stringify(message));
  }

  sayText(json: string): void {
    if (json.length <= 4 * longestExperimentMessage) this.deliver(json);
  }

  /** As a process that came to its end. */
  end(): void {
    this.say({ type: 'ended', problem: null });
    this.exit();
  }
}

/** What the process of a machine does, and says, when it hears something. */
export type Script = (child: FakeChild, type: string, clock: SimulatedClock) => void;

export const prepares: Script = (child, type) => {
  if (type === 'prepare') child.say({ type: 'prepared', subject: 'as asked', environment: { fio: '3.33' } });
};

/** A console, and agents whose experiments follow a script, on a bus of memory. */
export class ElsewhereBench {
  readonly clock = new SimulatedClock();
  readonly server = new MemoryBusServer(this.clock);
  readonly children = new Map<string, FakeChild[]>();
  readonly agents = new Map<string, Agent>();
  readonly fleet: Fleet;

  constructor() {
    const bus = this.server.connect('console');
    this.fleet = new Fleet({
      ...{ bus, clock: this.clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
      openChannel: this.channels(bus),
      onLost: () => undefined,
    });
  }

  start(
    name: string,
    script: Script = prepares,
    places?: Partial<ExperimentPlaces>,
    options: Partial<Pick<AgentOptions, 'helpers' | 'addresses' | 'linkEnd'>> = {},
  ): Agent {
    const { clock } = this;
    const bus = this.server.connect(name);
    const agent = new Agent({
      ...{ bus, clock, version: '1.0.0', machine: agentMachine, environment: agentEnvironment },
      ...{ media: noMedia, network: name, bootId: name, addresses: () => ['192.0.2.7'] },
      application: {
        spawnStreamHost: () => {
          throw new Error('no stream host is asked for');
        },
      },
      agent: { id: name.replace(/[^a-z0-9]/g, '').padEnd(16, '0'), name },
      lease: new Lease(1000, () => undefined),
      openChannel: this.channels(bus),
      transportOf: () => ({ name: 'memory' }),
      limits: { streams: 4, format: null, minutes: null },
      experiments: {
        spawn: () => {
          const child = new FakeChild((one, type) => script(one, type, clock));
          this.children.set(name, [...(this.children.get(name) ?? []), child]);
          return child;
        },
        places: {
          folder: () => ({ path: '/var/tmp/secret-1', called: 'temporary folder' }),
          movie: async (movie) => ({ path: `/media/secret/${movie}`, called: movie }),
          ...places,
        },
      },
      sampleLoad: () => ({ close: () => undefined }),
      onNote: () => undefined,
      onClosed: () => undefined,
      ...options,
    });
    this.agents.set(name, agent);
    return agent;
  }

  /** How a run leases its machines. */
  get ways(): Pick<WaysToOpen, 'machines'> {
    const { fleet } = this;
    return {
      machines: () => ({
        use: {
          take: async (field, name) => {
            const machine = await fleet.find(name);
            if (!machine) throw new Error(`${field}: no ${name}`);
            return machine;
          },
        },
        close: () => fleet.close(),
      }),
    };
  }

  /** The newest process of a machine. */
  child(name: string): FakeChild {
    const child = this.children.get(name)?.at(-1);
    if (!child) throw new Error(`nothing was started on ${name}`);
    return child;
  }

  private channels(bus: Bus): OpenChannel {
    return (sendOn, hearOn) => new NumberedChannel(bus, this.clock, { sendOn, hearOn });
  }
}

/** A row that was measured at the moment. */
export function rowAt(clock: SimulatedClock, label: string, changes: Partial<ClosedRow> = {}): ClosedRow {
  const at = new Date(clock.wallMs()).toISOString();
  return {
    ...{ index: 0, step: {}, label, from: at, to: at, subjects: [] },
    figures: { measuredSeconds: 0, 'quiet.integerMsteps': 150, 'preflight.state': 'ok' },
    ...{ load: { render: {} }, verdict: 'PASS', reason: [], notMeasured: {}, ...changes },
  };
}
