import {
  type Addon,
  type ContentAddon,
  loadAddon,
  loadContentAddon,
  type Receiver,
  type Sender,
  type Source,
  type StandstillWatch,
} from '../../native/addon/index';
import type { Clock } from '../protocol/clock';
import { type Problem, WhitelineError } from '../protocol/errors';
import type {
  HostCommand,
  HostProgress,
  HostReady,
  HostReplyValue,
  HostRequest,
  LogGap,
  RecordsMessage,
} from '../protocol/host';
import type { DiscoveredSource, Fault } from '../protocol/records';
import { sharedEndXml } from '../protocol/shared-end';
import type { SharedLoad } from '../protocol/shared-records';
import type { TrafficLook } from '../protocol/socket-traffic';
import { noStandstill, type Standstill } from '../protocol/standstill';
import { type TransportName, transportFacts } from '../protocol/transports';
import { clockSkewOf } from './clock-skew';
import { checkMovie, writeContent } from './content';
import { Finders } from './finders';
import { Jobs } from './jobs';
import { loadTransport } from './load-transport';
import { networkInterface } from './network-interface';
import { problemOf, senderProblemOf, sourceProblemOf } from './problem';
import { measureWakeUps, scoreProcessor } from './processor';
import { compareQuality, keepPictures } from './quality';
import { ReceiverSlot } from './receiver-slot';
import { bootId, RecordSharing } from './record-sharing';
import { SenderSlot } from './sender-slot';
import { type TextureSource, textureSourceOf } from './textures';
import { threadPolicyOf } from './thread-policy';

type OpenSender = Extract<HostCommand, { name: 'openSender' }>;
type Start = Extract<HostCommand, { name: 'start' }>;

interface OpenedSource {
  source: Source;
  /** Null until it plays. */
  texture: TextureSource | null;
  framesPerSecond: number;
}

const sourceStartMs = 12_000;
/** The host looks at its sockets twice a second: of the beats that come four times, at every second one. */
const trafficIntervalNs = 0.4e9;
function notReady(): HostReady {
  return { processId: process.pid, addonProblem: null, transport: null, transportProblem: null };
}

const notStartedProblem: Problem = { code: 'INTERNAL', message: 'The stream process was not started' };

/**
 * Owns the native pipelines of one process. It carries out commands and drains records; it never touches a frame.
 * Order of destruction: receivers and senders, then sources, then the finder; the native core keeps the transport until last.
 */
export class Host {
  private readonly sources = new Map<number, OpenedSource>();
  private readonly senders = new Map<number, SenderSlot>();
  private readonly slots = new Map<number, ReceiverSlot>();
  private addon: Addon | null = null;
  private contentAddon: ContentAddon | null = null;
  private finders: Finders | null = null;
  private standstills: StandstillWatch | null = null;
  private wallOffsetUs = 0;
  private searchHosts: string[] = [];
  /** Empty if this process's clock is not its machine's. */
  private boot = bootId();
  private load: SharedLoad | null = null;
  /** Messages for each receiver that connects to a sender. */
  private environment: string[] = [];
  private ready: HostReady = notReady();
  private traffic: TrafficLook | null = null;
  /** Of receivers that are closed; not told yet. */
  private readonly closedLogGaps: LogGap[] = [];
  private readonly standstillSums = { ...noStandstill };
  private readonly jobs: Jobs;

  constructor(
    report: (progress: HostProgress) => void,
    private readonly clock: Pick<Clock, 'sleep' | 'after'>,
  ) {
    this.jobs = new Jobs(report, clock);
  }

  receivers(): ReadonlyMap<number, ReceiverSlot> {
    return this.slots;
  }

  /** What a stream's sender plays; null when there is no such sender. */
  textureSource(streamId: number): TextureSource | null {
    const sender = this.senders.get(streamId);
    return (sender && this.sources.get(sender.sourceId)?.texture) ?? null;
  }

