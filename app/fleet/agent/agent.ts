import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sampleMachine } from '../../engine/load/sample-machine';
import { OwnLinkEnd } from '../../engine/machines/own-link-end';
import { type RunTool, runTool, toolProcessIds } from '../../engine/tools/run-tool';
import { WallClock } from '../../engine/wall-clock';
import { afterRecordsMs, onBeat } from '../../protocol/beat';
import { WhitelineError } from '../../protocol/errors';
import { fileName } from '../../protocol/file-name';
import { type AgentCommands, agentCommands, fleetProtocol } from '../../protocol/fleet/agent-commands';
import {
  type AgentLoad,
  type AgentPresence,
  agentLoadOf,
  mostSamples,
  presenceMs,
} from '../../protocol/fleet/presence';
import {
  type PreviewWish,
  previewCommands,
  type RemotePreview,
  remotePreviewLimits,
} from '../../protocol/fleet/remote-preview';
import { askSubject, presenceSubject, previewSubject } from '../../protocol/fleet/subjects';
import { carryOut, type Handlers, nameOf } from '../../rpc/serve-commands';
import type { BusState } from '../bus/bus';
import { leaseNs } from '../bus/lease';
import { AgentExperiments, noExperiments } from './agent-experiments';
import { AgentHelpers } from './agent-helpers';
import type { AgentHost } from './agent-host';
import { AgentHosts } from './agent-hosts';
import { AgentLink, linkHandlers } from './agent-link';
import type { AgentOptions } from './agent-options';
import { LeaseLogs } from './lease-logs';
import { defaultLogBytes, limitsText } from './limits';
import { MovieSearches } from './movie-search';
import type { Place } from './place';

/** What a console asks for sooner it does not get; one that keeps to the limit is not refused because of a question that came late. */
const betweenPreviewsNs = 0.8e9 / remotePreviewLimits.perSecondInAll;

/** By what a command says that it comes from the console with the lease. */
interface GivenLease {
  fence: number;
  key: string;
}

/** The console that commands this agent. */
interface Held extends GivenLease {
  holder: string;
  beganNs: number;
  /** All hosts of one lease give wall times by the same offset. */
  wallOffsetUs: number;
  logs: LeaseLogs;
  /** Of the newest sample of the load that it has. */
  sampledNs: number;
  /** Ends the look four times a second whether the lease is over. */
  stopLooking(): void;
}

/** Programs of others that work for a console, such as iperf3. */
function toolRole(): { tools?: number[] } {
  const tools = toolProcessIds();
  return tools.length > 0 ? { tools } : {};
}

/** Does on this machine what a console on another one asks: it starts stream hosts, and carries their messages. */
export class Agent {
  private readonly session = randomBytes(8).toString('hex');
  private readonly wall: WallClock;
  private readonly hosts: AgentHosts;
  private readonly stops: (() => void)[];
  private readonly movies: MovieSearches;
  /** Hosts of leases that have ended are gone, and so are their logs. */
  private hostsEnded: Promise<unknown> = Promise.resolve();
  private readonly experiments: AgentExperiments;
  private readonly link: AgentLink;
  private readonly helpers: AgentHelpers;
  private held: Held | null = null;
  private load: AgentLoad | null = null;
  /** Of the newest seconds, oldest first. */
  private samples: AgentLoad[] = [];
  private heardNs = 0;
  /** When it gave a preview last. */
  private previewNs = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  /** When it said last what it is, over a bus that was connected; null: it has not yet. */
  private saidNs: number | null = null;
  private isWaitingForPlace = false;
  private readonly handlers: Handlers<AgentCommands> = {
    hello: () => ({ protocol: fleetProtocol, version: this.options.version, session: this.session }),
    'lease.acquire': ({ holder, key }) => this.acquire(holder, key),
    'lease.renew': (given) => this.renew(given),
    'lease.release': (given) => this.release(given),
    'host.start': ({ role, number, transport, ...given }) => ({
      hostId: this.hosts.start(this.heldBy(given), { role, number }, transport.name),
    }),
    'host.end': ({ hostId, ...given }) => this.endHost(given, hostId),
    'experiment.start': async ({ experiment, parameters, ...given }) => ({
      runId: await this.experiments.start(() => this.heldBy(given), experiment, parameters),
    }),
    'experiment.end': ({ runId, ...given }) => this.experiments.end(this.heldBy(given), runId),
    ...linkHandlers(
      () => this.link,
      (given) => this.heldBy(given),
    ),
    'helper.check': ({ kind, ...given }) => {
      this.heldBy(given);
      return this.helpers.check(kind);
    },
    'helper.start': ({ kind, ...given }) => ({ helperId: this.helpers.start(this.heldBy(given), kind) }),
    'helper.end': ({ helperId, ...given }) => this.helpers.end(this.heldBy(given), helperId),
    'source.choose': ({ settings, ...given }) => {
      this.heldBy(given);
      return this.options.media.describe(settings);
    },
    'movies.list': ({ key }) => {
      this.refuseOthers(key);
      return this.movies.list();
    },
    'movies.inspect': ({ key, settings }) => {
      this.refuseOthers(key);
      return this.options.media.look(settings);
    },
    'log.list': (given) => ({ logs: this.heldBy(given).logs.list() }),
    'log.read': async ({ logId, from, ...given }) => ({
      bytes: await this.heldBy(given).logs.read(logId, from),
    }),
    'log.digest': ({ logId, ...given }) => this.heldBy(given).logs.digest(logId),
    environment: () => this.options.environment,
    time: () => ({ heardUs: this.heardNs / 1000, repliedUs: this.options.clock.monotonicNs() / 1000 }),
  };

