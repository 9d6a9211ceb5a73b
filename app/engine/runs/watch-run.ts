import type { StreamPhase, StreamState, StreamView } from '../../protocol/console';
import type { LoadSample } from '../../protocol/load';
import type { StreamsRow } from '../../protocol/stream-row';
import type { Thresholds } from '../../protocol/thresholds';
import type { Verdict } from '../../protocol/verdict';
import { type MachineClocks, monotonicNs, sleep } from '../clock';
import type { LiveStreams } from './live-run';
import { RowsVerdict } from './rows-verdict';
import type { Span } from '../streams/counting/range-counter';
import { type LatencyNow, latencyNow } from '../streams/latency-now';
import type { NoteEvent } from '../streams/living-hosts';
import { lostPerSecond } from '../streams/lost-per-second';
import { isClean } from '../streams/rows/clean-row';
import { RowMeter, type RowMeterOptions } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import { StreamViews } from '../streams/stream-view';

/** A stream that is in another state than before, and what that means. */
export interface StateChange {
  streamId: number;
  name: string;
  state: StreamState;
  text: string;
  remedy: string;
  /** How long the newest interruption lasted until video came back; null before there was one. */
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
  set: Omit<LiveStreams, 'removeStream'>;
  /** Of the streams the senders are elsewhere; otherwise their receivers are. */
  senderElsewhere: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** A row is this long unless a sender ends it. */
  rowSeconds: number;
  /** Aborted when the watcher is stopped; the open row is closed then. */
  signal: AbortSignal;
  noteEvent: NoteEvent;
  /** Once a second. */
  onViews(views: StreamView[], now: WatchProgress): void;
  onState(change: StateChange): void;
  onRow(row: StreamsRow): void;
  /** Of this machine; a test sets others. */
  clocks?: MachineClocks;
}

const warmUpSeconds = 1;
/** A row shorter than this says nothing where nothing was lost in it, and is left out. */
const shortestRowNs = 0.5e9;
const pollMs = 100;
const lookMs = 250;
const looksPerView = 4;
/** Samples that the next row, and the explanation of its losses, may still need. */
const keptNs = 30e9;

/** A row waits for a stream that is silent at its end, so that what was lost meanwhile is in it. */
const silentStates: readonly StreamState[] = [
  ...(['stalled', 'connecting', 'no-video', 'stale-entry', 'sender-gone'] as const),
];

interface OpenRow {
  kind: 'row' | 'between';
  meter: RowMeter;
  streams: readonly Stream[];
  fromNs: number;
  changesBefore: number;
}

/**
 * Measures streams of which one end is elsewhere, one row after the other. A row ends when a sender is started again; the
 * next one opens when every stream is over its warm-up, or is not there for longer than a sender may take to connect. Rows join: what
 * lies between is counted too, and is a row of its own when something was lost in it.
 */
export class WatchRun {
  private readonly judged = new RowsVerdict();
  private readonly samples: LoadSample[] = [];
  private readonly views: StreamViews;
  private readonly states = new Map<number, StreamState>();
  private viewed: StreamView[] = [];
  private looks = 0;
  /** From when to when rows are measured; null before all streams are ready. */
  private measured: Span | null = null;
  private open: OpenRow | null = null;
  /** Rows are handed over one after the other. */
  private written: Promise<void> = Promise.resolve();

  constructor(private readonly options: WatchRunOptions) {
    const { thresholds, wallOffsetUs, noteEvent, senderElsewhere } = options;
    this.views = new StreamViews({ thresholds, warmUpSeconds, wallOffsetUs, noteEvent, senderElsewhere });
  }

  /** The worst verdict of the rows, and why; null where there is none. */
  outcome(names: readonly string[]): { verdict: Verdict | null; reason: string } {
    const { rows, verdict } = this.judged;
    if (rows === 0) return { verdict: null, reason: 'stopped before the first row was measured' };
    const clean = this.options.senderElsewhere ? 'no frame lost' : 'no frame missed';
    const measured = rows === 1 ? '1 row' : `${rows} rows`;
    return { verdict, reason: this.judged.reason(`${measured} of ${names.join(', ')}, ${clean}`) };
  }

  /** The open row as it stands; null before it can be told. */
  provisionalRow(): StreamsRow | null {
    return this.open?.meter.preview(monotonicNs()) ?? null;
  }

  addSample(sample: LoadSample): void {
    this.samples.push(sample);
    this.views.noteLoad(sample);
  }

  lostPerSecond(): number | null {
    return lostPerSecond(this.viewed);
  }

  latency(): LatencyNow | null {
    return latencyNow(this.options.set.streams, monotonicNs());
  }

  /** Measures rows until the signal aborts, or for so long. */
  async run(seconds: number): Promise<void> {
    const timer = setInterval(() => this.look(monotonicNs()), lookMs);
    try {
      await this.waitUntilReady();
      if (!this.options.signal.aborted) await this.measure(seconds);
    } finally {
      clearInterval(timer);
    }
  }

