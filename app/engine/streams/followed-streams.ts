import { lengthText } from '../../facts/count-words';
import type { Clock } from '../../protocol/clock';
import type { RecordsMessage } from '../../protocol/host';
import { type CaptureRecords, PictureStatus } from '../../protocol/records';
import { defaultThresholds } from '../../protocol/thresholds';
import type { ProcessStandstill, StandstillLog } from '../load/standstills';
import { EnvironmentReader } from '../machine/packed-environment';
import type { CaptureLogs } from './capture-logs';
import type { DeadProcess } from './dead-process';
import { lastPictureNs } from './outages';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';
import { ignoreDeath, type NoteEvent, type StreamHosts } from './stream-hosts';
import { type SenderChange, WatchedSender, type WatchOptions } from './watched-sender';

export interface FollowedStreamsOptions extends WatchOptions {
  clock: Clock;
  logs: CaptureLogs;
  noteEvent: NoteEvent;
  standstills: Pick<StandstillLog, 'near'>;
  /** Of the streams that live in the same receiving process, none has the number of another. */
  nextStreamId(): number;
}

interface Target {
  streamId: number;
  name: string;
  address: string | undefined;
  sender: WatchedSender;
  /** Two senders alternated here last. */
  interruptedNs: number;
}

/** While two senders alternate, it is not reported each time which of them is followed. */
const quietNs = 10e9;
/** A sender that is silent for longer is no longer waited for: its stream begins anew. */
const givenUpNs = 2 * defaultThresholds.connectTimeoutSeconds * 1e9;

/** Streams of remote senders: received here, and counted with what the senders report over the NDI connection. */
export class FollowedStreams {
  private readonly targets: Target[] = [];
  private readonly streamEvents: StreamEvents;
  private readonly environments = new EnvironmentReader();
  /** Rises when a stream ends or begins anew: no row goes on over it. */
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

  /** Those that this name, or this address of one sender, would have twice: NDI's names are of DNS, which knows no case. */
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

  /** Follows the sender of a name: NDI's full one, or the part in brackets. */
  async add(name: string, address?: string): Promise<Stream> {
    await this.hosts.recovery;
    const streamId = this.options.nextStreamId();
    const stream = this.newStream(streamId, name, this.options.clock.monotonicNs());
    const sender = new WatchedSender(stream, this.options);
    const target: Target = { streamId, name, address, sender, interruptedNs: Number.NEGATIVE_INFINITY };
    this.targets.push(target);
    try {
      await this.openReceiver(target);
    } catch (error) {
      this.forget(target);
      throw error;
    }
    this.options.noteEvent('stream-added', name, { streams: this.targets.length }, streamId);
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

  /** Opens in a new receiving process what was received in the one that died. */
  async reopen(): Promise<void> {
    for (const target of this.targets) {
      target.sender.stream.reopen(this.options.clock.monotonicNs());
      await this.openReceiver(target);
    }
  }

  ingest(message: RecordsMessage): void {
    for (const report of message.receivers) {
      const target = this.find(report.streamId);
      if (!target) continue;
      this.noteEnvironment(report.metadata, target.sender.stream);
      const change = target.sender.add(report, message.atNs);
      if (change) this.take(change, target, message.atNs);
      else if (this.isGivenUp(target.sender, message.atNs)) {
        target.sender.giveUp();
        this.beginAnew(target);
      }
      this.streamEvents.look(target.sender.stream, message.atNs);
    }
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
  private noteEnvironment(metadata: readonly string[], stream: Stream): void {
    for (const xml of metadata) {
      const known = this.environments.add(xml);
      if (!known) continue;
      const { host, isNew } = known;
      stream.senderHost = host.hostName;
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
    // A new source id is a new start; of a sender without our code it is not known.
    const isRestart = stream.ledger !== null && target.sender.stream.early.some(isCoded);
    if (stream.after) stream.after.isRestart = isRestart;
    const what = isRestart ? 'its sender was started again' : 'pictures came again';
    const text = `${stream.name}: ${what}, ${lengthText(silentMs / 1000)} after its last picture`;
    this.options.noteEvent('sender-restarted', text, { silentMs }, stream.id);
  }

  private isGivenUp({ stream, lastPictureNs }: WatchedSender, nowNs: number): boolean {
    // One without our code may be silent for as long as it likes, while it is connected.
    const isFollowed = stream.ledger !== null || (stream.foreign !== null && !stream.watchdog.isConnected);
    return isFollowed && lastPictureNs > 0 && nowNs - lastPictureNs > givenUpNs;
  }

  /** Begins another stream under the name of a sender that has ended. */
  private beginAnew(target: Target): { silentMs: number } {
    const { sender } = target;
    const { stream } = sender;
    const next = this.newStream(stream.id, stream.name, sender.lastPictureNs, stream);
    target.sender = new WatchedSender(next, this.options, sender);
    this.changes += 1;
    const lastNs = lastPictureNs(stream) ?? sender.lastPictureNs;
    const firstNs = next.early[0]?.captureNs[0] ?? lastNs;
    stream.giveWayTo(next, next.early[0]?.captureNs[0]);
    return { silentMs: (firstNs - lastNs) / 1e6 };
  }
}

function isCoded({ status }: CaptureRecords): boolean {
  return status.some((code) => code !== PictureStatus.Undecodable);
}
