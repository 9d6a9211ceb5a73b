import { toProblem, WhitelineError } from '../../protocol/errors';
import type { HostReady, RecordsMessage } from '../../protocol/host';
import type { Fault } from '../../protocol/records';
import type { RunEvent } from '../../protocol/run';
import { monotonicNs } from '../clock';
import type { HostApplication, HostRole } from '../host-application';
import { DamageEvents } from './sources/damage-events';
import { type ChosenSource, chooseSource, type SourceSettings, sameSettings } from './sources/source-choice';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';
import { StreamHost } from './stream-host';

export type NoteEvent = (
  kind: RunEvent['kind'],
  text: string,
  details?: Record<string, unknown>,
  streamId?: number,
) => void;

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

/** A host that dies more often than this within a run is not started again. */
const maxRestarts = 3;
/** Other consoles on this machine may have taken the first names. */
const maxNamesTried = 20;

/** The streams of this machine: one source, its senders and receivers, and the two processes in which they live. */
export class StreamSet {
  private readonly hosts = new Map<HostRole, StreamHost>();
  private readonly restarts: Record<HostRole, number> = { sending: 0, receiving: 0 };
  private settings: SourceSettings | null = null;
  private chosen: ChosenSource | null = null;
  private nextSourceId = 1;
  private nextStreamId = 1;
  private closed = false;
  /** Ends when every host that died is started again, with what lived in it. */
  private recovery: Promise<void> = Promise.resolve();
  /** A host died and is not back yet: no row may open on what lived in it. */
  recovering = false;
  source: ActiveSource | null = null;
  readonly streams: Stream[] = [];
  private readonly streamEvents: StreamEvents;
  private readonly damageEvents: DamageEvents;
  private failedSource = 0;
  /** Rises with each death of a host: rows that saw one are INVALID. */
  deaths = 0;
  /** Rises with each new receiving host. */
  receivingHost = 0;
  /** Rises with each new sending host. */
  sendingHost = 0;

  constructor(private readonly options: StreamSetOptions) {
    this.streamEvents = new StreamEvents(options.noteEvent);
    this.damageEvents = new DamageEvents(options.noteEvent);
  }

  /** Starts both hosts. */
  async start(): Promise<HostReady> {
    const [sending] = await Promise.all([this.spawn('sending'), this.spawn('receiving')]);
    return sending;
  }

  processIds(role: HostRole): number[] {
    return this.hosts.get(role)?.processIds ?? [];
  }

  /**
   * What would be opened for these settings; the sending host looks at a movie.
   * @throws WhitelineError for a source or format that cannot be played
   */
  async choose(settings: SourceSettings): Promise<ChosenSource> {
    await this.recovery;
    return chooseSource(settings, { request: (...request) => this.host('sending').request(...request) });
  }

  /**
   * Opens what is played, in place of what was played before; the streams must be gone.
   * @throws WhitelineError for a source or format that cannot be played; ABORTED when the signal aborts before it plays
   */
  async openSource(settings: SourceSettings, signal?: AbortSignal): Promise<ActiveSource> {
    const chosen = await this.choose(settings);
    await this.recovery;
    await this.closeSource();
    this.settings = settings;
    this.chosen = chosen;
    return this.playSource(chosen, signal);
  }

  async closeSource(): Promise<void> {
    const { source } = this;
    this.source = null;
    if (source) this.damageEvents.end(source);
    if (source) await this.host('sending').request({ name: 'closeSource', sourceId: source.id });
  }

  /** True when these settings are what is playing now. */
  plays(settings: SourceSettings): boolean {
    return this.source !== null && this.settings !== null && sameSettings(this.settings, settings);
  }

  /**
   * Adds one stream of the open source: sender first, then a receiver that looks for it. A host that dies meanwhile is
   * waited for, once.
   */
  async addStream(namePrefix: string): Promise<Stream> {
    await this.recovery;
    try {
      return await this.openStream(namePrefix);
    } catch (error) {
      if (!isDeath(error)) throw error;
      await this.recovery;
      return this.openStream(namePrefix);
    }
  }

  private async openStream(namePrefix: string): Promise<Stream> {
    const stream = await this.addSender(namePrefix);
    try {
      await this.openReceiver(stream);
    } catch (error) {
      this.forget(stream);
      await this.hosts.get('sending')?.request({ name: 'closeSender', streamId: stream.id });
      throw error;
    }
    return stream;
  }

