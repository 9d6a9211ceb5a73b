import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Clock } from '../../protocol/clock';
import { toProblem } from '../../protocol/errors';
import { faultsText, moveFaults } from '../../protocol/faults';
import type { HostReady, RecordsMessage } from '../../protocol/host';
import type { LoadSample } from '../../protocol/load';
import type { DiscoveredSource, Fault } from '../../protocol/records';
import { parseSource, type SourceSettings } from '../../protocol/source-spec';
import { lowestFreeNumber, senderName } from '../../protocol/stream-names';
import type { TransportSettings } from '../../protocol/transports';
import type { NativeHost } from '../capabilities/native-host';
import type { HostApplication, HostRole, RemoteMachine } from '../host-application';
import type { ProcessStandstill, StandstillLog } from '../load/standstills';
import type { TrafficLooks } from '../load/traffic';
import { bootId } from '../machine/boot-id';
import type { MachineSide } from '../machines/machine-side';
import { CaptureLogs } from './capture-logs';
import type { DeadProcess } from './dead-process';
import { FaultsToCome } from './faults-to-come';
import { FollowedStreams } from './followed-streams';
import { OpenSources } from './open-sources';
import { PicturePairs } from './picture-pairs';
import { RemotePreviews } from './remote-previews';
import { ReportedWatchers } from './reported-watchers';
import { type ChosenSource, chooseSource } from './sources/source-choice';
import { type ActiveSource, Stream } from './stream';
import { StreamEnds, type StreamEndsOptions } from './stream-ends';
import { StreamEvents } from './stream-events';
import type { HostSettings, StreamHost } from './stream-host';
import { ignoreDeath, isDeath, type NoteEvent, type RestartOptions, StreamHosts } from './stream-hosts';
import { StreamPlaces } from './stream-places';

/** What a sender sends. */
export interface StreamSettings {
  /** Sound, beside the pictures. */
  audio: boolean;
  /** Its pictures; default: the first source. */
  source?: ActiveSource;
}

export interface StreamSetOptions extends StreamEndsOptions {
  /** Folder for the receivers' own logs of captured numbers; none by default. */
  captureLogFolder?: string;
  clock: Clock;
  application: HostApplication;
  transport: TransportSettings;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  wallOffsetUs: number;
  noteEvent: NoteEvent;
  standstills: Pick<StandstillLog, 'add' | 'near'>;
  /** Other machines on which its hosts run from now on. */
  onMachines?(machines: readonly RemoteMachine[]): void;
  /** A host died and was started again, or the set is otherwise not what it was. */
  onChange(): void;
}

/** Other consoles on this machine may have taken the first names. */
const maxNamesTried = 20;
/** Newest faults of a stream that are remembered, to distinguish what they cost from what was lost. */
const keptFaults = 5000;

/** What is opened in addition to what plays already, and where. */
export interface OpenSourceOptions {
  /** Stops the opening. */
  signal?: AbortSignal;
  /** Other sources stay open. */
  beside?: boolean;
  /**
   * The source and its only sender live in a sending host of their own. All processes of a machine share the port that a
   * finder asks for its sources, so that such a sender is reached at its address.
   */
  ownProcess?: boolean;
}

/** The streams of this machine: sources, their senders and receivers, and the processes in which they live. */
export class StreamSet {
  private readonly hosts: StreamHosts;
  private readonly opened: OpenSources;
  private readonly ends: StreamEnds;
  private readonly logs: CaptureLogs;
  private readonly faultsToCome = new FaultsToCome();
  readonly watchers: ReportedWatchers;
  private nextStreamId = 1;
  readonly streams: Stream[] = [];
  /** Ids of streams whose senders send sound. */
  private readonly withAudio = new Set<number>();
  private readonly streamEvents: StreamEvents;
  private readonly places: StreamPlaces;
  /** Streams of remote senders, received by the same process. */
  readonly followed: FollowedStreams;
  readonly previews: RemotePreviews;
  /** Waited for before a stream is closed. */
  beforeRemoval: ((stream: Stream) => Promise<void>) | null = null;
  /** Those of the options, and those that were asked since then. */
  private readonly searchHosts: string[];

