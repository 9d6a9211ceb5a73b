import { WhitelineError } from '../../protocol/errors';
import type { HostReady, RecordsMessage } from '../../protocol/host';
import { defaultThresholds, type Thresholds } from '../../protocol/thresholds';
import { monotonicNs } from '../clock';
import type { HostApplication } from '../host-application';
import { LivingHosts, type NoteEvent } from './living-hosts';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';
import { explain } from './stream-states';
import { type SenderChange, WatchedSender, type WatchOptions } from './watched-sender';

export interface WatchSetOptions extends WatchOptions {
  application: HostApplication;
  ndiCandidates: string[];
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  /** Folder for the receivers' own logs of captured numbers; none by default. */
  captureLogFolder?: string;
  noteEvent: NoteEvent;
}

interface Target {
  name: string;
  address: string | undefined;
  sender: WatchedSender;
  /** Two senders alternated here last. */
  interruptedNs: number;
}

/** While two senders alternate, it is not told each time which of them is followed. */
const quietNs = 10e9;
/** A sender that is silent for longer is no longer waited for: its stream begins anew. */
const givenUpNs = 2 * defaultThresholds.connectTimeoutSeconds * 1e9;

/** Streams whose senders live elsewhere: one receiving process, and what the senders tell over the NDI connection. */
export class WatchSet {
  private readonly hosts: LivingHosts;
  private readonly targets: Target[] = [];
  private readonly streamEvents: StreamEvents;
  /** Rises when a stream ends or begins anew: no row goes on over it. */
  changes = 0;

  constructor(private readonly options: WatchSetOptions) {
    this.streamEvents = new StreamEvents(options.noteEvent);
    this.hosts = new LivingHosts({
      ...options,
      onRecords: (message) => this.ingest(message),
      revive: async () => {
        for (const [index, { sender }] of this.targets.entries()) {
          sender.stream.reopen(monotonicNs());
          await this.openReceiver(index);
        }
      },
      onChange: () => undefined,
    });
  }

  /** One for each name, in their order; a sender that is started again is another stream in the same place. */
  get streams(): Stream[] {
    return this.targets.map(({ sender }) => sender.stream);
  }

  get deaths(): number {
    return this.hosts.deaths;
  }

  get recovering(): boolean {
    return this.hosts.recovering;
  }

  /** A host that died could not be started again: rows from then on are INVALID. */
  get lost(): boolean {
    return this.hosts.lost;
  }

  start(): Promise<HostReady> {
    return this.hosts.spawn('receiving');
  }

  processIds(): number[] {
    return this.hosts.find('receiving')?.processIds ?? [];
  }

  async add(name: string, address?: string): Promise<Stream> {
    const index = this.targets.length;
    const stream = this.newStream(index + 1, name, monotonicNs());
    this.targets.push({
      name,
      address,
      sender: new WatchedSender(stream, this.options),
      interruptedNs: Number.NEGATIVE_INFINITY,
    });
    await this.openReceiver(index);
    this.options.noteEvent('stream-added', name, { streams: this.targets.length }, stream.id);
    return stream;
  }

  flush(): Promise<void> {
    return this.hosts.flush();
  }

  close(): void {
    this.hosts.close();
  }

  private newStream(id: number, name: string, addedNs: number, before?: Stream): Stream {
    const nobody = new ActiveSource(id, name, {
      width: 0,
      height: 0,
      rate: before?.source.format.rate ?? { numerator: 30, denominator: 1 },
    });
    const { wallOffsetUs } = this.options;
    return new Stream(id, name, nobody, addedNs, wallOffsetUs, before?.watchdog, before?.connectionHistory);
  }

  private openReceiver(index: number): Promise<unknown> {
    const target = this.targets[index];
    if (!target) return Promise.resolve();
    const { name, address } = target;
    const streamId = index + 1;
    const { captureLogFolder } = this.options;
    return this.hosts.get('receiving').request({
      ...{ name: 'openReceiver', streamId, sourceName: name, address, askTime: true },
      captureLogPath: captureLogFolder ? `${captureLogFolder}/captured-${streamId}.log` : undefined,
    });
  }

  private ingest(message: RecordsMessage): void {
    for (const report of message.receivers) {
      const target = this.targets[report.streamId - 1];
      if (!target) continue;
      const change = target.sender.add(report, message.atNs);
      if (change) this.take(change, target, message.atNs);
      else if (this.isGivenUp(target.sender, message.atNs)) this.beginAnew(target, false);
      this.streamEvents.look(target.sender.stream, message.atNs);
    }
  }

  private take(change: SenderChange, target: Target, nowNs: number): void {
    const { stream } = target.sender;
    if (change.kind === 'connected') {
      const records = change.withRecords ? 'with the sender’s records' : 'without the sender’s records';
      const how = stream.foreign ? `by ${stream.foreign.methodText}` : records;
      this.streamEvents.connected(stream, how, nowNs - target.interruptedNs > quietNs);
      return;
    }
    const { silentMs } = this.beginAnew(target, change.kind === 'restarted');
    if (change.kind === 'interrupted') {
      target.interruptedNs = nowNs;
      return;
    }
    const text = `${stream.name}: its sender was started again, ${Math.round(silentMs)} ms after its last picture`;
    this.options.noteEvent('sender-restarted', text, { silentMs }, stream.id);
  }

  private isGivenUp({ stream, lastPictureNs }: WatchedSender, nowNs: number): boolean {
    const isFollowed = stream.ledger !== null || stream.foreign !== null;
    return isFollowed && lastPictureNs > 0 && nowNs - lastPictureNs > givenUpNs;
  }

  /** Ends the stream of a sender, and begins another under its name. */
  private beginAnew(target: Target, forGood: boolean): { silentMs: number } {
    const { sender } = target;
    const { stream } = sender;
    sender.end(forGood);
    const next = this.newStream(stream.id, stream.name, sender.lastPictureNs, stream);
    target.sender = new WatchedSender(next, this.options, sender);
    this.changes += 1;
    const firstNs = next.early[0]?.captureNs[0] ?? sender.lastPictureNs;
    return { silentMs: (firstNs - sender.lastPictureNs) / 1e6 };
  }
}

/** Nothing that can be followed came in time. */
export function noVideo(stream: Stream, nowNs: number, thresholds: Thresholds): WhitelineError {
  const { name, watchdog } = stream;
  const { connectTimeoutSeconds } = thresholds;
  const state = stream.state(nowNs, { ...thresholds, warmUpSeconds: 0 });
  const told = { pictureClass: watchdog.pictureClass, foreign: false, timedOut: true, connectTimeoutSeconds };
  const isTelling = state === 'undecodable' || state === 'stale-entry';
  const { text, remedy } = explain(state, told);
  return new WhitelineError({
    code: 'NO_VIDEO',
    message: isTelling ? `${name}: ${text}` : `No video of ${name} came within ${connectTimeoutSeconds} s`,
    field: 'name',
    value: name,
    remedy: isTelling
      ? remedy
      : 'See whiteline sources for what is on the network, and check the name, the firewall and that the sender runs',
  });
}
