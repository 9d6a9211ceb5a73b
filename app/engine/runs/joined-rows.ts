import { reasonOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import type { Clock } from '../../protocol/clock';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import { isClean } from '../streams/rows/clean-row';
import { type MeteredSet, RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import { RowsVerdict } from './rows-verdict';

/** What is measured until it is stopped: streams of our own, or streams of which one end is elsewhere. */
export interface JoinedSet extends MeteredSet {
  readonly streams: readonly Stream[];
  readonly recovering: boolean;
  /** Rises when a remote sender is started again: no row goes on over it. Our own senders report their host's death. */
  readonly changes?: number;
}

export interface JoinedRowsOptions {
  set: JoinedSet;
  /** Another program or machine sends the streams. */
  isSenderRemote: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
  warmUpSeconds: number;
  /** A row shorter than this says nothing where nothing was lost in it, and is left out. */
  shortestRowNs: number;
  /** Of the run so far, oldest first. */
  samples(): LoadSample[];
  /** Rows come one after the other, numbered. */
  onRow(row: StreamsRow): void;
  clock: Clock;
}

/** The time between two rows is counted like a row, and is written as one when something was lost in it. */
export interface OpenRow {
  kind: 'row' | 'between';
  meter: RowMeter;
  streams: readonly Stream[];
  fromNs: number;
  breaksBefore: number;
  /** Streams that were added since the row before began. */
  added: number;
}

/**
 * Rows of a run that lasts until it is stopped. They join: from one to the next the streams that were counted before are counted
 * on, and what was lost between two rows is a row of its own.
 */
export class JoinedRows {
  readonly judged = new RowsVerdict();
  private opened: OpenRow | null = null;
  /** Rows are handed over one after the other. */
  private written: Promise<void> = Promise.resolve();
  private writing = 0;
  private addedSinceRow = 0;

  constructor(private readonly options: JoinedRowsOptions) {}

  get open(): OpenRow | null {
    return this.opened;
  }

  /** Rows have ended and wait for their last frames. */
  get isWriting(): boolean {
    return this.writing > 0;
  }

  /** A host died, or a sender was started again, since the row was opened: it must not go on. */
  isBroken({ breaksBefore }: OpenRow): boolean {
    return this.breaks > breaksBefore;
  }

  /** Every stream is over its warm-up, or is not there for longer than a sender may take to connect. */
  isReady(nowNs: number): boolean {
    const { set, thresholds, warmUpSeconds } = this.options;
    const limits = { ...thresholds, warmUpSeconds };
    return !set.recovering && set.streams.every((stream) => stream.isReady(nowNs, limits));
  }

  /** The open row as it stood at a moment; null before it can be known, and between rows. */
  provisionalRow(atNs: number): StreamsRow | null {
    const { opened } = this;
    const row = opened?.kind === 'row' ? opened.meter.preview(atNs) : null;
    return row && { ...row, index: this.judged.rows };
  }

  /** The next row says that a stream was added for it, where it was not the only one. */
  noteAdded(): void {
    this.addedSinceRow += 1;
  }

  /** Ends what is open, and opens the next at the same moment: its ranges begin behind those that end. */
  turn(next: (atNs: number) => OpenRow | null): Promise<void> {
    const { opened } = this;
    const nowNs = this.options.clock.monotonicNs();
    const writing = opened ? this.write(opened, nowNs) : this.written;
    this.opened = next(nowNs);
    return writing;
  }

  row(atNs: number, streams = this.options.set.streams): OpenRow {
    const added = this.addedSinceRow;
    this.addedSinceRow = 0;
    return { ...this.begin('row', streams, atNs), added };
  }

  /** `stays`: which of the streams are counted on. */
  between(atNs: number, stays: (stream: Stream) => boolean = () => true): OpenRow | null {
    const counted = this.options.set.streams.filter((stream) => stream.lostWindowSeconds !== null);
    const staying = counted.filter(stays);
    // A host that died in the row before is not forgotten until its streams are back.
    return staying.length > 0 ? this.begin('between', staying, atNs, this.opened?.meter.deathsBefore) : null;
  }

  private get breaks(): number {
    const { deaths, changes = 0 } = this.options.set;
    return deaths + changes;
  }

  private begin(
    kind: OpenRow['kind'],
    streams: readonly Stream[],
    fromNs: number,
    deathsBefore?: number,
  ): OpenRow {
    const { set, thresholds, wallOffsetUs, isSenderRemote, samples, clock } = this.options;
    const options = { set, thresholds, wallOffsetUs, isSenderRemote, samples, clock };
    const meter = new RowMeter(
      { ...options, joins: true, isBetween: kind === 'between', deathsBefore },
      this.judged.rows,
      [...streams],
      fromNs,
    );
    return { kind, meter, streams, fromNs, breaksBefore: this.breaks, added: 0 };
  }

  private write({ kind, meter, fromNs, added }: OpenRow, toNs: number): Promise<void> {
    const isWhole = kind === 'row' && toNs - fromNs >= this.options.shortestRowNs;
    if (!isWhole) this.addedSinceRow += added;
    const before = this.written.catch(() => undefined);
    this.writing += 1;
    this.written = Promise.all([meter.close(toNs), before])
      .then(([row]) => {
        if (isWhole) this.handOver(row, '', added);
        else if (!isClean(row)) this.handOver(row, kind === 'row' ? 'short row' : 'between rows', 0);
      })
      .finally(() => {
        this.writing -= 1;
      });
    return this.written;
  }

  private handOver(row: StreamsRow, label: string, added: number): void {
    const reason = added > 1 ? [...row.reason, reasonOf('streams-added', { streams: added })] : row.reason;
    const numbered = { ...row, index: this.judged.rows, label, reason };
    this.judged.add(numbered);
    this.options.onRow(numbered);
  }
}
