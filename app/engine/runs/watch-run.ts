import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import type { Clock } from '../../protocol/clock';
import type { StreamPhase, StreamState, StreamView } from '../../protocol/console';
import type { LoadSample } from '../../protocol/load';
import { stoppedText } from '../../protocol/stop';
import type { Thresholds } from '../../protocol/thresholds';
import type { Span } from '../streams/counting/capture-counter';
import { type LatencyNow, latencyNow } from '../streams/latency-now';
import { type LostPerSecond, lostPerSecond } from '../streams/lost-per-second';
import type { Stream } from '../streams/stream';
import type { NoteEvent } from '../streams/stream-hosts';
import { StreamViews } from '../streams/stream-view';
import { JoinedRows, type JoinedSet, type OpenRow } from './joined-rows';

/** A stream that is in another state than before, and what that means. */
export interface StateChange {
  streamId: number;
  name: string;
  state: StreamState;
  text: string;
  remedy: string;
  /** How long the last interruption lasted, until video came back; null before there was one. */
  recoveredAfterMs: number | null;
}

/** What is being done, and for how long. */
export interface WatchProgress {
  phase: StreamPhase;
  elapsedSeconds: number;
  /** Null: it ends when it is stopped. */
  remainingSeconds: number | null;
}

export interface WatchRunOptions {
  set: JoinedSet;
  /** Of the streams the senders are elsewhere; otherwise their receivers are. */
  isSenderRemote: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** A row is this long unless a sender ends it, or about so long where the time of all rows is limited. */
  rowSeconds: number;
  /** Aborted when the watcher is stopped; the open row is closed then. */
  signal: AbortSignal;
  noteEvent: NoteEvent;
  /** Once a second. */
  onViews(views: StreamView[], now: WatchProgress): void;
  onState(change: StateChange): void;
  onRow(row: StreamsRow): void;
  /** The first row is open: what comes from now on is counted. */
  onMeasuring?(): void;
  /** Before the first row begins; this gives the first slot of it, from which injected faults count. */
  onFirstRow?(firstSlot: (stream: Stream) => number | null): Promise<void>;
  clock: Clock;
}

const warmUpSeconds = 1;
const shortestRowNs = 0.5e9;
/** If something has to be in place first, the first row begins this much later. */
const openAheadNs = 200e6;
const pollMs = 100;
const lookMs = 250;
const looksPerView = 4;
/** Samples that the next row, and the explanation of its losses, may still need. */
const keptNs = 30e9;

/** A row waits for a stream that is silent at its end, so that what was lost meanwhile is in it. */
const silentStates: readonly StreamState[] = [
  ...(['stalled', 'connecting', 'no-video', 'stale-entry', 'sender-gone'] as const),
];

/**
 * Measures streams with one end elsewhere, in consecutive rows. A row ends when a sender is restarted. The next one opens when every stream
 * is over its warm-up, or has been absent for longer than a sender may take to connect.
 */
export class WatchRun {
  private readonly rows: JoinedRows;
  private readonly samples: LoadSample[] = [];
  private readonly views: StreamViews;
  private readonly states = new Map<number, string>();
  private viewed: StreamView[] = [];
  private looks = 0;
  /** From when to when rows are measured; null before all streams are ready. */
  private measured: Span | null = null;
  /** When it was stopped before that; null: it was not. */
  private endedNs: number | null = null;

  constructor(private readonly options: WatchRunOptions) {
    const { thresholds, wallOffsetUs, noteEvent, isSenderRemote, set, clock } = options;
    this.rows = new JoinedRows({
      ...{ ...options, warmUpSeconds, shortestRowNs },
      samples: () => this.samples,
    });
    this.views = new StreamViews({
      ...{ thresholds, warmUpSeconds, wallOffsetUs, noteEvent, isSenderRemote, set, clock },
    });
  }

