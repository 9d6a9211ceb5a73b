import { randomInt } from 'node:crypto';
import { WhitelineError } from '../../protocol/errors';
import type { SourceReport } from '../../protocol/host';
import type { Reads } from '../../protocol/records';
import { type SourceSettings, sameSettings } from '../../protocol/source-spec';
import { DamageEvents } from './sources/damage-events';
import type { ChosenSource } from './sources/source-choice';
import { ActiveSource } from './stream';
import type { StreamHost } from './stream-host';
import { ignoreDeath, type NoteEvent, type StreamHosts } from './stream-hosts';

/** Source ids that the frame code has: from 1 on. */
const codeIds = 65_535;

/** A source, the host it lives in, and what is needed to play it again. */
interface OpenSource {
  settings: SourceSettings;
  chosen: ChosenSource;
  host: StreamHost;
  /** Its host is its own, and ends with it. */
  ownsHost: boolean;
  /** Null until it plays. */
  active: ActiveSource | null;
}

/** The sources of this machine and the sending hosts in which they play. */
export class OpenSources {
  private readonly open: OpenSource[] = [];
  /** Includes sources that a new host plays again under another number. */
  private readonly places = new WeakMap<ActiveSource, OpenSource>();
  private readonly damageEvents: DamageEvents;
  private readonly failed = new WeakSet<ActiveSource>();
  private readonly withoutPriority = new WeakSet<ActiveSource>();
  private nextSourceId = 1;
  /** Where the ids in the frame code begin: another console of the network has others, most likely. */
  private readonly firstCodeId = randomInt(codeIds);

  constructor(
    private readonly hosts: StreamHosts,
    private readonly noteEvent: NoteEvent,
  ) {
    this.damageEvents = new DamageEvents(noteEvent);
  }

  /** In the order in which they were opened. */
  get active(): ActiveSource[] {
    return this.open.flatMap(({ active }) => active ?? []);
  }

  /** True when these settings are what is playing now, and nothing else. */
  plays(settings: SourceSettings): boolean {
    const [only] = this.open;
    return this.open.length === 1 && only?.active != null && sameSettings(only.settings, settings);
  }

  /** @throws WhitelineError if its host cannot play it; ABORTED when the signal aborts before it plays */
  async add(
    settings: SourceSettings,
    chosen: ChosenSource,
    { ownProcess = false, signal }: { ownProcess?: boolean; signal?: AbortSignal },
  ): Promise<ActiveSource> {
    const host = ownProcess ? await this.newHost() : this.hosts.first('sending');
    const source: OpenSource = { settings, chosen, host, ownsHost: ownProcess, active: null };
    this.open.push(source);
    try {
      return await this.play(source, signal);
    } catch (error) {
      this.forget(source);
      throw error;
    }
  }

  async close(active: ActiveSource): Promise<void> {
    const source = this.places.get(active);
    if (!source || !this.open.includes(source)) return;
    const current = source.active ?? active;
    this.damageEvents.end(current);
    this.forget(source);
    if (source.ownsHost) return;
    await source.host.request({ name: 'closeSource', sourceId: current.id }).catch(ignoreDeath);
  }

  /** The host of a source, which stays the same when it plays again in a new process. */
  hostOf(active: ActiveSource): StreamHost {
    return this.placeOf(active).host;
  }

  /** The same for a source with its own host; otherwise null. */
  ownHostOf(active: ActiveSource): StreamHost | null {
    const { host, ownsHost } = this.placeOf(active);
    return ownsHost ? host : null;
  }

  /** What plays now where this source did. */
  current(active: ActiveSource): ActiveSource {
    return this.placeOf(active).active ?? active;
  }

  /** Plays again, in a host's new process, what played in it. */
  async revive(host: StreamHost): Promise<void> {
    for (const source of this.open) if (source.host === host && source.active) await this.play(source);
  }

  ingest(reports: readonly SourceReport[], atNs: number): void {
    for (const active of this.active) {
      const report = reports.find(({ sourceId }) => sourceId === active.id);
      if (report) active.add(report);
      this.damageEvents.look(active, atNs);
      this.noteFailure(active);
      this.noteThread(active);
    }
  }

  private noteFailure(active: ActiveSource): void {
    if (active.status?.state !== 'failed' || this.failed.has(active)) return;
    this.failed.add(active);
    const text = `${active.text}: ${active.status.message}`;
    this.noteEvent('source-failed', text, { sourceId: active.id });
  }

  private noteThread(active: ActiveSource): void {
    const { status, text, id } = active;
    if (!status?.realTimeFinding || this.withoutPriority.has(active)) return;
    this.withoutPriority.add(active);
    this.noteEvent('thread-policy', `${text}: the source’s thread ${status.realTimeFinding}`, {
      sourceId: id,
    });
  }

  private async newHost(): Promise<StreamHost> {
    const { host, ready } = await this.hosts.add('sending');
    if (!ready.transportProblem) return host;
    this.hosts.remove(host);
    throw new WhitelineError(ready.transportProblem);
  }

  private async play(source: OpenSource, signal?: AbortSignal): Promise<ActiveSource> {
    const { format, neededDiskRateMBps, options, remarks, environment } = source.chosen;
    const reads = readsOf(options);
    const id = this.nextSourceId++;
    const { source: text, pixelFormat } = source.settings;
    const active = new ActiveSource(id, text, format, neededDiskRateMBps, reads, pixelFormat, remarks);
    this.places.set(active, source);
    source.active = active;
    try {
      const codeSourceId = 1 + ((this.firstCodeId + active.id) % codeIds);
      const command = { name: 'openSource', sourceId: active.id, codeSourceId, options } as const;
      await source.host.request(command, undefined, signal);
      // The run's environment knows the movies of this machine alone.
      const there = options.elsewhere ? [`of ${environment.machine}, played by ${environment.playedBy}`] : [];
      const said = [...there, ...remarks];
      const details = { sourceId: active.id, ...(options.elsewhere && { movie: environment }) };
      if (said.length > 0) this.noteEvent('source-remark', `${text}: ${said.join('; ')}`, details);
    } catch (error) {
      source.active = null;
      throw error;
    }
    return active;
  }

  private forget(source: OpenSource): void {
    const index = this.open.indexOf(source);
    if (index >= 0) this.open.splice(index, 1);
    if (source.ownsHost) this.hosts.remove(source.host);
  }

  private placeOf(active: ActiveSource): OpenSource {
    const source = this.places.get(active);
    if (!source) throw new Error(`source ${active.id} was never open here`);
    return source;
  }
}

/** How a Hap movie is read from its disk; null for what is not. */
function readsOf({ kind, hap, elsewhere }: ChosenSource['options']): Reads | null {
  const { preload = false, reads = 'cached' } = hap ?? elsewhere ?? {};
  return kind === 'hap' && !preload ? reads : null;
}
