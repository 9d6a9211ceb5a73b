import type { Outage } from '../../facts/loss';
import type { LostBetweenRows } from '../../facts/lost-between-rows';
import { lostFramesOf } from '../../facts/lost-frames';
import type { StreamsRow } from '../../facts/stream-row';
import { isCleanStream } from '../streams/rows/clean-row';
import type { RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import { JoinedRows, type JoinedRowsOptions } from './joined-rows';

export interface BetweenRowsOptions extends Omit<JoinedRowsOptions, 'shortestRowNs' | 'onRow'> {
  onLost(lost: LostBetweenRows): void;
}

const lookMs = 100;

/**
 * Counts on between the rows of an experiment, by the ledgers of the rows: streams that a row has counted, and those whose warm-up is over.
 * What they lose then is in no row.
 */
export class BetweenRows {
  private readonly rows: JoinedRows;
  /** Null before the first row. */
  private stopLooking: (() => void) | null = null;
  private row: { meter: RowMeter; fromNs: number } | null = null;
  private readonly failures: unknown[] = [];

  constructor(private readonly options: BetweenRowsOptions) {
    this.rows = new JoinedRows({ ...options, shortestRowNs: 0, onRow: (row) => this.handOver(row) });
  }

  /** A row begins at this moment, which may lie ahead. */
  opened(meter: RowMeter, fromNs: number): void {
    this.stopLooking ??= this.options.clock.every(lookMs, () => this.look());
    this.row = { meter, fromNs };
    void this.turn(() => null, fromNs);
  }

  /** It ended at this moment. */
  closed(toNs: number): void {
    this.row = null;
    void this.turn((atNs) => this.rows.between(atNs), toNs);
  }

  /** A stream is about to be closed. Resolves when no more of its frames can come. A row that is open by then failed. */
  async leave({ id }: Stream): Promise<void> {
    await this.endRow();
    if (this.stopLooking) await this.turn((atNs) => this.rows.between(atNs, (stream) => stream.id !== id));
  }

  /** Nothing is counted from now on. A row that was too short to be one is none. */
  async close(): Promise<void> {
    this.stopLooking?.();
    await this.endRow();
    await this.turn(() => null);
    if (this.failures.length > 0) throw this.failures[0];
  }

  private async endRow(): Promise<void> {
    const { row } = this;
    this.row = null;
    const nowNs = this.options.clock.monotonicNs();
    if (row && nowNs > row.fromNs) this.handOver(await row.meter.close(nowNs));
  }

  /** A process that died is there again, or a stream is over its warm-up. */
  private look(): void {
    if (this.row) return;
    const { rows } = this;
    const isBroken = rows.open !== null && rows.isBroken(rows.open);
    if (isBroken || rows.hasUncounted(this.options.clock.monotonicNs()))
      void this.turn((atNs) => rows.between(atNs));
  }

  private turn(...turn: Parameters<JoinedRows['turn']>): Promise<void> {
    return this.rows.turn(...turn).catch((error) => {
      this.failures.push(error);
    });
  }

  private handOver(row: StreamsRow): void {
    for (const stream of row.subjects) {
      if (isCleanStream(stream)) continue;
      const { id: streamId, name, figures, losses } = stream;
      const outages = (stream.outages ?? []).map(betweenRows);
      const frames = (lostFramesOf(stream) ?? 0) + (figures.framesSenderMissed ?? 0);
      if (frames > 0 || outages.length > 0)
        this.options.onLost({ stream: name, streamId, from: row.from, to: row.to, frames, losses, outages });
    }
  }
}

/** Its words speak of no row. */
function betweenRows({ fact, ...outage }: Outage): Outage {
  return { ...outage, ...(fact && { fact: { ...fact, data: { ...fact.data, isBetween: true } } }) };
}