  /** The worst verdict of the rows, and why; null if there is none. `isCut`: it was stopped before its time. */
  outcome(names: readonly string[]): { verdict: Verdict | null; reason: string; isCut: boolean } {
    const { verdict, reason } = this.judged(names);
    const { endedNs, measured } = this;
    if (verdict === null || !measured || endedNs === null || !Number.isFinite(measured.toNs))
      return { verdict, reason, isCut: false };
    const data = {
      measuredSeconds: (endedNs - measured.fromNs) / 1e9,
      holdSeconds: (measured.toNs - measured.fromNs) / 1e9,
      by: stoppedText(this.options.signal),
    };
    const cut = wordsOf([reasonOf('cut-short', data)]);
    return { verdict, reason: `${reason}; ${cut}`, isCut: true };
  }

  private judged(names: readonly string[]): { verdict: Verdict | null; reason: string } {
    const { judged } = this.rows;
    const { rows, verdict } = judged;
    if (rows === 0) {
      const stopped = stoppedText(this.options.signal);
      return { verdict: null, reason: `${stopped} before the first row was measured` };
    }
    const nothing = this.options.isSenderRemote ? undefined : 'no frame missed';
    const measured = rows === 1 ? '1 row' : `${rows} rows`;
    return { verdict, reason: judged.reason(`${measured} of ${names.join(', ')}`, nothing) };
  }

  /** As they were shown last. */
  get newestViews(): readonly StreamView[] {
    return this.viewed;
  }

  /** The open row as it stands; null before it is known. */
  provisionalRow(): StreamsRow | null {
    return this.rows.provisionalRow(this.options.clock.monotonicNs());
  }

  addSample(sample: LoadSample): void {
    const { samples, rows } = this;
    samples.push(sample);
    const keptFromNs = (rows.open?.fromNs ?? sample.atNs) - keptNs;
    while (!rows.isWriting && samples[0] && samples[0].atNs < keptFromNs) samples.shift();
    this.views.noteLoad(sample);
  }

  lostPerSecond(): LostPerSecond {
    return lostPerSecond(this.viewed);
  }

  latency(): LatencyNow | null {
    return latencyNow(this.options.set.streams, this.nowNs());
  }

  /** Measures rows until the signal aborts, or for so long. */
  async run(seconds: number): Promise<void> {
    const stopLooking = this.options.clock.every(lookMs, () => this.look(this.nowNs()));
    try {
      await this.waitUntilReady();
      if (!this.options.signal.aborted) await this.measure(seconds);
    } finally {
      stopLooking();
      this.views.end(this.options.set.streams, this.nowNs());
      if (this.options.isSenderRemote) this.rows.clean.note(this.options.noteEvent);
    }
  }

  /**
   * Ends the open row at this moment and opens the next. Resolves once all that was measured until now is handed over. Not before rows are
   * measured, nor after they ended.
   */
  cut(): Promise<void> {
    return this.rows.turn((atNs) => this.next(atNs));
  }

  private nowNs(): number {
    return this.options.clock.monotonicNs();
  }

  private get now(): WatchProgress {
    const { measured } = this;
    if (!measured) return { phase: 'connecting', elapsedSeconds: 0, remainingSeconds: null };
    const nowNs = this.nowNs();
    const remainingSeconds = Number.isFinite(measured.toNs) ? (measured.toNs - nowNs) / 1e9 : null;
    return { phase: 'measuring', elapsedSeconds: (nowNs - measured.fromNs) / 1e9, remainingSeconds };
  }