  async execute({ requestId, command }: HostRequest): Promise<HostReplyValue> {
    switch (command.name) {
      case 'start':
        return this.start(command);
      case 'openSource':
        await this.openSource(requestId, command);
        return null;
      case 'closeSource':
        this.sources.get(command.sourceId)?.source.close();
        this.sources.delete(command.sourceId);
        return null;
      case 'openSender':
        return this.openSender(command);
      case 'closeSender':
        this.senders.get(command.streamId)?.sender.close();
        this.senders.delete(command.streamId);
        return null;
      case 'setFaults':
        this.setFaults(command.streamId, command.faults);
        return null;
      case 'sendLoad':
        this.load = command.load;
        return null;
      case 'sayEnd':
        this.sayEnd();
        return null;
      case 'openReceiver': {
        this.requireFinders();
        const { wallOffsetUs } = this;
        const options = { ...command, transport: this.requireTransport(), wallOffsetUs };
        this.slots.set(command.streamId, new ReceiverSlot(this.requireAddon(), options));
        return null;
      }
      case 'closeReceiver':
        await this.closeReceiver(command.streamId);
        return null;
      case 'discover':
        // Awaited here, as in `Archive.execute`: an older Electron ends a process for a rejection that nothing awaits yet.
        return await this.discover(command.seconds);
      case 'searchHost':
        this.requireFinders().add(command.host);
        return null;
      case 'checkMovie':
        return await checkMovie(this.jobs, requestId, this.requireAddon(), command);
      case 'writeContent':
        return writeContent(this.jobs, requestId, this.requireContentAddon(), command.options);
      case 'networkInterface':
        return networkInterface(this.requireAddon(), command.interfaceName);
      case 'threadPolicy':
        return this.requireAddon().threadPolicy();
      case 'sendEnvironment':
        this.environment = command.messages;
        return null;
      case 'keepPictures':
        return keepPictures(this.endOf(command.streamId), command);
      case 'keptPictures':
        return this.endOf(command.streamId)?.keptPictures() ?? null;
      case 'compareQuality':
        return compareQuality(this.jobs, requestId, this.requireContentAddon(), command.options);
      case 'measureWakeUps':
        return measureWakeUps(this.jobs, requestId, this.requireAddon(), command.options);
      case 'scoreProcessor':
        return scoreProcessor(this.jobs, requestId, this.requireAddon());
      case 'cancel':
        this.jobs.cancel(command.requestId);
        return null;
      case 'flush':
        return null;
      case 'time': {
        const heardNs = this.requireAddon().monotonicNs();
        return { heardNs, repliedNs: heardNs };
      }
    }
  }

  private async discover(seconds: number): Promise<DiscoveredSource[]> {
    const finders = this.requireFinders();
    await this.clock.sleep(seconds * 1000);
    return finders.sources();
  }

  /** Everything that was recorded since the last call. */
  drain(): RecordsMessage {
    const atNs = this.addon?.monotonicNs() ?? 0;
    const listed = this.slots.size > 0 ? (this.finders?.sources() ?? []) : [];
    for (const slot of this.slots.values()) slot.look(listed);
    const processIds = [process.pid];
    const sources = [...this.sources].map(([sourceId, { source }]) => {
      const status = source.status();
      if (status.commandProcessId > 0) processIds.push(status.commandProcessId);
      return { sourceId, status, records: source.drain() };
    });
    // Before the senders tell theirs to watchers, with what they cost.
    const standstills = this.takeStandstills();
    const { load, environment } = this;
    const senders = [...this.senders.values()].map((slot) => {
      const source = sources.find(({ sourceId }) => sourceId === slot.sourceId);
      return slot.report(source, { load, environment, standstills: this.standstillSums }, atNs);
    });
    const receivers = [...this.slots.values()].map((slot) => slot.report());
    const logGaps = this.takeLogGaps();
    const traffic = this.lookAtTraffic(atNs);
    return {
      ...{ type: 'records', atNs, processIds, traffic, standstills, sources, senders, receivers },
      ...(logGaps.length > 0 && { logGaps }),
    };
  }

  private takeLogGaps(): LogGap[] {
    const open = [...this.slots.values()].flatMap((slot) => slot.takeLogGap() ?? []);
    return [...this.closedLogGaps.splice(0), ...open];
  }

  private async closeReceiver(streamId: number): Promise<void> {
    const slot = this.slots.get(streamId);
    this.slots.delete(streamId);
    const gap = await slot?.closeWithLog(this.clock);
    if (gap) this.closedLogGaps.push(gap);
  }

  private takeStandstills(): Standstill[] {
    const found = this.standstills?.drain() ?? [];
    for (const { kind, fromNs, toNs } of found) this.standstillSums[`${kind}Ms`] += (toNs - fromNs) / 1e6;
    return found;
  }

  private lookAtTraffic(atNs: number): TrafficLook | null {
    const { transport } = this.ready;
    // Streams that use no socket are not known to carry nothing.
    if (transport && transportFacts[transport.name].isWithinProcess) return null;
    if (this.addon && (!this.traffic || atNs - this.traffic.atNs >= trafficIntervalNs))
      this.traffic = { atNs, sockets: this.addon.socketTraffic() };
    return this.traffic;
  }

  close(): void {
    this.jobs.close();
    for (const slot of this.slots.values()) slot.close();
    for (const { sender } of this.senders.values()) sender.close();
    for (const { source } of this.sources.values()) source.close();
    this.finders?.close();
    this.standstills?.close();
  }

  /** The addon is of use without a transport: it checks movies and makes clips. */
  private start({ transport, configuration, wallOffsetUs, searchHosts = [] }: Start): HostReady {
    this.searchHosts = searchHosts;
    this.wallOffsetUs = wallOffsetUs;
    this.ready = notReady();
    try {
      this.addon = loadAddon();
    } catch (error) {
      this.ready.addonProblem = problemOf(error);
      this.ready.transportProblem = this.ready.addonProblem;
      return this.ready;
    }
    this.addon.setThreadPolicy(threadPolicyOf(process.env));
    const skew = clockSkewOf(process.env);
    if (skew) {
      this.addon.skewClock(skew);
      this.boot = '';
    }
    this.standstills ??= new this.addon.StandstillWatch();
    try {
      this.ready.transport = loadTransport(this.addon, transport, configuration);
    } catch (error) {
      this.ready.transportProblem = problemOf(error);
    }
    return this.ready;
  }

