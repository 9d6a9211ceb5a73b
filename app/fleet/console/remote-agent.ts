import type { HostApplication, HostRole, MachineLogs, SpawnOptions } from '../../engine/host-application';
import type { LinkEnd } from '../../engine/machines/link-end';
import type { Clock } from '../../protocol/clock';
import type { CommandOf, NameIn, ResultOf } from '../../protocol/command-table';
import type { HostEnvironment } from '../../protocol/environment';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import { type AgentCommands, fleetProtocol } from '../../protocol/fleet/agent-commands';
import type { MovieChoice } from '../../protocol/fleet/movies';
import { type AgentPresence, presenceOf } from '../../protocol/fleet/presence';
import { fromHostSubject, presenceSubject, toHostSubject } from '../../protocol/fleet/subjects';
import type { SourceSettings } from '../../protocol/source-spec';
import type { TransportName } from '../../protocol/transports';
import type { Bus } from '../bus/bus';
import { renewEveryMs } from '../bus/lease';
import type { OpenChannel } from '../host-channel';
import { askAgent, askPreview } from './ask-agent';
import { otherVersion } from './other-version';
import { RemoteExperiment } from './remote-experiment';
import { RemoteHelpers } from './remote-helpers';
import { RemoteHost } from './remote-host';
import { RemoteLinkServer } from './remote-link-server';

const askTimeMs = 250;
/** ffprobe may read a large movie from a slow disk. */
const inspectsWithinMs = 15_000;
/** A piece of a log over a slow line; what is read through for its digest comes from memory or a disk. */
const logWithinMs = 5000;
const digestWithinMs = 15_000;
/** The process of an experiment that ends is waited for first. */
const startsExperimentWithinMs = 6000;
/** A program is started there, or a connection tried. */
const linkWithinMs = 10_000;
/** A helper program is asked what it may do there. */
const checksHelperWithinMs = 15_000;
/** How often a renewal without an answer is repeated: after a short break, little of the lease is left. */
const lookAtLeaseMs = 250;

/** From this length on, a standstill of this process may be why it did not hear an agent. */
const ownStandstillNs = 1e9;

/** Of a question for the time, µs: asked and answered by the console's monotonic clock, heard and replied by the agent's. */
export interface ClockAnswer {
  askedUs: number;
  heardUs: number;
  repliedUs: number;
  answeredUs: number;
}

export interface RemoteAgentOptions {
  bus: Bus;
  clock: Clock;
  agent: { id: string; name: string };
  /** This console, as other consoles read it. */
  holder: string;
  /** Of this console's process, by which the agent knows it. */
  leaseKey: string;
  /** Of Whiteline, as it runs here. */
  version: string;
  transport: TransportName;
  openChannel: OpenChannel;
  /** Once a second. */
  onPresence(presence: AgentPresence): void;
  /** The agent or the lease is gone against our will, and all hosts with it. `words`: why, as they follow "the process". */
  onLost(words: string): void;
}

interface Lease {
  fence: number;
  leaseMs: number;
  wallOffsetUs: number;
  /** Of the agent's process that gave it. */
  session: string;
}

/** An agent that this console has the lease of: it starts stream hosts there as an application does here. */
export class RemoteAgent implements Pick<HostApplication, 'spawnStreamHost'> {
  private readonly hosts = new Set<RemoteHost | RemoteExperiment | RemoteLinkServer>();
  readonly helper: RemoteHelpers;
  private readonly stops: (() => void)[];
  /** The last moment at which the lease may still be in force, by this machine's clock. */
  private heldUntilNs: number;
  /** When the last renewal that was answered was asked for. */
  private renewedNs: number;
  private whyOver: string | null = null;
  /** When the lease was looked at last. */
  private lookedNs: number;
  /** When it answered anything last, by this machine's clock. What it says by itself shows one direction of the line alone. */
  private answeredNs: number;
  /** The same, where it was given up since it was not reachable; null: it was not. */
  unreachableSinceNs: number | null = null;
  /** When the newest sample of its load that was taken was made, by its own clock: it need not say that one again. */
  sampledNs: number | null = null;