  private async measure(seconds: number): Promise<void> {
    const { rows } = this;
    const { signal, clock, onFirstRow } = this.options;
    const failures: unknown[] = [];
    const opened = rows.turn((atNs) => rows.row(onFirstRow ? atNs + openAheadNs : atNs));
    // The first row has all of the time: 15 s less a moment would be one row, not two.
    const fromNs = rows.open?.fromNs ?? this.nowNs();
    const endNs = fromNs + seconds * 1e9;
    this.measured = { fromNs, toNs: endNs };
    await opened;
    this.options.onMeasuring?.();
    const meter = rows.open?.meter;
    if (meter) await onFirstRow?.((stream) => meter.firstSlot(stream));
    for (;;) {
      while (this.goesOn(endNs)) await clock.sleep(pollUntilMs(this.rowEndNs(endNs) - this.nowNs()), signal);
      if (signal.aborted && this.nowNs() < endNs) this.endedNs = this.nowNs();
      const isLast = signal.aborted || this.nowNs() >= endNs;
      const writing = rows.turn((atNs) => (isLast ? null : this.next(atNs)));
      if (isLast) {
        await writing;
        if (failures.length > 0) throw failures[0];
        return;
      }
      writing.catch((error) => failures.push(error));
    }
  }

  private rowEndNs(endNs: number): number {
    const { open } = this.rows;
    return open ? rowEndNs(open.fromNs, endNs, this.options.rowSeconds * 1e9) : endNs;
  }

  private next(atNs: number): OpenRow | null {
    return this.rows.isReady(atNs) ? this.rows.row(atNs) : this.rows.between(atNs);
  }

  private goesOn(endNs: number): boolean {
    const { rows, options } = this;
    const nowNs = this.nowNs();
    const toNs = this.rowEndNs(endNs);
    if (options.signal.aborted || nowNs >= endNs) return false;
    const { open } = rows;
    if (!open) return !rows.isReady(nowNs);
    if (rows.isBroken(open)) return false;
    if (open.kind === 'between') return !rows.isReady(nowNs);
    if (open.meter.isOutdated) return false;
    if (nowNs < toNs) return true;
    // One that has waited takes what is left, if that would be a stub of a row.
    const isStub = endNs - nowNs < options.rowSeconds * 0.5e9;
    const latestNs = toNs + options.thresholds.connectTimeoutSeconds * 1e9;
    return isStub || (nowNs < latestNs && this.isSilent(open.streams, nowNs));
  }

  private isSilent(streams: readonly Stream[], nowNs: number): boolean {
    const limits = { ...this.options.thresholds, warmUpSeconds };
    return streams.some(
      (stream) => stream.firstCaptureNs > 0 && silentStates.includes(stream.state(nowNs, limits)),
    );
  }

  private async waitUntilReady(): Promise<void> {
    const { signal, clock } = this.options;
    while (!signal.aborted && !this.rows.isReady(this.nowNs())) await clock.sleep(pollMs, signal);
  }

  private look(nowNs: number): void {
    this.viewed = this.views.views(this.options.set.streams, this.rows.countedToNs(nowNs), nowNs);
    for (const view of this.viewed) this.noteState(view);
    if (this.looks++ % looksPerView === 0) this.options.onViews(this.viewed, this.now);
  }

  private noteState({ id, name, state, stateText, remedy, recoveredAfterMs }: StreamView): void {
    // What is said of a state may change while it lasts: a link that was down is back.
    const said = `${state}: ${stateText}`;
    if (this.states.get(id) === said) return;
    this.states.set(id, said);
    this.options.onState({ streamId: id, name, state, text: stateText, remedy, recoveredAfterMs });
  }
}

/** When a row ends that began then. What is left until the end is divided into equal rows, so that the last one is no stub. */
export function rowEndNs(fromNs: number, endNs: number, rowNs: number): number {
  const rows = rowsIn(endNs - fromNs, rowNs);
  if (rows === 1) return endNs;
  return Number.isFinite(rows) ? fromNs + (endNs - fromNs) / rows : fromNs + rowNs;
}

/** Into how many rows of about their usual length a time is divided; both in the same unit. */
export function rowsIn(time: number, usual: number): number {
  return Math.max(1, Math.round(time / usual));
}

/** Not past the end of a row; one that waits for a silent stream has it behind it. */
function pollUntilMs(leftNs: number): number {
  return leftNs > 0 ? Math.min(pollMs, leftNs / 1e6 + 1) : pollMs;
}