  /** Adds a sender of the open source alone: its receiver is elsewhere. A name in use is passed over. */
  async addSender(namePrefix: string): Promise<Stream> {
    const { source } = this;
    if (!source) throw new Error('a stream needs an open source');
    for (let attempt = 1; ; attempt++) {
      const id = this.nextStreamId++;
      const stream = new Stream(id, `${namePrefix} ${id}`, source, monotonicNs(), this.options.wallOffsetUs);
      this.streams.push(stream);
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
    await this.recovery;
    try {
      await this.host('receiving').request({ name: 'closeReceiver', streamId: stream.id });
      await this.host('sending').request({ name: 'closeSender', streamId: stream.id });
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

  async setFaults(stream: Stream, faults: Fault[]): Promise<void> {
    await this.recovery;
    await this.host('sending').request({ name: 'setFaults', streamId: stream.id, faults });
    const text = faults.map((fault) => `${fault.verb} ${fault.first} to ${fault.last}`).join(', ');
    this.options.noteEvent('fault-injected', text, { faults }, stream.id);
  }

  /** Brings every record written so far to the ledgers; what a host that died still had is lost, and its row INVALID. */
  async flush(): Promise<void> {
    const flushed = [...this.hosts.values()].map((host) => host.request({ name: 'flush' }));
    for (const result of await Promise.allSettled(flushed)) {
      if (result.status === 'rejected' && !isDeath(result.reason)) throw result.reason;
    }
  }

  close(): void {
    this.closed = true;
    for (const host of this.hosts.values()) host.close();
    this.hosts.clear();
  }

  private host(role: HostRole): StreamHost {
    const host = this.hosts.get(role);
    if (!host) {
      throw new WhitelineError({
        code: 'HOST_DIED',
        message: `The ${role} process is not running`,
        remedy: 'Restart the application',
      });
    }
    return host;
  }

  private async spawn(role: HostRole): Promise<HostReady> {
    const host: StreamHost = new StreamHost(role, this.options.application.spawnStreamHost(role), {
      onRecords: (message) => this.ingest(message),
      onDeath: (exitCode) => {
        this.deaths += 1;
        this.recovering = true;
        this.recovery = this.recovery
          .then(() => this.recover(role, exitCode))
          .finally(() => {
            this.recovering = false;
          });
      },
    });
    this.hosts.set(role, host);
    if (role === 'receiving') this.receivingHost += 1;
    else this.sendingHost += 1;
    return host.start(this.options.ndiCandidates, this.options.wallOffsetUs);
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
      await this.host('sending').request(command, undefined, signal);
    } catch (error) {
      this.source = null;
      throw error;
    }
    return source;
  }

  private async openSender(stream: Stream): Promise<void> {
    const fullName = await this.host('sending').request({
      name: 'openSender',
      streamId: stream.id,
      sourceId: stream.source.id,
      senderName: stream.name,
      shareRecords: this.options.shareRecords,
    });
    if (typeof fullName === 'string') stream.fullName = fullName;
  }

  private openReceiver(stream: Stream): Promise<unknown> {
    const { captureLogFolder } = this.options;
    return this.host('receiving').request({
      name: 'openReceiver',
      streamId: stream.id,
      sourceName: stream.fullName,
      captureLogPath: captureLogFolder ? `${captureLogFolder}/captured-${stream.id}.log` : undefined,
    });
  }

  /** Starts a dead host again with what lived in it. The open row is INVALID; the streams go on. */
  private async recover(role: HostRole, exitCode: number): Promise<void> {
    if (this.closed) return;
    this.hosts.delete(role);
    const { noteEvent, onChange } = this.options;
    noteEvent('host-died', `The ${role} process ended with code ${exitCode}`, { role, exitCode });
    try {
      if (++this.restarts[role] > maxRestarts)
        throw new Error(`the ${role} process died ${maxRestarts + 1} times`);
      await this.spawn(role);
      if (role === 'sending') await this.replaceSenders();
      else for (const stream of this.streams) await this.openReceiver(stream);
      noteEvent('host-started', `The ${role} process was started again`, { role });
    } catch (error) {
      noteEvent('problem', `The ${role} process could not be started again: ${(error as Error).message}`);
    }
    onChange();
  }

  /** A new sending host means a new source with a new id: each stream starts anew under its old name and number. */
  private async replaceSenders(): Promise<void> {
    const { source, chosen } = this;
    if (!source || !chosen) return;
    const replacement = await this.playSource(chosen);
    for (const [index, old] of this.streams.entries()) {
      const stream = new Stream(old.id, old.name, replacement, monotonicNs(), this.options.wallOffsetUs);
      this.streams[index] = stream;
      await this.openSender(stream);
    }
  }
}

function isDeath(error: unknown): boolean {
  return error instanceof WhitelineError && error.code === 'HOST_DIED';
}

function streamsText(count: number): string {
  return count === 1 ? '1 stream' : `${count} streams`;
}
