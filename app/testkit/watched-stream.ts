import { join } from 'node:path';
import { isoOf, machineClock } from '../engine/clock';
import { exportText } from '../engine/reports/export';
import type { RemoteWatch } from '../engine/runs/remote-watch';
import type { StateChange } from '../engine/runs/watch-run';
import { writeNewFile } from '../engine/sessions/new-file';
import { lastPictureNs } from '../engine/streams/outages';
import type { NoteEvent } from '../engine/streams/stream-hosts';
import type { StreamsRow } from '../facts/stream-row';
import { badInput, WhitelineError } from '../protocol/errors';
import { stallSeconds } from '../protocol/thresholds';
import { secondsOf } from './duration';
import { checkOptions, optionsOf } from './options';
import { application } from './package-folder';
import { plainEvent, plainLoss, plainOutage, plainStream } from './plain-rows';
import { ended } from './problems';
import { Recovery } from './recovery';
import { areOfOneSender, namesAlike, sentName, sentNames } from './sent-sources';
import type {
  Cut,
  Duration,
  Measurement,
  MeasureOptions,
  Silence,
  StreamEvent,
  WatchedStream,
} from './types';

/** A shorter row proves nothing if nothing was lost, and is left out. So at least this long is measured. */
const leastSeconds = 0.6;
const pollMs = 50;
/** A cut is known this long after it at the latest, including a dissolve. */
export const cutSettlesSeconds = 2.5;
/** How often the engine looks at its streams. */
const lookSeconds = 0.25;

/** What a watch hears from the engine, from before its stream is there. */
export class Heard {
  readonly rows: StreamsRow[] = [];
  /** Those of all streams; a programme has its sources beside it. */
  readonly events: { event: StreamEvent; streamId: number | undefined }[] = [];
  state: Pick<StateChange, 'state' | 'text'> = { state: 'searching', text: '' };
  problem: WhitelineError | null = null;

  event(at: string, ...[kind, text, details, streamId]: Parameters<NoteEvent>): void {
    this.events.push({ event: plainEvent({ at, kind, text, details }), streamId });
  }

  /** Of a stream, or of no stream in particular, without the first ones. */
  eventsOf(streamId: number | undefined, since: number): StreamEvent[] {
    return this.events
      .slice(since)
      .filter((one) => one.streamId === undefined || one.streamId === streamId)
      .map(({ event }) => event);
  }
}

/** One source, measured in the background until it is closed. */
export class MeasuredSource implements WatchedStream {
  private sinceRow = 0;
  private sinceEvent = 0;
  private sinceNs = machineClock.monotonicNs();
  private lastMethod: Measurement['method'] = 'frame-code';
  private closing: Promise<void> | null = null;

  /** @param over resolves when measuring has ended, for whatever reason */
  constructor(
    readonly name: string,
    readonly folder: string | null,
    private readonly watch: RemoteWatch,
    private readonly heard: Heard,
    private readonly over: Promise<void>,
    private readonly stop: AbortController,
  ) {
    this.lastMethod = this.method;
    stop.signal.addEventListener('abort', () => this.close().catch(() => undefined), { once: true });
  }

  /** A sender that is gone was followed as before: what is in its place by then may not be known. */
  get method(): Measurement['method'] {
    const followedBy = this.watch.set.followed.streams[0]?.followedBy;
    if (followedBy) this.lastMethod = followedBy === 'times' ? 'timestamps' : 'frame-code';
    return this.lastMethod;
  }

  get state(): string {
    return this.heard.state.text;
  }

  get sources(): string[] {
    const [programme, ...beside] = this.watch.set.followed.streams;
    if (!programme?.programme) return [];
    const known = [...beside.map(({ sourceName }) => sourceName), ...sentNames()];
    return [...new Set(known)].filter((name) => name !== this.name);
  }

  async mark(): Promise<void> {
    await this.cut();
    this.sinceRow = this.heard.rows.length;
    this.sinceEvent = this.heard.events.length;
    this.sinceNs = machineClock.monotonicNs();
  }

