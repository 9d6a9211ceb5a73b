import { toProblem } from '../protocol/errors';
import type { Row } from '../protocol/row';
import type { Thresholds } from '../protocol/thresholds';
import { type Verdict, worseVerdict } from '../protocol/verdict';
import { monotonicNs, sleep } from './clock';
import type { Recorder } from './sessions/recorder';
import { rowToTell } from './streams/rows/judgement';
import { RowMeter, type RowMeterOptions } from './streams/rows/row-meter';
import type { SourceSettings } from './streams/sources/source-choice';
import type { Stream } from './streams/stream';
import type { StreamSet } from './streams/stream-set';

export interface LiveRunOptions {
  set: StreamSet;
  recorder: Recorder;
  thresholds: Thresholds;
  wallOffsetUs: number;
  warmUpSeconds: number;
  namePrefix: string;
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
  deathsBefore: number;
}

/**
 * The operator adds and removes streams by hand. A row is open from the warm-up of the newest stream until the next
 * change, for an hour at most; so the table grows as in the ramp, each row as long as the operator lets it be.
 */
export class LiveRun {
  private meter: OpenRow | null = null;
  private closing: Promise<void> | null = null;

  constructor(private readonly options: LiveRunOptions) {}

  /** Plays the source and measures row 0, the machine without a stream. */
  async start(settings: SourceSettings, signal: AbortSignal): Promise<void> {
    const { set } = this.options;
    await set.openSource(settings, signal);
    this.open();
    await sleep(baselineSeconds * 1000);
    await this.closeRow();
  }

  async add(): Promise<Stream> {
    await this.closeRow();
    return this.options.set.addStream(this.options.namePrefix);
  }

  async remove(stream: Stream): Promise<void> {
    await this.closeRow();
    await this.options.set.removeStream(stream);
  }

  /** Opens the next row as soon as every stream is over its warm-up, or has failed to connect. */
  tick(nowNs: number): void {
    const { set, thresholds, warmUpSeconds } = this.options;
    // The row ends with a process that dies in it; the next one measures what was started again.
    if (this.meter && (set.deaths > this.meter.deathsBefore || nowNs - this.meter.fromNs >= longestRowNs))
      this.closeRow().catch(this.options.onProblem);
    if (this.meter || this.closing || set.recovering || set.streams.length === 0) return;
    const limits = { ...thresholds, warmUpSeconds };
    if (set.streams.every((stream) => stream.isReady(nowNs, limits))) this.open();
  }

  /** The open row as it stands, or null. */
  provisionalRow(): Row | null {
    return this.meter?.meter.preview(monotonicNs()) ?? null;
  }

  async end(): Promise<{ verdict: Verdict; reason: string }> {
    const { set, recorder } = this.options;
    try {
      await this.closeRow();
      await set.removeAll();
      await set.closeSource();
    } catch (error) {
      recorder.end('failed', null, toProblem(error).message);
      throw error;
    }
    const { rows } = recorder;
    const verdict = rows.reduce<Verdict>(
      (worst, row) => worseVerdict(worst, row.verdict),
      rows[0]?.verdict ?? 'PASS',
    );
    const broken = rowToTell(rows);
    const streams = Math.max(0, ...rows.map((row) => row.streams));
    const clean = `up to ${streams} streams at once, no frame lost`;
    const reason = broken ? `with ${broken.streams} streams: ${broken.reason}` : clean;
    recorder.end('finished', verdict, reason);
    return { verdict, reason };
  }

  private open(): void {
    const { set, recorder, thresholds, wallOffsetUs } = this.options;
    const options: RowMeterOptions = {
      set,
      thresholds,
      wallOffsetUs,
      samples: () => recorder.samples,
      baselineMbps: () => recorder.baselineMbps(),
    };
    const fromNs = monotonicNs();
    const meter = new RowMeter(options, recorder.rows.length, [...set.streams], fromNs);
    this.meter = { meter, fromNs, deathsBefore: set.deaths };
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