  /**
   * Takes the lease of an agent.
   * @throws WhitelineError LEASE_HELD if another console has it, BAD_INPUT where agent and console are of versions that do not
   * understand each other, and those of the bus
   */
  static async lease(options: RemoteAgentOptions): Promise<RemoteAgent> {
    const { bus, agent, version, holder, leaseKey: key } = options;
    const hello = await askAgent(bus, agent, { name: 'hello', protocol: fleetProtocol, version });
    if (hello.protocol !== fleetProtocol)
      throw new WhitelineError({
        code: 'BAD_INPUT',
        message: `The agent on ${agent.name} speaks version ${hello.protocol} of the fleet’s protocol, and this console version ${fleetProtocol}`,
        ...{ field: 'agent', value: agent.name },
        remedy:
          otherVersion({ name: agent.name, version: hello.version }, version) ??
          'Install the same build of Whiteline on both machines',
      });
    const given = await askAgent(bus, agent, { name: 'lease.acquire', holder, key });
    return new RemoteAgent(options, { ...given, session: hello.session });
  }

  private constructor(
    private readonly options: RemoteAgentOptions,
    private readonly given: Lease,
  ) {
    const { bus, clock, agent } = options;
    this.renewedNs = clock.monotonicNs();
    this.lookedNs = this.renewedNs;
    this.answeredNs = this.renewedNs;
    this.heldUntilNs = this.untilNs();
    this.helper = new RemoteHelpers({
      ...{ clock, machine: agent.name },
      check: async (kind) => {
        this.requireLease();
        const asked = { name: 'helper.check', ...this.lease, kind } as const;
        return (await askAgent(bus, agent, asked, checksHelperWithinMs)).missing;
      },
      start: async (kind) => {
        this.requireLease();
        return (await this.ask({ name: 'helper.start', ...this.lease, kind })).helperId;
      },
      end: (helperId) => this.ask({ name: 'helper.end', ...this.lease, helperId }),
      open: (helperId) =>
        options.openChannel(
          toHostSubject(agent.id, helperId, options.leaseKey),
          fromHostSubject(agent.id, helperId),
        ),
    });
    this.stops = [
      clock.every(lookAtLeaseMs, () => this.lookAtLease()),
      bus.subscribe(presenceSubject(agent.id), (value) => this.hear(value)),
      bus.onState((state) => {
        if (state === 'closed') this.lose('was given up: the bus is closed');
      }),
    ];
  }

  get id(): string {
    return this.options.agent.id;
  }

  get name(): string {
    return this.options.agent.name;
  }

  /** From its monotonic clock to the release clock of its stream hosts, µs. */
  get wallOffsetUs(): number {
    return this.given.wallOffsetUs;
  }

  /** Why it is of no use any more; null: it is. */
  get lost(): string | null {
    return this.whyOver;
  }

  /** @throws WhitelineError BAD_INPUT for a network namespace, which is one of this machine */
  spawnStreamHost(role: HostRole, { number = 1, networkNamespace }: SpawnOptions = {}): RemoteHost {
    if (networkNamespace !== undefined)
      throw badInput(
        'networkNamespace',
        'no network namespace for another machine',
        networkNamespace,
        'Leave it out',
      );
    const { clock, transport, openChannel, leaseKey } = this.options;
    const { lease } = this;
    const host = new RemoteHost({
      ...{ clock, transport },
      start: async () => {
        this.requireLease();
        const asked = { name: 'host.start', ...lease, role, number, transport: { name: transport } } as const;
        return (await this.ask(asked)).hostId;
      },
      end: (hostId) => this.ask({ name: 'host.end', ...lease, hostId }),
      open: (hostId) =>
        openChannel(toHostSubject(this.id, hostId, leaseKey), fromHostSubject(this.id, hostId)),
      preview: (hostId, wish) => {
        const { bus, agent } = this.options;
        return askPreview(bus, agent, { name: 'preview', ...lease, hostId, ...wish });
      },
      onExit: (gone) => this.hosts.delete(gone),
    });
    this.hosts.add(host);
    return host;
  }