  private async openSource(
    requestId: number,
    { sourceId, codeSourceId, options }: Extract<HostCommand, { name: 'openSource' }>,
  ): Promise<void> {
    const addon = this.requireAddon();
    const { wallOffsetUs } = this;
    const source = new addon.Source({ ...options, sourceId: codeSourceId, wallOffsetUs });
    const framesPerSecond = options.rateNumerator / options.rateDenominator;
    const opened: OpenedSource = { source, texture: null, framesPerSecond };
    this.sources.set(sourceId, opened);
    // Reading a large movie into memory takes what it takes; the caller can cancel it.
    const limitMs = options.hap?.preload ? Number.POSITIVE_INFINITY : sourceStartMs;
    const limitNs = addon.monotonicNs() + limitMs * 1e6;
    const start = { status: () => source.status(), close: () => undefined };
    const { state, message } = await this.jobs.run(requestId, start, {
      isOver: (status) => status.state !== 'starting' || addon.monotonicNs() > limitNs,
      progressOf: () => ({ framesDone: 0, frames: 0 }),
    });
    if (state === 'running') {
      opened.texture = textureSourceOf(addon, options, source);
      return;
    }
    const isCancelled = state === 'starting' && addon.monotonicNs() <= limitNs;
    this.sources.delete(sourceId);
    source.close();
    throw sourceProblemOf(options, message, isCancelled);
  }

  private openSender(command: OpenSender): string {
    this.requireTransport();
    const source = this.sources.get(command.sourceId);
    if (!source) throw new Error(`openSender names source ${command.sourceId}, which is not open`);
    const sender = this.newSender(source, command);
    const sharing = command.shareRecords
      ? new RecordSharing(command.streamId, this.wallOffsetUs, this.boot)
      : null;
    const slot = new SenderSlot(command.streamId, command.sourceId, sender, sharing);
    this.senders.set(command.streamId, slot);
    return sender.status().sourceName;
  }

  private newSender({ source, framesPerSecond }: OpenedSource, command: OpenSender): Sender {
    const { Sender: NativeSender } = this.requireAddon();
    const { senderName: name, streamId: senderId, shareRecords: answerTime } = command;
    // A picture that stands for longer has no burst once a second.
    const audio = command.audio && framesPerSecond >= 1;
    try {
      return new NativeSender({
        ...{ transport: this.requireTransport(), source, name, senderId },
        ...{ audio, answerTime },
      });
    } catch (error) {
      throw senderProblemOf(error, name);
    }
  }

  private sayEnd(): void {
    const nowNs = this.requireAddon().monotonicNs();
    for (const { sender, sourceId } of this.senders.values()) {
      const opened = this.sources.get(sourceId);
      const { startNs = 0, sourceId: codeSourceId = 0 } = opened?.source.status() ?? {};
      // One that has not begun has nothing that is due.
      if (!opened || startNs === 0) continue;
      const next = Math.max(0, Math.ceil(((nowNs - startNs) * opened.framesPerSecond) / 1e9));
      sender.sendMetadata(sharedEndXml({ sourceId: codeSourceId, before: next % 2 ** 32 }));
    }
  }

  /** Each host has one end of the stream: a stall is the receiver's, all others are the sender's. */
  private setFaults(streamId: number, faults: Fault[]): void {
    const isStall = ({ verb }: Fault): boolean => verb === 'stall';
    this.senders.get(streamId)?.setFaults(faults.filter((fault) => !isStall(fault)));
    this.slots.get(streamId)?.setStalls(faults.filter(isStall));
  }

  /** Each host has one end of the stream. */
  private endOf(streamId: number): Sender | Receiver | null {
    return this.senders.get(streamId)?.sender ?? this.slots.get(streamId)?.receiver ?? null;
  }

  private requireAddon(): Addon {
    if (!this.addon) throw new WhitelineError(this.ready.addonProblem ?? notStartedProblem);
    return this.addon;
  }

  /** Loaded when a clip is first made or compared. */
  private requireContentAddon(): ContentAddon {
    this.requireAddon();
    if (!this.contentAddon) {
      this.contentAddon = loadContentAddon();
      // The process has its memory locked already, where it is to be.
      this.contentAddon.setThreadPolicy({ ...threadPolicyOf(process.env), lockedMemory: false });
    }
    return this.contentAddon;
  }

  private requireTransport(): TransportName {
    const { transport, transportProblem } = this.ready;
    if (!transport) throw new WhitelineError(transportProblem ?? notStartedProblem);
    return transport.name;
  }

  /** Discovery starts with the first search: it costs threads, and a sending host needs none. */
  private requireFinders(): Finders {
    const transport = this.requireTransport();
    this.finders ??= new Finders(this.requireAddon(), transport, ['127.0.0.1', ...this.searchHosts]);
    return this.finders;
  }
}
