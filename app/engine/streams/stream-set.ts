import { toProblem } from '../../protocol/errors';
import { faultsText } from '../../protocol/faults';
import type { HostReady, RecordsMessage } from '../../protocol/host';
import type { LoadSample } from '../../protocol/load';
import type { Fault } from '../../protocol/records';
import { monotonicNs } from '../clock';
import type { HostApplication, HostRole } from '../host-application';
import { isDeath, LivingHosts, type NoteEvent } from './living-hosts';
import { DamageEvents } from './sources/damage-events';
import { type ChosenSource, chooseSource, type SourceSettings, sameSettings } from './sources/source-choice';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';

/** What a sender sends beside its pictures. */
export interface SenderSettings {
  audio: boolean;
}

export interface StreamSetOptions {
  application: HostApplication;
  ndiCandidates: string[];
  wallOffsetUs: number;
  /** Folder for the receivers' own logs of captured numbers; none by default. */
  captureLogFolder?: string;
  /** Senders send their records along the NDI connection. */
  shareRecords: boolean;
  noteEvent: NoteEvent;
  /** A host died and was started again, or the set is otherwise not what it was. */
  onChange(): void;
}

/** Other consoles on this machine may have taken the first names. */
const maxNamesTried = 20;
/** Newest faults of a stream that are remembered, to tell what they cost from what was lost. */
const keptFaults = 5000;

/** The streams of this machine: one source, its senders and receivers, and the two processes in which they live. */
export class StreamSet {
  private readonly hosts: LivingHosts;
  private settings: SourceSettings | null = null;
  private chosen: ChosenSource | null = null;
  private nextSourceId = 1;
  private nextStreamId = 1;
  source: ActiveSource | null = null;
  readonly streams: Stream[] = [];
  private readonly senderSettings = new Map<number, SenderSettings>();
  private readonly streamEvents: StreamEvents;
  private readonly damageEvents: DamageEvents;
  private failedSource = 0;
  constructor(private readonly options: StreamSetOptions) {
    this.streamEvents = new StreamEvents(options.noteEvent);
    this.damageEvents = new DamageEvents(options.noteEvent);
    this.hosts = new LivingHosts({
      ...options,
      onRecords: (message) => this.ingest(message),
      revive: (role) => this.revive(role),
    });
  }

  /** Rises with each death of a host: rows that saw one are INVALID. */
  get deaths(): number {
    return this.hosts.deaths;
  }

  /** A host died and is not back yet: no row may open on what lived in it. */
  get recovering(): boolean {
    return this.hosts.recovering;
  }

  /** A host that died could not be started again: rows from then on are INVALID. */
  get lost(): boolean {
    return this.hosts.lost;
  }

  /** Rises with each new receiving host. */
  get receivingHost(): number {
    return this.hosts.started.receiving;
  }

  /** Rises with each new sending host. */
  get sendingHost(): number {
    return this.hosts.started.sending;
  }

  /** Starts both hosts. */
  async start(): Promise<HostReady> {
    const [sending] = await Promise.all([this.hosts.spawn('sending'), this.hosts.spawn('receiving')]);
    return sending;
  }

  processIds(role: HostRole): number[] {
    return this.hosts.find(role)?.processIds ?? [];
  }

  /**
   * What would be opened for these settings; the sending host looks at a movie.
   * @throws WhitelineError for a source or format that cannot be played
   */
  async choose(settings: SourceSettings): Promise<ChosenSource> {
    await this.hosts.recovery;
    return chooseSource(settings, { request: (...request) => this.hosts.get('sending').request(...request) });
  }

  /**
   * Opens what is played, in place of what was played before; the streams must be gone.
   * @throws WhitelineError for a source or format that cannot be played; ABORTED when the signal aborts before it plays
   */
  async openSource(settings: SourceSettings, signal?: AbortSignal): Promise<ActiveSource> {
    const chosen = await this.choose(settings);
    await this.hosts.recovery;
    await this.closeSource();
    this.settings = settings;
    this.chosen = chosen;
    return this.playSource(chosen, signal);
  }