  private get now(): WatchProgress {
    const { measured } = this;
    if (!measured) return { phase: 'connecting', elapsedSeconds: 0, remainingSeconds: null };
    const nowNs = monotonicNs();
    const remainingSeconds = Number.isFinite(measured.toNs) ? (measured.toNs - nowNs) / 1e9 : null;
    return { phase: 'measuring', elapsedSeconds: (nowNs - measured.fromNs) / 1e9, remainingSeconds };
  }

  private async measure(seconds: number): Promise<void> {
    const { set, signal, rowSeconds } = this.options;
    const fromNs = monotonicNs();
    const endNs = fromNs + seconds * 1e9;
    this.measured = { fromNs, toNs: endNs };
    let open = this.begin('row', set.streams, fromNs);
    for (;;) {
      this.open = open;
      const toNs = Math.min(open.fromNs + rowSeconds * 1e9, endNs);
      while (this.goesOn(open, toNs, endNs)) await sleep(Math.min(pollMs, pollUntilMs(toNs)), signal);
      const nowNs = monotonicNs();
      // Its ranges end at once, so that those of the next begin behind them.
      const writing = this.write(open, nowNs);
      this.open = null;
      if (signal.aborted || nowNs >= endNs) return writing;
      writing.catch(() => undefined);
      open = this.next(open, nowNs);
    }
  }

  private next({ meter }: OpenRow, nowNs: number): OpenRow {
    const { streams } = this.options.set;
    if (this.isReady(streams, nowNs)) return this.begin('row', streams, nowNs);
    const counted = streams.filter(({ lostWindowSeconds }) => lostWindowSeconds !== null);
    // A host that died in the row before is not forgotten until its streams are back.
    return this.begin('between', counted, nowNs, meter.deathsBefore);
  }

  private begin(
    kind: OpenRow['kind'],
    streams: readonly Stream[],
    fromNs: number,
    deathsBefore?: number,
  ): OpenRow {
    const { set, thresholds, wallOffsetUs, senderElsewhere, clocks } = this.options;
    const options: RowMeterOptions = {
      ...{ set, thresholds, wallOffsetUs, senderElsewhere, deathsBefore, clocks },
      samples: () => this.samples,
      baselineMbps: () => null,
    };
    const meter = new RowMeter(options, this.judged.rows, [...streams], fromNs);
    return { kind, meter, streams, fromNs, changesBefore: this.changes };
  }

  private get changes(): number {
    const { changes = 0, deaths } = this.options.set;
    return changes + deaths;
  }

  private goesOn(open: OpenRow, toNs: number, endNs: number): boolean {
    const { set, signal, thresholds } = this.options;
    const { kind, meter, streams, changesBefore } = open;
    const nowNs = monotonicNs();
    if (signal.aborted || this.changes !== changesBefore || nowNs >= endNs) return false;
    if (kind === 'between') return !this.isReady(set.streams, nowNs);
    if (meter.isOutdated) return false;
    const latestNs = toNs + thresholds.connectTimeoutSeconds * 1e9;
    return nowNs < (this.isSilent(streams, nowNs) ? latestNs : toNs);
  }

  private write({ kind, meter, fromNs }: OpenRow, toNs: number): Promise<void> {
    const isWhole = kind === 'row' && toNs - fromNs >= shortestRowNs;
    this.written = Promise.all([meter.close(toNs), this.written]).then(([row]) => {
      if (isWhole) this.handOver(row, '');
      else if (!isClean(row)) this.handOver(row, kind === 'row' ? 'short row' : 'between rows');
      while (this.samples[0] && this.samples[0].atNs < toNs - keptNs) this.samples.shift();
    });
    return this.written;
  }

  private handOver(row: StreamsRow, label: string): void {
    const numbered = { ...row, index: this.judged.rows, label };
    this.judged.add(numbered);
    this.options.onRow(numbered);
  }

  private isSilent(streams: readonly Stream[], nowNs: number): boolean {
    const limits = { ...this.options.thresholds, warmUpSeconds };
    return streams.some(
      (stream) => stream.firstCaptureNs > 0 && silentStates.includes(stream.state(nowNs, limits)),
    );
  }

  private async waitUntilReady(): Promise<void> {
    const { set, signal } = this.options;
    while (!signal.aborted && !this.isReady(set.streams, monotonicNs())) await sleep(pollMs, signal);
  }

  private isReady(streams: readonly Stream[], nowNs: number): boolean {
    const { set, thresholds } = this.options;
    const limits = { ...thresholds, warmUpSeconds };
    return !set.recovering && streams.every((stream) => stream.isReady(nowNs, limits));
  }

  private look(nowNs: number): void {
    this.viewed = this.views.views(this.options.set.streams, nowNs);
    for (const view of this.viewed) this.noteState(view);
    if (this.looks++ % looksPerView === 0) this.options.onViews(this.viewed, this.now);
  }

  private noteState({ id, name, state, stateText, remedy, recoveredAfterMs }: StreamView): void {
    if (this.states.get(id) === state) return;
    this.states.set(id, state);
    this.options.onState({ streamId: id, name, state, text: stateText, remedy, recoveredAfterMs });
  }
}

function pollUntilMs(atNs: number): number {
  return Math.max(1, (atNs - monotonicNs()) / 1e6 + 1);
}