  constructor(private readonly options: StreamSetOptions) {
    this.streamEvents = new StreamEvents(options.noteEvent);
    this.logs = new CaptureLogs(options);
    this.searchHosts = [...(options.searchHosts ?? [])];
    this.hosts = new StreamHosts({
      ...options,
      searchHosts: this.searchHosts,
      onRecords: (message) => this.ingest(message),
      onDeath: (host) => this.noteDeath(host),
      onLook: (nowNs) => {
        this.streamEvents.lookAtSilent(this.streams, nowNs);
        this.followed.lookAtSilent(nowNs);
      },
      isKept: (machine) => this.logs.remote.holds(machine),
      onChange: () => {
        this.tellMachines();
        options.onChange();
      },
      revive: (host) => (host.role === 'sending' ? this.replaceSenders(host) : this.reopenReceivers(host)),
    });
    this.opened = new OpenSources(this.hosts, options.noteEvent);
    this.places = new StreamPlaces(this.hosts, this.opened, options);
    this.ends = new StreamEnds(this.hosts, this.opened, options, this.logs);
    this.watchers = new ReportedWatchers(this.hosts);
    this.followed = new FollowedStreams(this.hosts, {
      ...options,
      logs: this.logs,
      searchHosts: this.searchHosts,
      boot: bootId(),
      nextStreamId: () => this.nextStreamId++,
    });
    this.previews = new RemotePreviews({
      clock: options.clock,
      streamIds: () => this.streams.filter(({ receivedOn }) => receivedOn !== null).map(({ id }) => id),
      hostOf: (streamId) => {
        const stream = this.streams.find(({ id }) => id === streamId);
        return stream ? this.hosts.receiverOf(stream) : this.hosts.first('receiving');
      },
    });
  }

  /** Standstills of all processes that measure, if they overlap the time between two moments; `toNs` is now, or was just now. */
  standstills(fromNs: number, toNs: number): ProcessStandstill[] {
    const pieces = this.places.standstills(fromNs, toNs);
    const onlyFollows = this.streams.length === 0 && this.followed.streams.length > 0;
    // Where all senders are others', our sending process is idle: its standstills touch no frame.
    return onlyFollows ? pieces.filter(({ who }) => !('role' in who && who.role === 'sending')) : pieces;
  }

  /** Rises with each death of a host: rows that saw one are INVALID. */
  get deaths(): number {
    return this.hosts.deaths;
  }

  get died(): readonly DeadProcess[] {
    return this.hosts.died;
  }

  /** A host died and is not back yet: no row may open on what lived in it. */
  get recovering(): boolean {
    return this.hosts.recovering;
  }

  /** Ends when every host that died so far is back, or is lost. */
  get recovery(): Promise<void> {
    return this.hosts.recovery;
  }

  /** A host that died could not be started again: rows from then on are INVALID. */
  get lost(): boolean {
    return this.hosts.lost;
  }

  /** Rises with each new receiving host. */
  get receivingHost(): number {
    return this.hosts.started.receiving;
  }

  /** Rises with each new process of the sending host that windows view. */
  get sendingHost(): number {
    return this.hosts.started.sending;
  }

  /** What plays, in the order in which it was opened. */
  get sources(): readonly ActiveSource[] {
    return this.opened.active;
  }

  /** The first source, or null. */
  get source(): ActiveSource | null {
    return this.sources[0] ?? null;
  }

  /** Up to when all hosts have reported, or those of one stream; one on another machine may be out of reach for a while. */
  reportedToNs(nowNs: number, stream?: Stream): number {
    return this.places.reportedToNs(nowNs, stream);
  }

  /**
   * Up to when it is known what a stream did: what a process on another machine had not reported when it died is lost. Infinite if none of
   * this stream's processes died after the first `deathsBefore` deaths.
   */
  knownToNs(stream: Stream, deathsBefore: number): number {
    return this.streams.includes(stream)
      ? this.places.knownToNs(stream, this.died.slice(deathsBefore))
      : Number.POSITIVE_INFINITY;
  }

  /**
   * Now, or the last moment before which a whole second is reported, for this stream or for all. Losses in the live counts are not judged
   * earlier.
   */
  countedToNs(nowNs: number, stream?: Stream): number {
    return this.places.countedToNs(nowNs, stream && this.streams.includes(stream) ? stream : undefined);
  }

