import { lengthText } from '../../facts/count-words';
import { type Cut, cutText } from '../../facts/cut';
import type { Clock } from '../../protocol/clock';
import { framesPerSecond } from '../../protocol/format';
import type { ReceiverReport, RecordsMessage } from '../../protocol/host';
import { audioRecords, clockRecords } from '../../protocol/record-block';
import { type CaptureRecords, PictureStatus } from '../../protocol/records';
import { defaultThresholds, stallSeconds } from '../../protocol/thresholds';
import { isoOf } from '../clock';
import type { ProcessStandstill, StandstillLog } from '../load/standstills';
import { EnvironmentReader } from '../machine/packed-environment';
import type { CaptureLogs } from './capture-logs';
import { ConnectedHost } from './connected-host';
import { slotPeriodNs } from './counting/schedule';
import type { DeadProcess } from './dead-process';
import { endedText } from './ended-text';
import { lastPictureNs } from './outages';
import { type FoundCut, Programme } from './programme/programme';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';
import { ignoreDeath, type NoteEvent, type StreamHosts } from './stream-hosts';
import { rateOf, type SenderChange, WatchedSender, type WatchOptions } from './watched-sender';

export interface FollowedStreamsOptions extends WatchOptions {
  clock: Clock;
  logs: CaptureLogs;
  noteEvent: NoteEvent;
  standstills: Pick<StandstillLog, 'near'>;
  /** A number that no other stream in the same receiving process has. */
  nextStreamId(): number;
  /** Hosts asked for their sources directly: those that are added later too. */
  searchHosts?: readonly string[];
}

interface Target {
  streamId: number;
  name: string;
  address: string | undefined;
  sender: WatchedSender;
  connectedHost: ConnectedHost;
  /** Two senders alternated here last. */
  interruptedNs: number;
  /** Set for a mixer's output; null: one sender is followed. */
  programme: Programme | null;
}

/** While two senders alternate, it is not reported each time which of them is followed. */
const quietNs = 10e9;
/** A sender that is silent for longer is given up: its stream begins again from nothing. */
const givenUpNs = 2 * defaultThresholds.connectTimeoutSeconds * 1e9;

/** Streams of remote senders: received here, and counted with what the senders report over the NDI connection. */
export class FollowedStreams {
  private readonly targets: Target[] = [];
  private readonly streamEvents: StreamEvents;
  private readonly environments = new EnvironmentReader();
  /** Rises when a stream ends or begins again: no row continues across that. */
  changes = 0;

  constructor(
    private readonly hosts: StreamHosts,
    private readonly options: FollowedStreamsOptions,
  ) {
    this.streamEvents = new StreamEvents(options.noteEvent);
  }

  /** One for each name, in their order; a sender that is started again is another stream in the same place. */
  get streams(): Stream[] {
    return this.targets.map(({ sender }) => sender.stream);
  }

  get searchHosts(): readonly string[] {
    return this.options.searchHosts ?? [];
  }

  standstills(fromNs: number, toNs: number): ProcessStandstill[] {
    return [...this.options.standstills.near(fromNs, toNs), ...this.hosts.silencesUntil(toNs)];
  }

  get deaths(): number {
    return this.hosts.deaths;
  }

  get died(): readonly DeadProcess[] {
    return this.hosts.died;
  }

  get recovering(): boolean {
    return this.hosts.recovering;
  }

  /** A host that died could not be started again: rows from then on are INVALID. */
  get lost(): boolean {
    return this.hosts.lost;
  }

  flush(): Promise<void> {
    return this.hosts.flush();
  }

  /** Streams that this name, or this address of one sender, would duplicate. NDI names are DNS names, which ignore case. */
  alike(name: string, address?: string): Stream[] {
    const wanted = name.toLowerCase();
    return this.targets
      .filter(
        (target) =>
          [target.name, target.sender.stream.sourceName].some((one) => one.toLowerCase() === wanted) ||
          (address !== undefined && target.address === address),
      )
      .map(({ sender }) => sender.stream);
  }

  /**
   * Follows the sender of a name: NDI's full one, or the part in brackets. `isProgramme`: it is a mixer's output, which shows several of our
   * sources one after the other.
   */
  async add(name: string, address?: string, isProgramme = false): Promise<Stream> {
    await this.hosts.recovery;
    const streamId = this.options.nextStreamId();
    const stream = this.newStream(streamId, name, this.options.clock.monotonicNs());
    const sender = new WatchedSender(stream, this.options);
    const programme = isProgramme ? new Programme() : null;
    stream.programme = programme;
    const interruptedNs = Number.NEGATIVE_INFINITY;
    const connectedHost = new ConnectedHost();
    const target: Target = { streamId, name, address, sender, connectedHost, interruptedNs, programme };
    this.targets.push(target);
    try {
      await this.openReceiver(target);
    } catch (error) {
      this.forget(target);
      throw error;
    }
    const from = [...this.searchHosts];
    const follows = { name, ...(address !== undefined && { address }), ...(from.length > 0 && { from }) };
    this.options.noteEvent('stream-added', name, { streams: this.targets.length, follows }, streamId);
    return stream;
  }