  startExperiment(experiment: string, parameters: Record<string, unknown>): RemoteExperiment {
    const { bus, agent, clock, openChannel, leaseKey } = this.options;
    const { lease } = this;
    const started = new RemoteExperiment({
      clock,
      start: async () => {
        this.requireLease();
        const asked = { name: 'experiment.start', ...lease, experiment, parameters } as const;
        return (await askAgent(bus, agent, asked, startsExperimentWithinMs)).runId;
      },
      end: (runId) => this.ask({ name: 'experiment.end', ...lease, runId }),
      open: (runId) => openChannel(toHostSubject(this.id, runId, leaseKey), fromHostSubject(this.id, runId)),
      onExit: (gone) => this.hosts.delete(gone),
    });
    this.hosts.add(started);
    return started;
  }

  /** @throws WhitelineError for a movie that the agent does not have, or cannot play */
  chooseSource(settings: SourceSettings): Promise<MovieChoice> {
    this.requireLease();
    return askAgent(
      this.options.bus,
      this.options.agent,
      { name: 'source.choose', ...this.lease, settings },
      inspectsWithinMs,
    );
  }

  /** Its machine at one end of a link. All of it @throws WhitelineError of bus and agent. */
  readonly link: Omit<LinkEnd, 'addresses'> = {
    iperfVersion: async () => (await this.askLink({ name: 'link.version', ...this.lease })).version,
    reaches: async (address, port) =>
      (await this.askLink({ name: 'link.reach', ...this.lease, address, port })).isReached,
    serve: async (address) => {
      const { port } = await this.askLink({ name: 'link.serve', ...this.lease, address });
      const server = new RemoteLinkServer({
        port,
        ended: async () => (await this.askLink({ name: 'link.ended', ...this.lease })).ended,
        stop: () => this.askLink({ name: 'link.stop', ...this.lease }),
        onStopped: (stopped) => this.hosts.delete(stopped),
      });
      this.hosts.add(server);
      return server;
    },
  };

  /** The agent's machine as it was when the agent started. @throws WhitelineError of the bus, or for a malformed answer */
  environment(): Promise<HostEnvironment> {
    return this.ask({ name: 'environment' });
  }

  /** Those that receivers of this lease wrote. */
  readonly logs: MachineLogs = {
    list: async () => (await this.askLog({ name: 'log.list', ...this.lease })).logs,
    read: async (logId, from) => (await this.askLog({ name: 'log.read', ...this.lease, logId, from })).bytes,
    digest: (logId) => this.askLog({ name: 'log.digest', ...this.lease, logId }, digestWithinMs),
  };

