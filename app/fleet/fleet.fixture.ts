import { createHash, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { SampleLoad } from '../engine/load/sample-machine';
import { type HostEnvironment, hostEnvironmentSchema } from '../protocol/environment';
import { WhitelineError } from '../protocol/errors';
import type { AgentMachine } from '../protocol/fleet/presence';
import { toHostSubject } from '../protocol/fleet/subjects';
import type { LoadSample } from '../protocol/load';
import { FakeApplication } from '../testing/fake-application';
import { SimulatedClock } from '../testing/simulated-clock';
import { Agent } from './agent/agent';
import type { AgentOptions } from './agent/agent-options';
import { Media } from './agent/media';
import type { Bus, BusState } from './bus/bus';
import { Lease } from './bus/lease';
import { RemoteAgent, type RemoteAgentOptions } from './console/remote-agent';
import type { HostChannel, OpenChannel } from './host-channel';

/** No folder of movies. */
export const noMedia = new Media('render-1', [], { request: async () => null }, () => undefined);

type Take = (value: unknown, subject: string) => void;

/** A bus between two ends of one process: what is undefined comes as null, as MessagePack has it. */
export class FakeBus implements Bus {
  state: BusState = 'connected';
  readonly server = 'tls://fleet:4222';
  readonly refused = 0;
  /** Requests and messages get nowhere. */
  isCut = false;
  readonly published: { subject: string; value: unknown }[] = [];
  private readonly takers = new Set<{ subject: string; take: Take }>();
  private readonly servers = new Map<string, (value: unknown) => Promise<unknown>>();
  private readonly states = new Set<(state: BusState) => void>();

  onState(listener: (state: BusState) => void): () => void {
    this.states.add(listener);
    return () => void this.states.delete(listener);
  }

  become(state: BusState): void {
    this.state = state;
    for (const listener of [...this.states]) listener(state);
  }

  publish(subject: string, value: unknown): void {
    if (this.isCut) return;
    const sent = carried(value);
    this.published.push({ subject, value: sent });
    for (const taker of [...this.takers])
      if (matches(taker.subject, subject))
        queueMicrotask(() => {
          if (this.takers.has(taker)) taker.take(sent, subject);
        });
  }

  subscribe(subject: string, take: Take): () => void {
    const taker = { subject, take };
    this.takers.add(taker);
    return () => void this.takers.delete(taker);
  }

  async request(subject: string, value: unknown): Promise<unknown> {
    const answer = this.isCut ? undefined : this.servers.get(subject);
    if (!answer) throw new WhitelineError({ code: 'HOST_SILENT', message: `${subject} does not answer` });
    return carried(await answer(carried(value)));
  }

  serve(subject: string, answer: (value: unknown) => Promise<unknown>): () => void {
    this.servers.set(subject, answer);
    return () => void this.servers.delete(subject);
  }

  async close(): Promise<void> {
    this.become('closed');
  }

  /** The newest message on such a subject. */
  newest(subject: string): unknown {
    return this.published.filter((message) => matches(subject, message.subject)).at(-1)?.value;
  }
}

function matches(pattern: string, subject: string): boolean {
  const [wanted, parts] = [pattern.split('.'), subject.split('.')];
  return (
    wanted.length === parts.length && wanted.every((part, index) => part === '*' || part === parts[index])
  );
}

function carried(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return deserialize(serialize(value));
  if (Array.isArray(value)) return value.map(carried);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, carried(inner)]));
}

/** Numbered channels of a bus that loses nothing, and what a test makes them lose. */
export class FakeChannels {
  readonly open: OpenChannel = (sends, hears) => {
    const channel = new FakeChannel(this.bus, sends, hears);
    this.channels.push(channel);
    return channel;
  };
  readonly channels: FakeChannel[] = [];

  constructor(private readonly bus: Bus) {}

  /** The newest one that sends there. */
  to(host: 'to' | 'from'): FakeChannel {
    const channel = this.channels.filter(({ sends }) => sends.startsWith(`whiteline.${host}.`)).at(-1);
    if (!channel) throw new Error(`no channel ${host} a host is open`);
    return channel;
  }
}

class FakeChannel implements HostChannel {
  isClosed = false;
  isBehind = false;
  lose: () => void = () => undefined;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly bus: Bus,
    readonly sends: string,
    private readonly hears: string,
  ) {}

  send(value: unknown): void {
    if (!this.isClosed) this.bus.publish(this.sends, value);
  }

  onMessage(listener: (value: unknown) => void): void {
    this.stops.push(this.bus.subscribe(this.hears, listener));
  }

  onLost(listener: () => void): void {
    this.lose = listener;
  }

  close(): void {
    this.isClosed = true;
    for (const stop of this.stops) stop();
  }
}