  /** Machine of the senders, if the receivers are on another one. */
  get senderSide(): MachineSide | undefined {
    return this.places.senderSide;
  }

  /** Machines of the receivers, in the order in which streams come to them; empty if all receivers are here. */
  get receiverSides(): readonly MachineSide[] {
    return this.places.receiverSides;
  }

  /** Other machines on which its hosts run, each once. */
  get machines(): readonly RemoteMachine[] {
    return this.hosts.machines;
  }

  /** This machine was sampled. */
  addLoad(sample: LoadSample): void {
    this.places.addLoad(sample);
  }

  /** Inspects movies: the first sending host. */
  readonly nativeHost: NativeHost = {
    request: (...request) => this.hosts.first('sending').request(...request),
  };

  /** Starts both hosts. */
  start(): Promise<HostReady> {
    return this.hosts.start(['sending', 'receiving']);
  }

  /**
   * Restarts both hosts, with these settings instead of the machine's own; without settings, with the machine's. Sources and streams must
   * be closed first.
   */
  async restart(settings?: Partial<HostSettings>, options?: RestartOptions): Promise<HostReady> {
    const ready = await this.hosts.restart(settings, options);
    for (const host of this.hosts.of('sending')) this.watchers.reportAgain(host);
    this.tellMachines();
    return ready;
  }

  /**
   * Brings the logs that receivers on other machines wrote, once these run here again, and gives the machines back. Never rejects.
   * @param signal aborts it; one that was aborted before makes it short
   */
  async fetchLogs(signal?: AbortSignal): Promise<void> {
    await this.logs.remote.fetch(signal);
    await this.hosts.giveBack();
  }

  private tellMachines(): void {
    this.options.onMachines?.(this.hosts.machines);
  }

  /** Of all hosts of a role, and of the commands that they started. */
  commandProcessIds(): number[] {
    return this.hosts.commandProcessIds();
  }

  processIds(role: HostRole): number[] {
    return this.hosts.processIds(role);
  }

  traffic(role: HostRole): TrafficLooks {
    return this.hosts.traffic(role);
  }

  /**
   * What would be opened for these settings. The sending host inspects a movie; of another machine its agent does.
   * @throws WhitelineError for a source or format that cannot be played
   */
  async choose(settings: SourceSettings): Promise<ChosenSource> {
    await this.hosts.recovery;
    const [machine = null] = this.places.machinesOf('sending');
    const isThere = machine !== null && parseSource(settings.source).kind === 'movie';
    return isThere ? machine.chooseSource(settings) : chooseSource(settings, this.nativeHost);
  }

  /**
   * Opens what is played, in place of what was played before unless it is `beside` it; streams of what it replaces must be
   * gone.
   * @throws WhitelineError for a source or format that cannot be played; ABORTED when the signal aborts before it plays
   */
  async openSource(settings: SourceSettings, options: OpenSourceOptions = {}): Promise<ActiveSource> {
    const chosen = await this.choose(settings);
    await this.hosts.recovery;
    if (!options.beside) await this.closeSource();
    const source = await this.opened.add(settings, chosen, options);
    if (options.ownProcess) this.watchers.reportAgain(this.opened.hostOf(source));
    return source;
  }

  /** Closes a source whose streams are gone; default: all sources. Sending hosts of their own end with theirs. */
  async closeSource(source?: ActiveSource): Promise<void> {
    for (const one of source ? [source] : this.sources) await this.opened.close(one);
  }

  /** True when these settings are what is playing now, and nothing else. */
  plays(settings: SourceSettings): boolean {
    return this.opened.plays(settings);
  }

  /**
   * Adds one stream of a source, by default the first: sender, then a receiver that looks for it. Its name has the lowest
   * number that is free. If a host dies meanwhile, waits for its restart once.
   */
  addStream(namePrefix: string, settings: StreamSettings = { audio: true }): Promise<Stream> {
    return this.throughDeath(() => this.openStream(namePrefix, settings));
  }