  async removeStream({ id }: Stream): Promise<void> {
    const target = this.find(id);
    if (!target) return;
    target.sender.stream.removing = true;
    await this.hosts.recovery;
    try {
      const command = { name: 'closeReceiver', streamId: id } as const;
      await this.hosts.first('receiving').request(command).catch(ignoreDeath);
    } finally {
      this.forget(target);
    }
    this.options.noteEvent('stream-removed', target.name, { streams: this.targets.length }, id);
  }

  /** Removes all, also when one of them does not close; then that is reported at the end. */
  async removeAll(): Promise<void> {
    const removed = await Promise.allSettled(this.streams.map((stream) => this.removeStream(stream)));
    for (const result of removed) if (result.status === 'rejected') throw result.reason;
  }

  /** The receiving process died. */
  loseReceivers(): void {
    for (const stream of this.streams) stream.loseReceiver(this.options.clock.monotonicNs());
  }

  /** A receiving process that says nothing reports none of its streams. */
  lookAtSilent(nowNs: number): void {
    this.streamEvents.lookAtSilent(this.streams, nowNs);
  }

  /** Up to when all hosts have reported. */
  reportedToNs(nowNs: number): number {
    return this.hosts.reportedToNs(nowNs);
  }

  /** Now, or the last moment of which the second before is reported: what live counts call lost is not judged earlier. */
  countedToNs(nowNs: number): number {
    return this.hosts.countedToNs(nowNs);
  }

  /** Opens in a new receiving process what was received in the one that died. */
  async reopen(): Promise<void> {
    for (const target of this.targets) {
      target.sender.stream.reopen(this.options.clock.monotonicNs());
      await this.openReceiver(target);
    }
  }

  ingest(message: RecordsMessage): void {
    for (const received of message.receivers) {
      const target = this.find(received.streamId);
      if (!target) continue;
      const report = this.numbered(received, target, message.atNs);
      if (report.status?.connections === 0) target.connectedHost.noteGone();
      this.noteEnvironment(report.metadata, target);
      const { stream } = target.sender;
      const hadEnded = stream.hasEnded;
      const change = target.sender.add(report, message.atNs);
      if (stream.hasEnded && !hadEnded) this.noteEnd(stream);
      if (change) this.take(change, target, message.atNs);
      else if (this.isGivenUp(target.sender, message.atNs)) {
        target.sender.giveUp();
        this.beginAnew(target);
      }
      this.noteInjected(target);
      this.streamEvents.look(target.sender.stream, message.atNs);
    }
  }

  /** The row ends with it: the next one is of those that still send. */
  private noteEnd(stream: Stream): void {
    this.changes += 1;
    const text = `${stream.name}: ${endedText(stream, this.options.wallOffsetUs)}`;
    this.options.noteEvent('sender-ended', text, {}, stream.id);
  }

  /** Of a mixer's output, whose pictures are numbered anew, none is known. */
  private noteInjected({ programme, sender: { stream } }: Target): void {
    if (!programme && stream.ledger)
      stream.injected = this.options.injectedInto?.(stream.ledger.identity) ?? [];
  }

  /** What comes of a mixer's output, as of one source. What it hands on of a sender's messages is not its own. */
  private numbered(report: ReceiverReport, { programme, sender }: Target, nowNs: number): ReceiverReport {
    if (!programme) return report;
    const { rate } = report.status ? { rate: rateOf(report.status) } : sender.stream.source.format;
    const captures = programme.add(report.captures, nowNs, slotPeriodNs(rate));
    for (const found of programme.takeCuts()) this.noteCut(found, sender.stream);
    const nothingElse = { metadata: [], audio: audioRecords.empty(), time: clockRecords.empty() };
    return { ...report, captures, ...nothingElse };
  }

  /** Cuts of a programme between two moments, as far as they are found by now. */
  cutsOf({ programme }: Stream, fromNs: number, toNs: number): Cut[] {
    return (programme?.cutsWithin(fromNs, toNs) ?? []).map((found) => this.named(found));
  }

  private named({ atNs, from, to, ...found }: FoundCut): Cut {
    return {
      at: isoOf(atNs, this.options.wallOffsetUs),
      ...found,
      from: { ...from, name: this.nameOf(from.sourceId) },
      to: { ...to, name: this.nameOf(to.sourceId) },
    };
  }

  private noteCut(found: FoundCut, stream: Stream): void {
    const cut = this.named(found);
    this.options.noteEvent('cut', `${stream.name}: ${cutText(cut)}`, { cut }, stream.id);
  }

  /** Name of the sender that is followed beside a programme and has this source. */
  private nameOf(sourceId: number): string | null {
    const target = this.targets.find(
      ({ programme, sender }) => !programme && sender.stream.ledger?.identity.sourceId === sourceId,
    );
    return target?.name ?? null;
  }

