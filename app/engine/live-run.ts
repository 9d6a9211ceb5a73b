import { toProblem } from '../protocol/errors';
import { type Row, streamRowsOf } from '../protocol/row';
import type { Thresholds } from '../protocol/thresholds';
import type { Verdict } from '../protocol/verdict';
import { monotonicNs, sleep, wallMsOf } from './clock';
import type { Recorder } from './sessions/recorder';
import { othersTexts, rowToTell, worstVerdictOf } from './streams/rows/deciding-row';
import { type MeteredSet, RowMeter, type RowMeterOptions } from './streams/rows/row-meter';
import type { Stream } from './streams/stream';

/** What a live run measures: streams of our own, or of senders elsewhere. */
export interface LiveStreams extends MeteredSet {
  readonly streams: readonly Stream[];
  readonly recovering: boolean;
  /** Rises when a sender elsewhere is started again: no row goes on over it. Our own senders tell of their host's death. */
  readonly changes?: number;
  removeStream(stream: Stream): Promise<void>;
}

export interface LiveRunOptions {
  set: LiveStreams;
  /** The senders are not those of this process. */
  senderElsewhere: boolean;
  recorder: Recorder;
  thresholds: Thresholds;
  wallOffsetUs: number;
  warmUpSeconds: number;
  /** Removes all streams, and closes what they play. */
  close(): Promise<void>;
  onRow(): void;
  /** A row that ended by itself could not be written. */
  onProblem(error: unknown): void;
}

const baselineSeconds = 2;
/** A row shorter than this says nothing and is left out. */
const shortestRowNs = 1e9;
/** A row that nobody ends is written after an hour: a crash costs no more, and looking at it does not get ever slower. */
const longestRowNs = 3600e9;

interface OpenRow {
  meter: RowMeter;
  fromNs: number;
  breaksBefore: number;
}

/**
 * The operator adds and removes streams by hand. A row is open from the warm-up of the newest stream until the next
 * change, for an hour at most; so the table grows as in the ramp, each row as long as the operator lets it be.
 */
export class LiveRun {
  private meter: OpenRow | null = null;
  private closing: Promise<void> | null = null;
  /** Streams are on their way in or out: a row would be of neither the ones before nor the ones after. */
  private changing = 0;

  constructor(private readonly options: LiveRunOptions) {}

  /** Measures row 0, the machine without a stream. */
  async start(): Promise<void> {
    this.open();
    await sleep(baselineSeconds * 1000);
    await this.closeRow();
  }

  add(addStream: () => Promise<Stream>): Promise<Stream> {
    return this.change(addStream);
  }

  remove(stream: Stream): Promise<void> {
    return this.change(() => this.options.set.removeStream(stream));
  }

  /** Opens the next row as soon as every stream is over its warm-up, or has failed to connect. */
  tick(nowNs: number): void {
    const { set, thresholds, warmUpSeconds } = this.options;
    // The row ends with a process that dies in it; the next one measures what was started again.
    if (this.meter && (this.breaks > this.meter.breaksBefore || nowNs - this.meter.fromNs >= longestRowNs))
      this.closeRow().catch(this.options.onProblem);
    if (this.meter || this.closing) return;
    // No row will be built from what is measured without one, for however long that is.
    this.options.recorder.forgetSamples(wallMsOf(nowNs, this.options.wallOffsetUs));
    if (this.changing > 0) return;
    if (set.recovering || set.streams.length === 0) return;
    const limits = { ...thresholds, warmUpSeconds };
    if (set.streams.every((stream) => stream.isReady(nowNs, limits))) this.open();
  }

  /** The open row as it stands, or null. */
  provisionalRow(): Row | null {
    return this.meter?.meter.preview(monotonicNs()) ?? null;
  }

  async end(): Promise<{ verdict: Verdict; reason: string }> {
    const { close, recorder } = this.options;
    try {
      await this.change(close);
    } catch (error) {
      await recorder.end('failed', null, toProblem(error).message);
      throw error;
    }
    const rows = streamRowsOf(recorder.rows);
    const verdict = worstVerdictOf(rows);
    const broken = rowToTell(rows);
    const streams = Math.max(0, ...rows.map((row) => row.streams));
    const clean = `up to ${streams} streams at once, no frame lost`;
    const reason = broken
      ? [`with ${broken.streams} streams: ${broken.reason}`, ...othersTexts(rows, broken)].join('; ')
      : clean;
    await recorder.end('finished', verdict, reason);
    return { verdict, reason };
  }

  private async change<Result>(action: () => Promise<Result>): Promise<Result> {
    this.changing += 1;
    try {
      await this.closeRow();
      return await action();
    } finally {
      this.changing -= 1;
    }
  }

  private get breaks(): number {
    const { deaths, changes = 0 } = this.options.set;
    return deaths + changes;
  }

  private open(): void {
    const { set, recorder, thresholds, wallOffsetUs, senderElsewhere } = this.options;
    const options: RowMeterOptions = {
      ...{ set, thresholds, wallOffsetUs, senderElsewhere },
      samples: () => recorder.samples,
      baselineMbps: (carrier) => recorder.baselineMbps(carrier),
    };
    const fromNs = monotonicNs();
    const meter = new RowMeter(options, recorder.rows.length, [...set.streams], fromNs);
    this.meter = { meter, fromNs, breaksBefore: this.breaks };
  }

  /** Closes the open row; one that is being closed already is waited for, since rows come one after the other. */
  private closeRow(): Promise<void> {
    const open = this.meter;
    this.meter = null;
    if (!open) return this.closing ?? Promise.resolve();
    const closing = this.writeRow(open).finally(() => {
      this.closing = null;
    });
    this.closing = closing;
    return closing;
  }

  private async writeRow({ meter, fromNs }: OpenRow): Promise<void> {
    const toNs = monotonicNs();
    if (toNs - fromNs < shortestRowNs) return;
    this.options.recorder.row(await meter.close(toNs));
    this.options.onRow();
  }
}
