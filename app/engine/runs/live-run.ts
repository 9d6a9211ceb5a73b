import { toProblem } from '../../protocol/errors';
import { reasonOf } from '../../protocol/reason-words';
import type { StreamsRow } from '../../protocol/stream-row';
import type { Thresholds } from '../../protocol/thresholds';
import type { Verdict } from '../../protocol/verdict';
import { type MachineClocks, monotonicNs, sleep, wallMsOf } from '../clock';
import { RowsVerdict } from './rows-verdict';
import type { Recorder } from '../sessions/recorder';
import { isClean } from '../streams/rows/clean-row';
import { type MeteredSet, RowMeter, type RowMeterOptions } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';

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
  /** Of this machine; a test sets others. */
  clocks?: MachineClocks;
}

const baselineSeconds = 2;
/** A row shorter than this says nothing where nothing was lost in it, and is left out. */
const shortestRowNs = 1e9;
/** A row that nobody ends is written after an hour: a crash costs no more, and looking at it does not get ever slower. */
const longestRowNs = 3600e9;

/** The time between two rows is counted like a row, and is written as one when something was lost in it. */
type Kind = 'row' | 'between';

interface OpenRow {
  kind: Kind;
  meter: RowMeter;
  fromNs: number;
  breaksBefore: number;
  /** Streams that were added since the row before began. */
  added: number;
}

/**
 * The operator adds and removes streams by hand. A row is open from the warm-up of the newest stream until the next
 * change, for an hour at most; so the table grows as in the ramp, each row as long as the operator lets it be. Rows join: from
 * one to the next the streams that were counted before are counted on.
 */
export class LiveRun {
  private openRow: OpenRow | null = null;
  private readonly judged = new RowsVerdict();
  /** Rows are written one after the other. */
  private written: Promise<void> = Promise.resolve();
  /** Of them, those that have ended and wait for their last frames. */
  private writing = 0;
  /** Streams are on their way in or out: a row would be of neither the ones before nor the ones after. */
  private changing = 0;
  private addedSinceRow = 0;

  constructor(private readonly options: LiveRunOptions) {}

  /** Measures row 0, the machine without a stream. */
  async start(): Promise<void> {
    this.openRow = this.begin('row', [], monotonicNs());
    await sleep(baselineSeconds * 1000);
    await this.turn(() => null);
  }

  add(addStream: () => Promise<Stream>): Promise<Stream> {
    this.addedSinceRow += 1;
    return this.change(addStream, () => true);
  }

  remove(stream: Stream): Promise<void> {
    return this.change(
      () => this.options.set.removeStream(stream),
      ({ id }) => id !== stream.id,
    );
  }

  /** Opens the next row as soon as every stream is over its warm-up, or has failed to connect. */
  tick(nowNs: number): void {
    const { openRow } = this;
    // No row will be built from what is measured without one, for however long that is.
    if (!openRow && this.writing === 0)
      this.options.recorder.forgetSamples(wallMsOf(nowNs, this.options.wallOffsetUs));
    if (openRow ? !this.isOver(openRow, nowNs) : !this.isReady(nowNs)) return;
    const next = (atNs: number) =>
      this.isReady(nowNs) ? this.begin('row', this.options.set.streams, atNs) : this.between(atNs);
    this.turn(next).catch(this.options.onProblem);
  }

  /** The open row as it stands, or null. */
  provisionalRow(): StreamsRow | null {
    const { openRow } = this;
    const row = openRow?.kind === 'row' ? openRow.meter.preview(monotonicNs()) : null;
    return row && { ...row, index: this.judged.rows };
  }

  /** The verdict is null where no row with a stream was measured: nothing is known then. */
  async end(): Promise<{ verdict: Verdict | null; reason: string }> {
    const { close, recorder } = this.options;
    try {
      await this.change(close, () => false);
    } catch (error) {
      await recorder.end('failed', null, toProblem(error).message);
      throw error;
    }
    const { verdict, streams } = this.judged;
    if (streams === 0) {
      const stopped = 'stopped before the first row with a stream was measured';
      await recorder.end('aborted', null, stopped);
      return { verdict: null, reason: stopped };
    }
    const reason = this.judged.reason(`up to ${streams} streams at once, no frame lost`);
    await recorder.end('finished', verdict, reason);
    return { verdict, reason };
  }