  private find(streamId: number): Target | undefined {
    return this.targets.find((target) => target.streamId === streamId);
  }

  private forget(target: Target): void {
    const index = this.targets.indexOf(target);
    if (index >= 0) this.targets.splice(index, 1);
    this.streamEvents.forget(target.sender.stream);
  }

  private newStream(id: number, name: string, addedNs: number, before?: Stream): Stream {
    const nobody = new ActiveSource(id, name, {
      width: 0,
      height: 0,
      rate: before?.source.format.rate ?? { numerator: 30, denominator: 1 },
    });
    const { wallOffsetUs } = this.options;
    const known = [before?.watchdog, before?.connectionHistory, undefined, before?.arrivals] as const;
    const stream = new Stream(id, name, nobody, addedNs, wallOffsetUs, ...known);
    stream.receivedBy = () => this.hosts.find('receiving', 1);
    stream.connectedMs = before?.connectedMs ?? before?.connectMs ?? null;
    return stream;
  }

  private openReceiver({ streamId, name, address }: Target): Promise<unknown> {
    return this.hosts.first('receiving').request({
      ...{ name: 'openReceiver', streamId, sourceName: name, address, askTime: true },
      ...this.options.logs.open({ id: streamId, name }, null, null),
    });
  }

  /** Senders report what their machine is, once for each receiver that connects. */
  private noteEnvironment(metadata: readonly string[], { sender: { stream }, connectedHost }: Target): void {
    for (const xml of metadata) {
      const known = this.environments.add(xml);
      if (!known) continue;
      const { host, isNew } = known;
      stream.senderHost = connectedHost.hear(host.hostName, stream.senderHost);
      if (!isNew) continue;
      const text = `${stream.name} is sent by ${host.hostName}`;
      this.options.noteEvent('host-environment', text, { host }, stream.id);
    }
  }

  private take(change: SenderChange, target: Target, nowNs: number): void {
    const { stream } = target.sender;
    if (change.kind === 'connected') {
      const records = change.withRecords ? 'with the sender’s records' : 'without the sender’s records';
      const how = stream.foreign ? `no frame code: counted by ${stream.foreign.methodText}` : records;
      this.streamEvents.connected(stream, how, nowNs - target.interruptedNs > quietNs);
      return;
    }
    target.sender.end(change.kind === 'restarted');
    const { silentMs } = this.beginAnew(target);
    if (change.kind === 'interrupted') {
      target.interruptedNs = nowNs;
      return;
    }
    // A new source id is a new start, but without a break another source; of a sender without our code it is not known.
    const next = stream.ledger && codedSource(target.sender.stream.early);
    const isOther = next !== null && next !== stream.ledger?.identity.sourceId;
    const isAtOnce = silentMs < 1000 * stallSeconds(framesPerSecond(stream.source.format.rate));
    const isRestart = next !== null && !(isOther && isAtOnce);
    if (stream.after) stream.after.isRestart = isRestart;
    const what = isRestart
      ? 'its sender was started again'
      : isOther
        ? 'another of our sources took its place'
        : 'pictures came again';
    const text = `${stream.name}: ${what}, ${lengthText(silentMs / 1000)} after its last picture`;
    const between = isOther ? { sourceIds: [stream.ledger?.identity.sourceId, next] } : {};
    this.options.noteEvent('sender-restarted', text, { silentMs, isRestart, ...between }, stream.id);
  }

  private isGivenUp({ stream, lastPictureNs }: WatchedSender, nowNs: number): boolean {
    if (stream.hasEnded) return false;
    // One without our code may be silent for as long as it likes, while it is connected.
    const isFollowed = stream.ledger !== null || (stream.foreign !== null && !stream.watchdog.isConnected);
    return isFollowed && lastPictureNs > 0 && nowNs - lastPictureNs > givenUpNs;
  }

  /** Begins another stream under the name of a sender that has ended. */
  private beginAnew(target: Target): { silentMs: number } {
    const { sender } = target;
    const { stream } = sender;
    const next = this.newStream(stream.id, stream.ndiName, sender.lastPictureNs, stream);
    next.programme = target.programme;
    next.senderHost = target.connectedHost.beginAnew();
    target.sender = new WatchedSender(next, this.options, sender);
    this.changes += 1;
    const lastNs = lastPictureNs(stream) ?? sender.lastPictureNs;
    const firstNs = next.early[0]?.captureNs[0] ?? lastNs;
    stream.giveWayTo(next, next.early[0]?.captureNs[0]);
    return { silentMs: (firstNs - lastNs) / 1e6 };
  }
}

/** The source of the first picture with a readable code; null: there is none. */
function codedSource(early: readonly CaptureRecords[]): number | null {
  for (const { status, sourceId } of early) {
    const index = status.findIndex((code) => code !== PictureStatus.Undecodable);
    if (index >= 0) return sourceId[index] ?? null;
  }
  return null;
}