  async closeSource(): Promise<void> {
    const { source } = this;
    this.source = null;
    if (source) this.damageEvents.end(source);
    if (source) await this.hosts.get('sending').request({ name: 'closeSource', sourceId: source.id });
  }

  /** True when these settings are what is playing now. */
  plays(settings: SourceSettings): boolean {
    return this.source !== null && this.settings !== null && sameSettings(this.settings, settings);
  }

  /**
   * Adds one stream of the open source: sender first, then a receiver that looks for it. A host that dies meanwhile is
   * waited for, once.
   */
  async addStream(namePrefix: string, settings: SenderSettings = { audio: true }): Promise<Stream> {
    await this.hosts.recovery;
    try {
      return await this.openStream(namePrefix, settings);
    } catch (error) {
      if (!isDeath(error)) throw error;
      await this.hosts.recovery;
      return this.openStream(namePrefix, settings);
    }
  }

  private async openStream(namePrefix: string, settings: SenderSettings): Promise<Stream> {
    const stream = await this.addSender(namePrefix, settings);
    try {
      await this.openReceiver(stream);
    } catch (error) {
      this.forget(stream);
      await this.hosts.find('sending')?.request({ name: 'closeSender', streamId: stream.id });
      throw error;
    }
    return stream;
  }

  /** Adds a sender of the open source alone: its receiver is elsewhere. A name in use is passed over. */
  async addSender(namePrefix: string, settings: SenderSettings = { audio: true }): Promise<Stream> {
    const { source } = this;
    if (!source) throw new Error('a stream needs an open source');
    for (let attempt = 1; ; attempt++) {
      const id = this.nextStreamId++;
      const stream = new Stream(id, `${namePrefix} ${id}`, source, monotonicNs(), this.options.wallOffsetUs);
      this.streams.push(stream);
      this.senderSettings.set(id, settings);
      try {
        await this.openSender(stream);
        const details = { streams: this.streams.length, senderName: stream.name };
        this.options.noteEvent('stream-added', streamsText(this.streams.length), details, id);
        return stream;
      } catch (error) {
        this.forget(stream);
        if (toProblem(error).code !== 'NAME_IN_USE' || attempt === maxNamesTried) throw error;
      }
    }
  }

  async removeStream(stream: Stream): Promise<void> {
    stream.removing = true;
    await this.hosts.recovery;
    try {
      await this.hosts.get('receiving').request({ name: 'closeReceiver', streamId: stream.id });
      await this.hosts.get('sending').request({ name: 'closeSender', streamId: stream.id });
    } finally {
      this.forget(stream);
    }
    this.options.noteEvent(
      'stream-removed',
      streamsText(this.streams.length),
      { streams: this.streams.length },
      stream.id,
    );
  }

  async removeAll(): Promise<void> {
    while (this.streams.length > 0) {
      const stream = this.streams[this.streams.length - 1];
      if (stream) await this.removeStream(stream);
    }
  }

  /** Replaces the faults to come; the receiver stalls, the sender does all the others. */
  async setFaults(stream: Stream, faults: Fault[]): Promise<void> {
    await this.hosts.recovery;
    const [stalls, others] = [true, false].map((isStall) =>
      faults.filter(({ verb }) => (verb === 'stall') === isStall),
    ) as [Fault[], Fault[]];
    await Promise.all([
      this.hosts.get('sending').request({ name: 'setFaults', streamId: stream.id, faults: others }),
      this.hosts.get('receiving').request({ name: 'setFaults', streamId: stream.id, faults: stalls }),
    ]);
    stream.injected = [...stream.injected, ...faults].slice(-keptFaults);
    this.options.noteEvent('fault-injected', faultsText(faults), { faults }, stream.id);
  }

  /** Tells watchers elsewhere how busy this machine was, along with the senders' records. */
  tellLoad({ cpuPercent, gpuPercent }: LoadSample): void {
    // A host that is dying has nobody to tell it to.
    this.hosts
      .find('sending')
      ?.request({ name: 'tellLoad', cpuPercent, gpuPercent })
      .catch(() => undefined);
  }

