import type { StreamState, StreamView } from '../protocol/console';
import type { LoadSample } from '../protocol/load';
import type { Row } from '../protocol/row';
import type { Thresholds } from '../protocol/thresholds';
import { worseVerdict } from '../protocol/verdict';
import { monotonicNs, sleep } from './clock';
import type { FollowedStreams } from './streams/followed-streams';
import { type LatencyNow, latencyNow } from './streams/latency-now';
import type { NoteEvent } from './streams/living-hosts';
import { RowMeter } from './streams/rows/row-meter';
import type { Stream } from './streams/stream';
import { StreamViews } from './streams/stream-view';

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

export interface WatchRunOptions {
  set: FollowedStreams;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** A row is this long unless a sender ends it. */
  rowSeconds: number;
  /** Aborted when the watcher is stopped; the open row is closed then. */
  signal: AbortSignal;
  noteEvent: NoteEvent;
  /** Once a second. */
  onViews(views: StreamView[]): void;
  onState(change: StateChange): void;
  onRow(row: Row): void;
}

const warmUpSeconds = 1;
/** A row shorter than this says nothing and is left out. */
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

/**
 * Measures streams of other senders, one row after the other. A row ends when a sender is started again; the next one
 * opens when every stream is over its warm-up, or is not there for longer than a sender may take to connect.
 */
export class WatchRun {
  /** Rows so far, and the worst verdict of them; they themselves are the listener's, for they become many. */
  rows = 0;
  verdict: Row['verdict'] = 'PASS';
  private readonly samples: LoadSample[] = [];
  private readonly views: StreamViews;
  private readonly states = new Map<number, StreamState>();
  private viewed: StreamView[] = [];
  private looks = 0;

  constructor(private readonly options: WatchRunOptions) {
    const { thresholds, wallOffsetUs, noteEvent } = options;
    this.views = new StreamViews({
      thresholds,
      warmUpSeconds,
      wallOffsetUs,
      noteEvent,
      senderElsewhere: true,
    });
  }

  addSample(sample: LoadSample): void {
    this.samples.push(sample);
    this.views.noteLoad(sample);
  }

  lostPerSecond(): number | null {
    return this.viewed.length === 0 ? null : this.viewed.reduce((total, { lostNow }) => total + lostNow, 0);
  }

  latency(): LatencyNow | null {
    return latencyNow(this.options.set.streams, monotonicNs());
  }

  /** Measures rows until the signal aborts, or for so long. */
  async run(seconds: number): Promise<void> {
    const { signal } = this.options;
    const timer = setInterval(() => this.look(monotonicNs()), lookMs);
    try {
      await this.waitUntilReady(Number.POSITIVE_INFINITY);
      const endNs = monotonicNs() + seconds * 1e9;
      while (!signal.aborted && monotonicNs() < endNs) {
        await this.measure(endNs);
        await this.waitUntilReady(endNs);
      }
    } finally {
      clearInterval(timer);
    }
  }

  private async measure(endNs: number): Promise<void> {
    const { set, thresholds, wallOffsetUs, rowSeconds, signal } = this.options;
    const fromNs = monotonicNs();
    const { changes, deaths, streams } = set;
    const meter = new RowMeter(
      {
        ...{ set, thresholds, wallOffsetUs, senderElsewhere: true },
        samples: () => this.samples,
        baselineMbps: () => null,
      },
      this.rows,
      streams,
      fromNs,
    );
    const toNs = Math.min(fromNs + rowSeconds * 1e9, endNs);
    const latestNs = Math.min(toNs + thresholds.connectTimeoutSeconds * 1e9, endNs);
    const isOpen = (nowNs: number): boolean =>
      !signal.aborted &&
      set.changes === changes &&
      set.deaths === deaths &&
      nowNs < (this.isSilent(streams, nowNs) ? latestNs : toNs);
    while (isOpen(monotonicNs())) await sleep(Math.min(pollMs, pollUntilMs(toNs)), signal);
    const closedNs = monotonicNs();
    const row = await meter.close(closedNs);
    if (closedNs - fromNs < shortestRowNs) return;
    this.rows += 1;
    this.verdict = worseVerdict(this.verdict, row.verdict);
    this.options.onRow(row);
    while (this.samples[0] && this.samples[0].atNs < closedNs - keptNs) this.samples.shift();
  }

  private isSilent(streams: readonly Stream[], nowNs: number): boolean {
    const limits = { ...this.options.thresholds, warmUpSeconds };
    return streams.some(
      (stream) => stream.firstCaptureNs > 0 && silentStates.includes(stream.state(nowNs, limits)),
    );
  }

  private async waitUntilReady(endNs: number): Promise<void> {
    const { set, signal } = this.options;
    while (!signal.aborted && monotonicNs() < endNs && !this.isReady(set.streams, monotonicNs()))
      await sleep(pollMs, signal);
  }

  private isReady(streams: readonly Stream[], nowNs: number): boolean {
    const { set, thresholds } = this.options;
    const limits = { ...thresholds, warmUpSeconds };
    return !set.recovering && streams.every((stream) => stream.isReady(nowNs, limits));
  }

  private look(nowNs: number): void {
    this.viewed = this.views.views(this.options.set.streams, nowNs);
    for (const view of this.viewed) this.noteState(view);
    if (this.looks++ % looksPerView === 0) this.options.onViews(this.viewed);
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