  /**
   * Adds a receiver to a stream's sender, as a separate stream: its ledger compares what that sender submits with what this receiver
   * captures. If a host dies meanwhile, it waits for the new one, once.
   */
  addReceiver(of: Stream): Promise<Stream> {
    return this.throughDeath(() => this.openFurtherReceiver(of));
  }

  /** Adds a sender alone, of the first source unless set: its receiver is elsewhere. */
  async addSender(namePrefix: string, settings: StreamSettings = { audio: true }): Promise<Stream> {
    const stream = await this.openSender(namePrefix, settings);
    stream.isReceiverRemote = true;
    return stream;
  }

  private async openSender(namePrefix: string, settings: StreamSettings): Promise<Stream> {
    const wanted = settings.source ?? this.source;
    if (!wanted) throw new Error('a stream needs an open source');
    // Of another program on this machine.
    const inUse: string[] = [];
    for (;;) {
      const id = this.nextStreamId++;
      const source = this.opened.current(wanted);
      const { clock, wallOffsetUs } = this.options;
      const taken = [...inUse, ...this.streams.map((stream) => stream.ndiName)];
      const name = senderName(namePrefix, lowestFreeNumber(namePrefix, taken));
      const stream = new Stream(id, name, source, clock.monotonicNs(), wallOffsetUs);
      this.places.place(stream, this.places.nextReceivingHost(this.streams));
      this.streams.push(stream);
      if (settings.audio) this.withAudio.add(id);
      try {
        await this.ends.openSender(stream, settings.audio);
        this.noteAdded(stream);
        return stream;
      } catch (error) {
        this.forget(stream);
        inUse.push(name);
        if (toProblem(error).code !== 'NAME_IN_USE' || inUse.length === maxNamesTried) throw error;
      }
    }
  }

  /** Removes a receiver; with the stream that has the sender go all of the sender's receivers. */
  async removeStream(stream: Stream): Promise<void> {
    for (const other of this.streams.filter(({ id, senderId }) => senderId === stream.id && id !== senderId))
      await this.removeStream(other);
    await this.beforeRemoval?.(stream);
    stream.removing = true;
    await this.hosts.recovery;
    try {
      await this.ends.closeReceiver(stream).catch(ignoreDeath);
      if (stream.senderId === stream.id) await this.ends.closeSender(stream).catch(ignoreDeath);
    } finally {
      this.forget(stream);
    }
    const count = this.streams.length;
    this.options.noteEvent('stream-removed', streamsText(count), { streams: count }, stream.id);
  }

  /** Removes all, also when one of them does not close; then that is reported at the end. */
  async removeAll(): Promise<void> {
    const problems: unknown[] = [];
    while (this.streams.length > 0) {
      const stream = this.streams[this.streams.length - 1];
      if (stream) await this.removeStream(stream).catch((error) => problems.push(error));
    }
    if (problems.length > 0) throw problems[0];
  }

  /**
   * Replaces the faults to come; the receiver stalls, the sender does all the others, to each receiver. Their numbers
   * count from the stream's frame `from`.
   */
  async setFaults(stream: Stream, asked: readonly Fault[], from = 0): Promise<void> {
    await this.hosts.recovery;
    // What was played from that frame on ended with its process.
    if (from > 0 && !this.streams.includes(stream)) return this.loseFaults(stream, asked);
    const faults = moveFaults(asked, from);
    const [stalls, others] = [true, false].map((isStall) =>
      faults.filter(({ verb }) => (verb === 'stall') === isStall),
    ) as [Fault[], Fault[]];
    const { id, senderId } = stream;
    const sending = this.opened.hostOf(stream.source);
    await Promise.all([
      sending.request({ name: 'setFaults', streamId: senderId, faults: others }),
      // Of a receiver elsewhere, nothing is set here.
      stream.isReceiverRemote || this.setStalls(stream, stalls),
    ]);
    this.faultsToCome.set(stream, { faults: asked, from });
    for (const other of this.ofSender(senderId)) {
      const own = other.id === id ? faults : others;
      other.injected = [...other.injected, ...own].slice(-keptFaults);
    }
    const counted = from > 0 ? `, counted from frame ${from} of the stream` : '';
    // A sender that is started again counts from 0, by another id.
    const codeSourceId = stream.ledger?.identity.sourceId;
    const details = { faults, ...(codeSourceId !== undefined && { codeSourceId }) };
    this.options.noteEvent('fault-injected', `${faultsText(asked)}${counted}`, details, id);
  }