  private readonly previewHandlers: Handlers<typeof previewCommands> = {
    preview: ({ fence, key, hostId, ...wish }) => this.preview(this.hostOf({ fence, key }, hostId), wish),
  };

  constructor(private readonly options: AgentOptions) {
    const { bus, clock, agent, sampleLoad = sampleMachine } = options;
    this.wall = new WallClock(clock);
    this.hosts = new AgentHosts({
      ...options,
      ...{ agentId: agent.id, keepsLogs: options.logs !== undefined },
    });
    this.movies = new MovieSearches(options.media.folders, clock);
    this.experiments = new AgentExperiments({
      ...{ agentId: agent.id, clock, openChannel: options.openChannel },
      ...(options.experiments ?? noExperiments),
    });
    const run: RunTool = (call) => runTool({ ...call, lifeClock: clock });
    this.link = new AgentLink(options.linkEnd ?? ((signal) => new OwnLinkEnd(run, clock, signal)));
    this.helpers = new AgentHelpers({
      ...{ agentId: agent.id, clock, openChannel: options.openChannel },
      ...(options.helpers ?? { kinds: new Map() }),
    });
    const sampler = sampleLoad({
      wall: this.wall,
      processIds: () => ({
        ...this.helpers.processIds,
        sending: this.hosts.processIds('sending'),
        receiving: this.hosts.processIds('receiving'),
        ...toolRole(),
        console: [process.pid, ...this.experiments.processIds],
      }),
      traffic: () => ({
        sending: this.hosts.traffic('sending'),
        receiving: this.hosts.traffic('receiving'),
      }),
      openStreams: () => this.hosts.streams,
      lostPerSecond: () => ({ reason: 'the console counts the frames of streams' }),
      latency: () => null,
      onSample: (sample) => {
        this.load = agentLoadOf(sample);
        if (this.load) this.samples = [...this.samples, this.load].slice(-mostSamples);
      },
    });
    this.stops = [
      bus.serve(askSubject(agent.id), (value) => this.answer(value)),
      bus.serve(previewSubject(agent.id), (value) => this.answerPreview(value)),
      bus.onState((state) => {
        if (state === 'closed') this.noteClosed();
      }),
      clock.every(presenceMs, () => this.publish()),
      () => sampler.close(),
    ];
    this.publish();
  }

  /** Ends what it started, and says that it leaves. Resolves when all processes are gone. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.endLease('the agent was ended');
    for (const stop of this.stops) stop();
    if (this.options.bus.state !== 'closed') this.publish();
    await this.hostsEnded;
    await Promise.all([this.experiments.gone, this.helpers.gone, this.link.stop()]);
    // The console has given all of them up since it heard that this agent leaves, and asks for nothing more.
    this.hosts.forget();
  }

  /** What it is at this moment. */
  get now(): { presence: AgentPresence; saidNs: number | null; bus: BusState } {
    return { presence: this.presence(), saidNs: this.saidNs, bus: this.options.bus.state };
  }

