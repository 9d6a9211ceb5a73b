import { reasonOf } from '../../facts/reason-words';
import type { StreamsRow } from '../../facts/stream-row';
import type { Clock } from '../../protocol/clock';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import { isoOf } from '../clock';
import { isClean } from '../streams/rows/clean-row';
import { type MeteredSet, RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import { CleanRows } from './clean-rows';
import { RowsVerdict } from './rows-verdict';

/** What is measured until it is stopped: our own streams, or streams with one end elsewhere. */
export interface JoinedSet extends MeteredSet {
  readonly streams: readonly Stream[];
  readonly recovering: boolean;
  /** Rises when a remote sender is started again: no row goes on over it. Our own senders report their host's death. */
  readonly changes?: number;
  /** Now, or the last moment of which the second before is reported. Absent: now. */
  countedToNs?(nowNs: number): number;
}

export interface JoinedRowsOptions {
  set: JoinedSet;
  /** Another program or machine sends the streams. */
  isSenderRemote: boolean;
  thresholds: Thresholds;
  wallOffsetUs: number;
  warmUpSeconds: number;
  /** A shorter row proves nothing if nothing was lost in it, and is left out. */
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
 * Rows of a run that lasts until it is stopped. They join: streams that were counted in one row are counted on in the next, and what was
 * lost between two rows becomes a row.
 */
export class JoinedRows {
  readonly judged = new RowsVerdict();
  /** By all that was counted, rows that are left out too. */
  readonly clean = new CleanRows();
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
    const atNs = this.countedToNs(nowNs);
    const due = dueOf(set.streams);
    const isAnyDue = due.length > 0 || set.streams.length === 0;
    return !set.recovering && isAnyDue && due.every((stream) => stream.isReady(atNs, limits));
  }

  /** Up to when its streams can be judged: what they did since may not be read yet. */
  countedToNs(nowNs: number): number {
    return this.options.set.countedToNs?.(nowNs) ?? nowNs;
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

  /** Ends what is open, and opens the next at the same moment, by default now: its ranges begin after those that end. */
  turn(
    next: (atNs: number) => OpenRow | null,
    atNs: number = this.options.clock.monotonicNs(),
  ): Promise<void> {
    const { opened } = this;
    const writing = opened ? this.write(opened, atNs) : this.written;
    this.opened = next(atNs);
    return writing;
  }

  row(atNs: number, streams: readonly Stream[] = dueOf(this.options.set.streams)): OpenRow {
    const added = this.addedSinceRow;
    this.addedSinceRow = 0;
    return { ...this.begin('row', streams, atNs), added };
  }

  /** `stays`: which of the streams are counted on. */
  between(atNs: number, stays: (stream: Stream) => boolean = () => true): OpenRow | null {
    const staying = this.counted(atNs).filter(stays);
    // A host that died in the row before is not forgotten until its streams are back.
    return staying.length > 0 ? this.begin('between', staying, atNs, this.opened?.meter.deathsBefore) : null;
  }

  /** A stream is over its first warm-up, and no row has counted it. */
  hasUncounted(nowNs: number): boolean {
    return this.counted(nowNs).some(({ lostWindowSeconds }) => lostWindowSeconds === null);
  }

  /** Those that rows have counted, and those that they count from now on. */
  private counted(atNs: number): Stream[] {
    const { set, warmUpSeconds } = this.options;
    const countedNs = this.countedToNs(atNs);
    const isKnown = (stream: Stream): boolean =>
      stream.lostWindowSeconds !== null || stream.isCounted(countedNs, warmUpSeconds);
    return dueOf(set.streams).filter((stream) => !stream.removing && isKnown(stream));
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

  private write({ kind, meter, streams, fromNs, added }: OpenRow, toNs: number): Promise<void> {
    const isWhole = kind === 'row' && toNs - fromNs >= this.options.shortestRowNs;
    if (!isWhole) this.addedSinceRow += added;
    const before = this.written.catch(() => undefined);
    this.writing += 1;
    this.written = Promise.all([meter.close(toNs), before])
      .then(([row]) => {
        this.clean.add(row);
        const ended = streams.filter(({ hasEnded, endedNs }) => hasEnded && (endedNs ?? 0) > fromNs);
        if (isWhole) this.handOver(row, '', added, ended);
        else if (!isClean(row)) this.handOver(row, kind === 'row' ? 'short row' : 'between rows', 0, ended);
      })
      .finally(() => {
        this.writing -= 1;
      });
    return this.written;
  }

  private handOver(row: StreamsRow, label: string, added: number, ended: readonly Stream[]): void {
    const { wallOffsetUs } = this.options;
    const reason = [
      ...row.reason,
      ...(added > 1 ? [reasonOf('streams-added', { streams: added })] : []),
      ...ended.map((stream) =>
        reasonOf('sender-ended', { name: stream.name, at: isoOf(stream.endedNs ?? 0, wallOffsetUs) }),
      ),
    ];
    const numbered = { ...row, index: this.judged.rows, label, reason };
    this.judged.add(numbered);
    this.options.onRow(numbered);
  }
}

/** Those whose senders did not end as asked. */
function dueOf(streams: readonly Stream[]): readonly Stream[] {
  return streams.filter(({ hasEnded }) => !hasEnded);
}