  /** `stays`: which of the streams are counted on meanwhile. */
  private async change<Result>(
    action: () => Promise<Result>,
    stays: (stream: Stream) => boolean,
  ): Promise<Result> {
    this.changing += 1;
    try {
      await this.turn((atNs) => this.between(atNs, stays));
      return await action();
    } finally {
      this.changing -= 1;
    }
  }

  private get breaks(): number {
    const { deaths, changes = 0 } = this.options.set;
    return deaths + changes;
  }

  private isReady(nowNs: number): boolean {
    const { set, thresholds, warmUpSeconds } = this.options;
    if (this.changing > 0 || set.recovering || set.streams.length === 0) return false;
    const limits = { ...thresholds, warmUpSeconds };
    return set.streams.every((stream) => stream.isReady(nowNs, limits));
  }

  /** A row ends with a process that dies in it, and the next one measures what was started again. */
  private isOver({ kind, meter, fromNs, breaksBefore }: OpenRow, nowNs: number): boolean {
    if (this.breaks > breaksBefore || nowNs - fromNs >= longestRowNs) return true;
    return kind === 'between' ? this.isReady(nowNs) : meter.isOutdated;
  }

  /** Ends what is open, and opens the next at the same moment. */
  private turn(next: (atNs: number) => OpenRow | null): Promise<void> {
    const { openRow } = this;
    const nowNs = monotonicNs();
    // Its ranges end at once, so that those of the next begin behind them.
    const writing = openRow ? this.write(openRow, nowNs) : this.written;
    this.openRow = next(nowNs);
    return writing;
  }

  private between(atNs: number, stays: (stream: Stream) => boolean = () => true): OpenRow | null {
    const counted = this.options.set.streams.filter((stream) => stream.lostWindowSeconds !== null);
    const staying = counted.filter(stays);
    // A host that died in the row before is not forgotten until its streams are back.
    return staying.length > 0 ? this.begin('between', staying, atNs, this.openRow?.meter.deathsBefore) : null;
  }

  private begin(kind: Kind, streams: readonly Stream[], fromNs: number, deathsBefore?: number): OpenRow {
    const { set, recorder, thresholds, wallOffsetUs, senderElsewhere, clocks } = this.options;
    const options: RowMeterOptions = {
      ...{ set, thresholds, wallOffsetUs, senderElsewhere, deathsBefore, clocks },
      samples: () => recorder.samples,
      baselineMbps: (carrier) => recorder.baselineMbps(carrier),
    };
    const meter = new RowMeter(options, this.judged.rows, [...streams], fromNs);
    const added = kind === 'row' ? this.addedSinceRow : 0;
    this.addedSinceRow -= added;
    return { kind, meter, fromNs, breaksBefore: this.breaks, added };
  }

  private write({ kind, meter, fromNs, added }: OpenRow, toNs: number): Promise<void> {
    const isWhole = kind === 'row' && toNs - fromNs >= shortestRowNs;
    if (!isWhole) this.addedSinceRow += added;
    const before = this.written.catch(() => undefined);
    this.writing += 1;
    this.written = Promise.all([meter.close(toNs), before])
      .then(([row]) => {
        if (isWhole) this.record(row, '', added);
        else if (!isClean(row)) this.record(row, kind === 'row' ? 'short row' : 'between rows', 0);
      })
      .finally(() => {
        this.writing -= 1;
      });
    return this.written;
  }

  private record(row: StreamsRow, label: string, added: number): void {
    const { recorder, onRow } = this.options;
    const reason = added > 1 ? [...row.reason, reasonOf('streams-added', { streams: added })] : row.reason;
    const numbered = { ...row, index: this.judged.rows, label, reason };
    this.judged.add(numbered);
    recorder.row(numbered);
    onRow();
  }
}