  private async setStalls(stream: Stream, faults: Fault[]): Promise<void> {
    await this.hosts.receiverOf(stream).request({ name: 'setFaults', streamId: stream.id, faults });
  }

  private loseFaults(stream: Stream, faults: readonly Fault[]): void {
    if (faults.length === 0) return;
    stream.faultsLost = faultsText(faults);
    const fact = reasonOf('faults-not-put-in', { name: stream.name, faults: stream.faultsLost });
    this.options.noteEvent('fault-lost', wordsOf([fact]), { faults }, stream.id);
  }

  /**
   * Keeps the pictures of frames to come at both ends of a stream, as files in an existing folder, until the pairs are
   * closed.
   */
  async keepPairs(stream: Stream, folder: string, frames: number[]): Promise<PicturePairs> {
    await this.hosts.recovery;
    const { id, senderId, source } = stream;
    const { width, height } = source.format;
    const sending = this.opened.hostOf(source);
    const receiving = this.hosts.receiverOf(stream);
    return PicturePairs.open(
      this.options.clock,
      { folder, width, height, frames, sourceId: source.status?.sourceId ?? 0 },
      { streamId: senderId, request: (command) => sending.request(command) },
      { streamId: id, request: (command) => receiving.request(command) },
    );
  }

  /** What discovery lists now; the first call starts looking. */
  async discover(): Promise<DiscoveredSource[]> {
    await this.hosts.recovery;
    const command = { name: 'discover', seconds: 0 } as const;
    return (await this.hosts.first('receiving').request(command)) as DiscoveredSource[];
  }

  /** From now on asks this host for senders too, also in a process that replaces one that died. */
  async searchHost(host: string): Promise<void> {
    await this.hosts.recovery;
    await this.hosts.first('receiving').request({ name: 'searchHost', host });
    if (!this.searchHosts.includes(host)) this.searchHosts.push(host);
  }

  /** Brings every record written so far to the ledgers; what a host that died still had is lost, and its row INVALID. */
  flush(): Promise<void> {
    return this.hosts.flush();
  }

  /** Resolves when the processes of all hosts are gone. */
  close(): Promise<void> {
    return this.hosts.close();
  }

  private ingest(message: RecordsMessage): void {
    this.opened.ingest(message.sources, message.atNs);
    for (const report of message.senders)
      for (const stream of this.ofSender(report.streamId)) stream.addSenderReport(report);
    for (const report of message.receivers)
      this.find(report.streamId)?.addReceiverReport(report, message.atNs);
    for (const stream of this.streams) this.streamEvents.look(stream, stream.knownToNs(message.atNs));
    this.followed.ingest(message);
    this.logs.noteGaps(message.logGaps ?? []);
  }

  private async throughDeath(open: () => Promise<Stream>): Promise<Stream> {
    await this.hosts.recovery;
    try {
      return await open();
    } catch (error) {
      if (!isDeath(error)) throw error;
      await this.hosts.recovery;
      return open();
    }
  }

  private async openStream(namePrefix: string, settings: StreamSettings): Promise<Stream> {
    const stream = await this.openSender(namePrefix, settings);
    try {
      await this.ends.openReceiver(stream);
    } catch (error) {
      this.forget(stream);
      await this.ends.closeSender(stream).catch(ignoreDeath);
      throw error;
    }
    return stream;
  }

  private async openFurtherReceiver({ senderId }: Stream): Promise<Stream> {
    const sender = this.find(senderId);
    if (!sender) throw new Error(`there is no sender ${senderId} to receive`);
    const id = this.nextStreamId++;
    const receivers = this.ofSender(senderId).length + 1;
    const name = `${sender.name}, receiver ${receivers}`;
    const stream = this.newStream(sender, id, name, this.places.nextReceivingHost(this.streams));
    stream.fullName = sender.fullName;
    this.streams.push(stream);
    try {
      await this.ends.openReceiver(stream);
    } catch (error) {
      this.forget(stream);
      throw error;
    }
    this.noteAdded(stream);
    return stream;
  }