  private async answer(value: unknown): Promise<unknown> {
    this.heardNs = this.options.clock.monotonicNs();
    // Another process may have taken the place: what is asked waits until that is known.
    if (this.options.place?.isTaken === false) await this.options.place.taken();
    return carryOut(agentCommands, this.handlers, nameOf(agentCommands, 'an agent', value), value);
  }

  private async answerPreview(value: unknown): Promise<unknown> {
    const name = nameOf(previewCommands, 'an agent', value);
    return carryOut(previewCommands, this.previewHandlers, name, value);
  }

  /** Records go first: while some wait for the bus, it carries no picture. */
  private preview(host: AgentHost, wish: PreviewWish): RemotePreview {
    if (this.hosts.all.some(({ isBehind }) => isBehind)) return { kind: 'behind' };
    const nowNs = this.options.clock.monotonicNs();
    if (nowNs - this.previewNs < betweenPreviewsNs) return { kind: 'none' };
    const preview = host.preview(wish);
    if (preview.kind === 'picture') this.previewNs = nowNs;
    return preview;
  }

  private acquire(holder: string, key: string): { fence: number; leaseMs: number; wallOffsetUs: number } {
    const { lease, clock, agent, onNote } = this.options;
    const given = lease.acquire(key, clock.monotonicNs());
    if ('heldBy' in given)
      throw new WhitelineError({
        code: 'LEASE_HELD',
        message: `${agent.name} works for ${this.held?.holder ?? 'another console'}, for at least another ${(given.forNs / 1e9).toFixed(1)} s`,
        remedy: 'Close its streams there, or choose another machine',
      });
    this.endLease('the console took the machine again');
    const { fence } = given;
    const beganNs = clock.monotonicNs();
    const wallOffsetUs = this.wall.offsetUs;
    const logs = this.newLogs(fence, holder);
    this.held = {
      ...{ fence, key, holder, beganNs, wallOffsetUs, logs },
      sampledNs: Number.NEGATIVE_INFINITY,
      // At the beats of the sampler, so that this process wakes up once for both.
      stopLooking: onBeat(clock, () => this.lookAtLease(), { afterMs: afterRecordsMs }),
    };
    onNote(`Works for ${holder}`);
    return { fence, leaseMs: leaseNs / 1e6, wallOffsetUs };
  }

  private renew({ sampledNs, ...given }: GivenLease & { sampledNs: number | null }): null {
    const { lease, clock } = this.options;
    const held = this.heldBy(given);
    if (!lease.renew(held.fence, clock.monotonicNs())) throw this.leaseEnded();
    // A renewal that was late on the way knows of older ones.
    held.sampledNs = Math.max(held.sampledNs, sampledNs ?? held.sampledNs);
    return null;
  }

  private release(given: GivenLease): null {
    const { lease, clock } = this.options;
    const { fence } = this.heldBy(given);
    lease.release(fence, clock.monotonicNs());
    this.endLease('its console gave the machine back');
    return null;
  }

  private endHost(given: GivenLease, hostId: string): null {
    this.hostOf(given, hostId).end(null);
    return null;
  }

  /** @throws WhitelineError LEASE_ENDED, NOT_FOUND */
  private hostOf(given: GivenLease, hostId: string): AgentHost {
    const { fence } = this.heldBy(given);
    const host = this.hosts.get(hostId);
    if (host?.fence !== fence)
      throw new WhitelineError({
        code: 'NOT_FOUND',
        message: `${this.options.agent.name} has no stream host ${hostId} of this lease`,
        remedy: 'It may have ended already',
      });
    return host;
  }

  /** While a console measures here, no other one has the disks read. */
  private refuseOthers(key: string): void {
    this.lookAtLease();
    const { held } = this;
    if (held && held.key !== key)
      throw new WhitelineError({
        code: 'LEASE_HELD',
        message: `${this.options.agent.name} works for ${held.holder}, and shows its movies to no other console`,
        remedy: 'Close its streams there, or choose another machine',
      });
  }