  /** Asks it four times a second for its time. Returns what ends that; it ends with the lease too. */
  askTime(listener: (answer: ClockAnswer) => void): () => void {
    let isAsking = false;
    const ask = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      try {
        const askedUs = this.nowUs();
        const { heardUs, repliedUs } = await this.ask({ name: 'time' });
        listener({ askedUs, heardUs, repliedUs, answeredUs: this.nowUs() });
      } catch (error) {
        // The next question may be answered; that the agent is gone is found by its lease.
        if (!(error instanceof WhitelineError)) throw error;
      } finally {
        isAsking = false;
      }
    };
    const stop = this.options.clock.every(askTimeMs, () => void ask());
    this.stops.push(stop);
    return stop;
  }

  /** Gives the machine back: its hosts end, which the agent sees to. */
  async release(): Promise<void> {
    if (this.whyOver !== null) return;
    const { lease } = this;
    this.end('was ended: this console gave the machine back');
    // Where that does not reach the agent, the lease ends by itself.
    await this.ask({ name: 'lease.release', ...lease }).catch(() => undefined);
  }

  private get lease(): { fence: number; key: string } {
    return { fence: this.given.fence, key: this.options.leaseKey };
  }

  private async ask<Name extends NameIn<AgentCommands>>(
    command: CommandOf<AgentCommands, Name> & { name: Name },
  ): Promise<ResultOf<AgentCommands, Name>> {
    const answer = await askAgent(this.options.bus, this.options.agent, command);
    this.answeredNs = this.options.clock.monotonicNs();
    return answer;
  }

  private async askLog<Name extends 'log.list' | 'log.read' | 'log.digest'>(
    command: CommandOf<AgentCommands, Name> & { name: Name },
    withinMs = logWithinMs,
  ): Promise<ResultOf<AgentCommands, Name>> {
    this.requireLease();
    const answer = await askAgent(this.options.bus, this.options.agent, command, withinMs);
    return answer;
  }

  private async askLink<Name extends NameIn<AgentCommands>>(
    command: CommandOf<AgentCommands, Name> & { name: Name },
  ): Promise<ResultOf<AgentCommands, Name>> {
    this.requireLease();
    return askAgent(this.options.bus, this.options.agent, command, linkWithinMs);
  }

  private lookAtLease(): void {
    const nowNs = this.options.clock.monotonicNs();
    const lateNs = nowNs - this.lookedNs - lookAtLeaseMs * 1e6;
    this.lookedNs = nowNs;
    if (nowNs > this.heldUntilNs) {
      this.unreachableSinceNs = this.answeredNs;
      this.lose(`was given up: ${this.whyNotHeld(lateNs)}`);
    } else if (nowNs - this.renewedNs >= renewEveryMs * 1e6) void this.renew(nowNs);
  }

  private whyNotHeld(lateNs: number): string {
    if (lateNs < ownStandstillNs) return `${this.name} was not reachable for ${this.given.leaseMs / 1000} s`;
    return `the console’s own process stood still for ${(lateNs / 1e9).toFixed(1)} s, and lost ${this.name} by that`;
  }

  private async renew(askedNs: number): Promise<void> {
    try {
      await this.ask({ name: 'lease.renew', ...this.lease, sampledNs: this.sampledNs });
      this.renewedNs = Math.max(this.renewedNs, askedNs);
      this.heldUntilNs = this.untilNs();
    } catch (error) {
      const { code, message } = toProblem(error);
      if (code === 'LEASE_ENDED') this.lose(`was given up: ${message}`);
    }
  }

  /** The agent counts from when it heard the renewal, which was before its answer came. */
  private untilNs(): number {
    return this.options.clock.monotonicNs() + this.given.leaseMs * 1e6;
  }

  private hear(value: unknown): void {
    const presence = presenceOf(value);
    if (!presence) return;
    if (presence.session !== this.given.session)
      this.lose(`was given up: the agent on ${this.name} was started again, or runs twice`);
    else if (presence.leaving) this.lose(`was given up: the agent on ${this.name} was ended`);
    else this.options.onPresence(presence);
  }

  private requireLease(): void {
    if (this.whyOver !== null)
      throw new WhitelineError({
        code: 'LEASE_ENDED',
        message: `This console no longer has ${this.name}: its last process ${this.whyOver}`,
        remedy: 'Choose the machine again',
      });
  }

  private lose(words: string): void {
    if (this.whyOver !== null) return;
    this.end(words);
    this.options.onLost(words);
  }

  private end(words: string): void {
    this.whyOver = words;
    for (const stop of this.stops) stop();
    for (const host of [...this.hosts]) host.lose(words);
    this.helper.lose(words);
  }

  private nowUs(): number {
    return this.options.clock.monotonicNs() / 1000;
  }
}