  private newStream(
    { source, senderId }: Stream,
    id: number,
    name: string,
    receivingHost: number,
    before?: Stream,
  ): Stream {
    const { watchdog, connectionHistory, arrivals } = before ?? {};
    const { clock, wallOffsetUs } = this.options;
    const now = this.opened.current(source);
    const addedNs = clock.monotonicNs();
    const known = [watchdog, connectionHistory, senderId, arrivals] as const;
    const stream = new Stream(id, name, now, addedNs, wallOffsetUs, ...known);
    this.places.place(stream, receivingHost);
    return stream;
  }

  private noteAdded(stream: Stream): void {
    const count = this.streams.length;
    const details = { streams: count, senderName: stream.name };
    this.options.noteEvent('stream-added', streamsText(count), details, stream.id);
  }

  /** By its id: a host that died in between has put another object in the stream's place. */
  private forget({ id }: Stream): void {
    const index = this.streams.findIndex((stream) => stream.id === id);
    this.withAudio.delete(id);
    const [gone] = index >= 0 ? this.streams.splice(index, 1) : [];
    if (!gone) return;
    this.faultsToCome.forget(gone);
    this.streamEvents.forget(gone);
  }

  private find(streamId: number): Stream | undefined {
    return this.streams.find((stream) => stream.id === streamId);
  }

  private ofSender(id: number): Stream[] {
    return this.streams.filter(({ senderId }) => senderId === id);
  }

  private noteDeath(host: StreamHost): void {
    const nowNs = this.options.clock.monotonicNs();
    if (host.role === 'sending') {
      for (const stream of this.sentBy(host)) {
        // The numbers of the new sender start again, so faults that are due at the old numbers have no place.
        this.loseFaults(stream, this.faultsToCome.dueAt(stream, nowNs).faults);
        this.faultsToCome.forget(stream);
      }
      return;
    }
    for (const stream of this.receivedBy(host)) stream.loseReceiver(nowNs);
    if (host.number === 1) this.followed.loseReceivers();
  }

  private async reopenReceivers(host: StreamHost): Promise<void> {
    for (const stream of this.receivedBy(host)) {
      const nowNs = this.options.clock.monotonicNs();
      stream.reopen(nowNs);
      await this.ends.openReceiver(stream);
      const { faults, from } = this.faultsToCome.dueAt(stream, nowNs);
      const stalls = faults.filter(({ verb }) => verb === 'stall');
      // The sender goes on, and its numbers with it.
      if (stalls.length > 0) await this.setStalls(stream, moveFaults(stalls, from));
    }
    // Those of remote senders live in the first one.
    if (host.number === 1) await this.followed.reopen();
  }

  private sentBy(host: StreamHost): Stream[] {
    return this.streams.filter(({ source }) => this.opened.hostOf(source) === host);
  }

  private receivedBy({ number }: StreamHost): Stream[] {
    return this.streams.filter((one) => !one.isReceiverRemote && one.receivingHost === number);
  }

  /** A new sending process means new sources with new ids: each stream starts again under its old name and number. */
  private async replaceSenders(host: StreamHost): Promise<void> {
    await this.opened.revive(host);
    this.watchers.reportAgain(host);
    const sent = this.sentBy(host);
    for (const [index, old] of this.streams.entries()) {
      if (!sent.includes(old)) continue;
      const stream = this.newStream(old, old.id, old.ndiName, old.receivingHost, old);
      stream.fullName = old.fullName;
      stream.isReceiverRemote = old.isReceiverRemote;
      old.giveWayTo(stream);
      if (old.after) old.after.isRestart = true;
      this.streams[index] = stream;
      if (stream.senderId === stream.id) await this.ends.openSender(stream, this.withAudio.has(stream.id));
      if (stream.isReceiverRemote) continue;
      // Stalls of the old one's numbers.
      if (old.faultsLost !== '') await this.setStalls(stream, []).catch(ignoreDeath);
      if (this.opened.ownHostOf(stream.source)) await this.ends.moveReceiver(stream).catch(ignoreDeath);
    }
  }
}

function streamsText(count: number): string {
  return count === 1 ? '1 stream' : `${count} streams`;
}