  /** Brings every record written so far to the ledgers; what a host that died still had is lost, and its row INVALID. */
  flush(): Promise<void> {
    return this.hosts.flush();
  }

  close(): void {
    this.hosts.close();
  }

  private ingest(message: RecordsMessage): void {
    for (const report of message.sources) if (this.source?.id === report.sourceId) this.source.add(report);
    for (const report of message.senders) this.find(report.streamId)?.addSenderReport(report);
    for (const report of message.receivers)
      this.find(report.streamId)?.addReceiverReport(report, message.atNs);
    for (const stream of this.streams) this.streamEvents.look(stream, message.atNs);
    if (this.source) this.damageEvents.look(this.source, message.atNs);
    this.noteFailedSource();
  }

  private noteFailedSource(): void {
    const { source } = this;
    if (source?.status?.state !== 'failed' || this.failedSource === source.id) return;
    this.failedSource = source.id;
    this.options.noteEvent('source-failed', `${source.text}: ${source.status.message}`, {
      sourceId: source.id,
    });
  }

  /** By its id: a host that died in between has put another object in the stream's place. */
  private forget({ id }: Stream): void {
    const index = this.streams.findIndex((stream) => stream.id === id);
    if (index >= 0) this.streams.splice(index, 1);
    this.senderSettings.delete(id);
  }

  private find(streamId: number): Stream | undefined {
    return this.streams.find((stream) => stream.id === streamId);
  }

  private async playSource(chosen: ChosenSource, signal?: AbortSignal): Promise<ActiveSource> {
    const { options, format, neededDiskRateMBps } = chosen;
    const text = this.settings?.source ?? '';
    const source = new ActiveSource(this.nextSourceId++, text, format, neededDiskRateMBps);
    this.source = source;
    try {
      const command = { name: 'openSource', sourceId: source.id, options } as const;
      await this.hosts.get('sending').request(command, undefined, signal);
    } catch (error) {
      this.source = null;
      throw error;
    }
    return source;
  }

  private async openSender(stream: Stream): Promise<void> {
    const fullName = await this.hosts.get('sending').request({
      name: 'openSender',
      streamId: stream.id,
      sourceId: stream.source.id,
      senderName: stream.name,
      shareRecords: this.options.shareRecords,
      audio: this.senderSettings.get(stream.id)?.audio ?? false,
    });
    if (typeof fullName === 'string') stream.fullName = fullName;
  }

  private openReceiver(stream: Stream): Promise<unknown> {
    const { captureLogFolder } = this.options;
    return this.hosts.get('receiving').request({
      name: 'openReceiver',
      streamId: stream.id,
      sourceName: stream.fullName,
      captureLogPath: captureLogFolder ? `${captureLogFolder}/captured-${stream.id}.log` : undefined,
      // One machine has one clock.
      askTime: false,
    });
  }

  private async revive(role: HostRole): Promise<void> {
    if (role === 'sending') await this.replaceSenders();
    else
      for (const stream of this.streams) {
        stream.reopen(monotonicNs());
        await this.openReceiver(stream);
      }
  }

  /** A new sending host means a new source with a new id: each stream starts anew under its old name and number. */
  private async replaceSenders(): Promise<void> {
    const { source, chosen } = this;
    if (!source || !chosen) return;
    const replacement = await this.playSource(chosen);
    for (const [index, old] of this.streams.entries()) {
      const { id, name, watchdog, connectionHistory } = old;
      const { wallOffsetUs } = this.options;
      const addedNs = monotonicNs();
      const stream = new Stream(id, name, replacement, addedNs, wallOffsetUs, watchdog, connectionHistory);
      this.streams[index] = stream;
      await this.openSender(stream);
    }
  }
}

function streamsText(count: number): string {
  return count === 1 ? '1 stream' : `${count} streams`;
}