  private newLogs(fence: number, holder: string): LeaseLogs {
    const { logs, clock, limits } = this.options;
    const moment = new Date(clock.wallMs()).toISOString().replace(/[:.]/g, '-');
    return new LeaseLogs({
      folder: logs === undefined ? null : join(logs, `${moment}-${fence}-${fileName(holder)}`),
      ...{ mostBytes: limits.logBytes ?? defaultLogBytes, streams: limits.streams },
      isRunning: (hostId) => this.hosts.get(hostId) !== undefined,
    });
  }

  /** @throws WhitelineError LEASE_ENDED if it is not the lease that counts now */
  private heldBy({ fence, key }: GivenLease): Held {
    const { lease, clock } = this.options;
    this.lookAtLease();
    const { held } = this;
    const isHeld = held?.fence === fence && held.key === key && lease.isCurrent(fence, clock.monotonicNs());
    if (!isHeld) throw this.leaseEnded();
    return held;
  }

  private leaseEnded(): WhitelineError {
    const { name } = this.options.agent;
    return new WhitelineError({
      code: 'LEASE_ENDED',
      message: `${name} works for ${this.held?.holder ?? 'no console'} now, and this lease is over`,
      remedy: 'Choose the machine again; what was measured is kept',
    });
  }

  private lookAtLease(): void {
    const { lease, clock, limits } = this.options;
    const { held } = this;
    if (!held) return;
    const nowNs = clock.monotonicNs();
    if (!lease.isCurrent(held.fence, nowNs)) {
      this.endLease(`its console was not heard for ${leaseNs / 1e9} s`);
    } else if (limits.minutes !== null && nowNs - held.beganNs > limits.minutes * 60e9) {
      lease.release(held.fence, nowNs);
      this.endLease(`its own user lets a console use it for ${limits.minutes} minutes`);
    }
  }

  private endLease(why: string): void {
    const { held } = this;
    this.held = null;
    held?.stopLooking();
    // Hosts of an earlier lease end already.
    const gone = this.hosts.end(`was ended by its agent: ${why}`).then(() => held?.logs.end());
    this.hostsEnded = Promise.all([this.hostsEnded, gone]);
    this.experiments.endAll(why);
    void this.link.stop();
    this.helpers.endAll();
    if (held) this.options.onNote(`No longer works for ${held.holder}, and ends what it started: ${why}`);
  }

  private noteClosed(): void {
    this.endLease('the bus is closed');
    this.options.onClosed();
  }

  private publish(): void {
    const { bus, agent, clock } = this.options;
    if (bus.state === 'closed') return;
    if (this.options.place?.isTaken === false) {
      this.publishOnceTaken(this.options.place);
      return;
    }
    bus.publish(presenceSubject(agent.id), this.presence());
    if (bus.state === 'connected') this.saidNs = clock.monotonicNs();
  }

  /** At once: a console that lost this agent looks for it for a short time. */
  private publishOnceTaken(place: Pick<Place, 'taken'>): void {
    if (this.isWaitingForPlace) return;
    this.isWaitingForPlace = true;
    const go = (): void => {
      this.isWaitingForPlace = false;
      this.publish();
    };
    // Where another process has the place, this one ends.
    place.taken().then(go, () => undefined);
  }

  private unconfirmed(): AgentLoad[] {
    const { held, load, samples } = this;
    return held ? samples.filter((sample) => sample !== load && sample.atNs > held.sampledNs) : [];
  }

  private presence(): AgentPresence {
    const { agent, version, bootId, network, machine, clock, limits } = this.options;
    return {
      ...{ protocol: fleetProtocol, version, bootId, network, machine, session: this.session },
      ...{ id: agent.id, name: agent.name, limits: limitsText(limits), load: this.load },
      ...{ uptimeSeconds: clock.uptimeSeconds(), addresses: this.options.addresses() },
      holder: this.held?.holder ?? null,
      samples: this.unconfirmed(),
      hosts: this.hosts.all.map(({ role, number }) => ({ role, number })),
      ...{ senders: this.hosts.senders, receivers: this.hosts.receivers },
      leaving: this.isClosed,
    };
  }
}