export const agentMachine: AgentMachine = {
  ...{ hostName: 'render', system: 'Linux 6.1 x64', board: 'X', cpuModel: 'Y', cores: 8, memoryMb: 16_000 },
  ...{ gpus: null, interfaces: [{ name: 'eth0', state: 'up', speedMbps: 10_000 }], ndi: '6.2' },
  notKnown: { gpus: 'the system does not report it' },
};

/** Each console has its own. */
export function leaseKeyOf(holder: string): string {
  return createHash('sha256').update(holder).digest('hex').slice(0, 32);
}
export const agentEnvironment: HostEnvironment = hostEnvironmentSchema.parse({
  ...{
    hostName: 'render',
    system: 'Linux 6.1 x64',
    kernel: '#1',
    distribution: null,
    virtualisation: 'none',
  },
  ...{ cpuModel: 'Y', cores: 8, memoryMb: 16_000, mainboard: null, memoryModules: null, drives: null },
  ...{ gpus: null, displays: null, interfaces: [], power: { governors: null, plan: null }, clockSync: null },
  ...{ ndiConfiguration: null, switches: null, versions: { ndi: '6.2' }, notKnown: {} },
});

/** One agent and what it works with; its machine is made up. */
export class Bench {
  readonly clock = new SimulatedClock();
  readonly bus = new FakeBus();
  readonly application = new FakeApplication();
  readonly channels = new FakeChannels(this.bus);
  readonly notes: string[] = [];
  /** That the console knows of. */
  readonly lost: string[] = [];
  readonly identity = { id: 'a1b2c3d4e5f6g7h8', name: 'render-1' };
  private leaseKey = leaseKeyOf('control-1');
  private onSample: (sample: LoadSample) => void = () => undefined;
  private readonly sampleLoad: SampleLoad = (options) => {
    this.processIds = options.processIds;
    this.onSample = options.onSample;
    return { close: () => undefined };
  };
  /** As the sampler of the agent is given them. */
  processIds: () => Readonly<Record<string, readonly number[]>> = () => ({});

  agent(options: Partial<AgentOptions> = {}): Agent {
    return new Agent({
      ...{ bus: this.bus, clock: this.clock, agent: this.identity, version: '1.0.0', machine: agentMachine },
      environment: agentEnvironment,
      ...{
        bootId: randomBytes(4).toString('hex'),
        network: '',
        lease: new Lease(1, () => undefined),
        openChannel: this.channels.open,
      },
      ...{ application: this.application, addresses: () => ['192.0.2.7'] },
      transportOf: (name) => (name === 'ndi' ? { name, candidates: ['/opt/libndi.so'] } : { name }),
      limits: { streams: 4, format: null, minutes: null },
      media: noMedia,
      sampleLoad: this.sampleLoad,
      onNote: (text) => this.notes.push(text),
      onClosed: () => this.notes.push('closed'),
      ...options,
    });
  }

  remote(options: Partial<RemoteAgentOptions> = {}): Promise<RemoteAgent> {
    return RemoteAgent.lease({
      ...{ bus: this.bus, clock: this.clock, agent: this.identity, version: '1.0.0' },
      ...{ holder: 'control-1', leaseKey: leaseKeyOf(options.holder ?? 'control-1') },
      ...{ transport: 'ndi', openChannel: this.channels.open, onLost: (words) => this.lost.push(words) },
      onPresence: () => undefined,
      ...options,
    });
  }

  sample(sample: LoadSample): void {
    this.onSample(sample);
  }

  /** By the key of the console that had the lease last, where it says no other. */
  ask(command: unknown): Promise<unknown> {
    const isOfLease = typeof command === 'object' && command !== null && 'fence' in command;
    const asked = isOfLease ? { key: this.leaseKey, ...command } : command;
    return this.bus.request(`whiteline.to.${this.identity.id}.ask`, asked);
  }

  async acquire(holder = 'control-1'): Promise<number> {
    const key = leaseKeyOf(holder);
    const given = await this.ask({ name: 'lease.acquire', holder, key });
    this.leaseKey = key;
    return (given as { fence: number }).fence;
  }

  async startHost(fence: number, role = 'sending'): Promise<string> {
    const transport = { name: 'ndi' };
    const started = await this.ask({ name: 'host.start', fence, role, number: 1, transport });
    return (started as { hostId: string }).hostId;
  }

  /** What the agent answers to a request for a host. */
  async request(hostId: string, command: unknown, requestId = 1): Promise<unknown> {
    const { id } = this.identity;
    this.bus.publish(toHostSubject(id, hostId, this.leaseKey), { type: 'request', requestId, command });
    await this.clock.pass(0);
    return this.bus.newest(`whiteline.from.${id}.host.${hostId}`);
  }
}
