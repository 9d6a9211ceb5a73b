import type { StreamsRow } from '../../facts/stream-row';
import type { Verdict } from '../../facts/verdict';
import type { Clock } from '../../protocol/clock';
import { toProblem } from '../../protocol/errors';
import type { Thresholds } from '../../protocol/thresholds';
import { wallMsOf } from '../clock';
import type { Recorder } from '../sessions/recorder';
import type { Stream } from '../streams/stream';
import { CleanTime } from './clean-time';
import { JoinedRows, type JoinedSet, type OpenRow } from './joined-rows';

/** What a live run measures. */
export interface LiveStreams extends JoinedSet {
  removeStream(stream: Stream): Promise<void>;
}

export interface LiveRunOptions {
  set: LiveStreams;
  /** Another program or machine sends the streams. */
  isSenderRemote: boolean;
  recorder: Recorder;
  thresholds: Thresholds;
  wallOffsetUs: number;
  warmUpSeconds: number;
  /** Removes all streams, and closes what they play. */
  close(): Promise<void>;
  onRow(): void;
  /** A row that ended by itself could not be written. */
  onProblem(error: unknown): void;
  clock: Clock;
}

const baselineSeconds = 2;
const shortestRowNs = 1e9;
/** A row that nothing ends is written after an hour: a crash costs no more, and its previews do not get ever slower. */
const longestRowNs = 3600e9;

/**
 * The operator adds and removes streams by hand. A row is open from the warm-up of the newest stream until the next
 * change, for an hour at most; so the table grows as in the ramp, each row as long as the operator lets it be.
 */
export class LiveRun {
  private readonly rows: JoinedRows;
  /** Streams are on their way in or out: a row would be of neither the ones before nor the ones after. */
  private changing = 0;
  private isEnding = false;
  readonly cleanTime = new CleanTime();

  constructor(private readonly options: LiveRunOptions) {
    const { recorder, onRow } = options;
    this.rows = new JoinedRows({
      ...options,
      shortestRowNs,
      samples: () => recorder.samples,
      onRow: (row) => {
        recorder.row(row);
        onRow();
      },
    });
  }

  /** Measures row 0, the machine without a stream. */
  async start(): Promise<void> {
    await this.rows.turn((atNs) => this.rows.row(atNs, []));
    await this.options.clock.sleep(baselineSeconds * 1000);
    await this.rows.turn(() => null);
  }

  add(addStream: () => Promise<Stream>): Promise<Stream> {
    this.rows.noteAdded();
    return this.change(addStream, () => true);
  }

  remove(stream: Stream): Promise<void> {
    return this.change(
      () => this.options.set.removeStream(stream),
      ({ id }) => id !== stream.id,
    );
  }

  /** Ends the row that is open: each row has one name of a stream. */
  rename(streamId: number, name: string): Promise<void> {
    const named = async (): Promise<void> => {
      // Its sender may have been started again while the row was written: that is another object.
      const stream = this.options.set.streams.find(({ id }) => id === streamId);
      if (!stream) return;
      this.options.recorder.event(
        'stream-renamed',
        `${stream.name} is called ${name} from now on`,
        { name },
        streamId,
      );
      stream.name = name;
    };
    return this.change(named, () => true);
  }

  /**
   * Opens the next row as soon as every stream is over its warm-up, or has failed to connect. Those that are over it before the others
   * are counted between rows: their strips count them too.
   */
  tick(nowNs: number): void {
    const { rows } = this;
    if (this.isEnding) return;
    // No row will be built from what is measured without one, for however long that is.
    if (!rows.open && !rows.isWriting)
      this.options.recorder.forgetSamples(wallMsOf(nowNs, this.options.wallOffsetUs));
    const isDue = rows.open ? this.isOver(rows.open, nowNs) : this.isReady(nowNs) || rows.hasUncounted(nowNs);
    if (!isDue) return;
    const next = (atNs: number) => (this.isReady(nowNs) ? rows.row(atNs) : rows.between(atNs));
    rows.turn(next).catch(this.options.onProblem);
  }

  /** The open row as it stood at a moment, or null. */
  provisionalRow(atNs: number): StreamsRow | null {
    return this.rows.provisionalRow(atNs);
  }

  /** The verdict is null if no row with a stream was measured, since nothing is known then, and if the folder could not be written. */
  async end(): Promise<{ verdict: Verdict | null; reason: string }> {
    const { close, recorder } = this.options;
    this.isEnding = true;
    try {
      await this.change(close, () => false);
    } catch (error) {
      await recorder.end('failed', null, toProblem(error).message);
      throw error;
    }
    this.rows.clean.note((...event) => recorder.event(...event));
    const { verdict, streams } = this.rows.judged;
    if (streams === 0) {
      const stopped = 'stopped before the first row with a stream was measured';
      return this.record('aborted', null, stopped);
    }
    const carried = streams === 1 ? '1 stream' : `up to ${streams} streams at once`;
    const reason = this.rows.judged.reason(carried);
    return this.record('finished', verdict, reason);
  }

  private async record(...ending: Parameters<Recorder['end']>): ReturnType<LiveRun['end']> {
    const { verdict, reason } = await this.options.recorder.end(...ending);
    return { verdict, reason };
  }

  /** `stays`: which of the streams are counted on meanwhile. */
  private async change<Result>(
    action: () => Promise<Result>,
    stays: (stream: Stream) => boolean,
  ): Promise<Result> {
    this.changing += 1;
    try {
      await this.rows.turn((atNs) => this.rows.between(atNs, stays));
      return await action();
    } finally {
      this.changing -= 1;
    }
  }

  private isReady(nowNs: number): boolean {
    return this.changing === 0 && this.options.set.streams.length > 0 && this.rows.isReady(nowNs);
  }

  /** A row ends with a process that dies in it, and the next one measures what was started again. */
  private isOver(open: OpenRow, nowNs: number): boolean {
    if (this.rows.isBroken(open) || nowNs - open.fromNs >= longestRowNs) return true;
    if (open.kind === 'row') return open.meter.isOutdated;
    return this.isReady(nowNs) || this.rows.hasUncounted(nowNs);
  }
}