  async measure(options: MeasureOptions = {}): Promise<Measurement> {
    checkOptions(optionsOf.measure, options, 'measure');
    const { for: length = 0 } = options;
    // A mark that is made meanwhile is none of this.
    const { sinceRow, sinceEvent, sinceNs } = this;
    const sinceMark = (machineClock.monotonicNs() - sinceNs) / 1e9;
    const seconds = Math.max(secondsOf(length, 'for'), leastSeconds - sinceMark);
    if (seconds > 0) await machineClock.sleep(seconds * 1000, this.stop.signal);
    await this.cut();
    const rows = this.heard.rows.slice(sinceRow);
    // Behind it stand the sources of a programme, which are watched for their names.
    const streams = rows.flatMap((row) => row.subjects.slice(0, 1).map((stream) => ({ row, stream })));
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last)
      throw new WhitelineError({
        code: 'NO_VIDEO',
        message: `${this.name}: nothing was measured since the mark; the stream is: ${this.state}`,
      });
    return {
      ...{ source: this.name, method: this.method, from: first.from, to: last.to },
      seconds: rows.reduce((sum, { figures }) => sum + figures.measuredSeconds, 0),
      standstill: this.heard.state.state === 'receiving' ? null : this.state,
      rows: streams.map(({ row, stream }) => plainStream(row, stream)),
      losses: streams.flatMap(({ stream }) => stream.losses.map(plainLoss)),
      outages: streams.flatMap(({ stream }) => (stream.outages ?? []).map(plainOutage)),
      silences: this.silencesAfter(Date.parse(first.from)),
      events: this.heard.eventsOf(this.watch.set.followed.streams[0]?.id, sinceEvent),
      cutBefore: this.cutsBetween(0, sinceNs).at(-1) ?? null,
    };
  }

  async recovers(within: Duration): Promise<boolean> {
    const recovery = new Recovery(machineClock.monotonicNs() + secondsOf(within, 'within') * 1e9);
    for (;;) {
      this.requireOpen();
      const [stream] = this.watch.set.followed.streams;
      const newestNs = stream === undefined ? null : lastPictureNs(stream);
      const isReceiving = this.heard.state.state === 'receiving';
      const isBack = recovery.look(machineClock.monotonicNs(), isReceiving, newestNs, this.stallNs);
      if (isBack !== null) return isBack;
      await machineClock.sleep(pollMs, this.stop.signal);
    }
  }

  async cuts(
    within: Duration = 0,
    areEnough: (cuts: readonly Cut[]) => boolean = () => false,
  ): Promise<Cut[] | null> {
    const [stream] = this.watch.set.followed.streams;
    if (!stream?.programme || stream.followedBy === 'times') return null;
    const { sinceNs } = this;
    const untilNs = machineClock.monotonicNs() + secondsOf(within, 'within') * 1e9;
    for (;;) {
      this.requireOpen();
      const cuts = this.cutsBetween(sinceNs, untilNs);
      this.requireDistinct(stream.programme.shownSourceId, cuts);
      if (areEnough(cuts) || machineClock.monotonicNs() >= untilNs + cutSettlesSeconds * 1e9) return cuts;
      await machineClock.sleep(pollMs, this.stop.signal);
    }
  }

  async report(): Promise<string> {
    if (this.folder === null)
      throw badInput('out', 'a folder that the run is recorded into', undefined, 'Give watch one');
    const html = exportText(this.folder, 'html', application().reportTemplate, this.closing === null);
    const file = join(this.folder, 'report.html');
    writeNewFile(file, html, 'replace');
    return file;
  }

  close(): Promise<void> {
    this.closing ??= Promise.resolve().then(() => this.end());
    return this.closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async end(): Promise<void> {
    this.stop.abort();
    try {
      await this.over;
      const { verdict, reason } = this.watch.run.outcome([this.name]);
      await this.watch.end(verdict ? 'finished' : 'aborted', verdict, reason);
    } finally {
      await this.watch.close();
    }
  }

  /** So long after its last picture a stream stands still, and is said to a look later. */
  private get stallNs(): number {
    const { framesPerSecond = 0 } = this.watch.run.newestViews[0] ?? {};
    return (stallSeconds(framesPerSecond || 1) + lookSeconds) * 1e9;
  }

  private silencesAfter(fromMs: number): Silence[] {
    const { offsetUs } = this.watch.wall;
    const [stream] = this.watch.set.followed.streams;
    const recoveries = stream?.watchdog.recoveriesAfter(1e6 * fromMs - 1e3 * offsetUs) ?? [];
    return recoveries.map(({ atNs, afterMs }) => ({
      startedAt: isoOf(atNs - afterMs * 1e6, offsetUs),
      endedAt: isoOf(atNs, offsetUs),
    }));
  }

  private cutsBetween(fromNs: number, toNs: number): Cut[] {
    const { followed } = this.watch.set;
    const [stream] = followed.streams;
    return stream?.programme ? followed.cutsOf(stream, fromNs, toNs).filter(isOfTwo).map(named) : [];
  }

  private async cut(): Promise<void> {
    this.requireOpen();
    await this.watch.run.cut();
  }

  /** A cut between two that show the same frames is none to see. */
  private requireDistinct(shownId: number | null, cuts: readonly Cut[]): void {
    const ids = [shownId ?? [], ...cuts.map(({ from, to }) => [from.sourceId, to.sourceId])].flat();
    const alike = namesAlike(ids);
    if (alike)
      throw new WhitelineError({
        code: 'BAD_INPUT',
        message: `${this.name} was not measured: ${alike.join(' and ')} show the same frames, so that no cut between them can be seen; send with ownSources: true`,
      });
  }

  private requireOpen(): void {
    if (this.heard.problem) throw this.heard.problem;
    if (this.stop.signal.aborted) throw ended(`The watch of ${this.name}`);
  }
}

/** A sender of ours whose process was started again has another source; no mixer cut to that. */
function isOfTwo({ from, to }: Cut): boolean {
  return !areOfOneSender(from.sourceId, to.sourceId);
}

/** As this process sends it, where the engine knows no name. */
function named(cut: Cut): Cut {
  const withName = <Source extends Cut['to']>(source: Source): Source => ({
    ...source,
    name: source.name ?? sentName(source.sourceId),
  });
  return { ...cut, from: withName(cut.from), to: withName(cut.to) };
}
