import { uptime } from 'node:os';
import { framesPerSecond } from '../../../protocol/format';
import type { LoadSample } from '../../../protocol/load';
import type { Row } from '../../../protocol/row';
import { drainSeconds, type Thresholds } from '../../../protocol/thresholds';
import { monotonicNs, sleep } from '../../clock';
import { samplesWithin } from '../../load/window';
import type { RangeCounter } from '../counting/range-counter';
import { firstSlotFrom, slotNs } from '../counting/schedule';
import type { StreamLedger } from '../counting/stream-ledger';
import type { Stream } from '../stream';
import { buildRow, type MeasuredStream } from './row-builder';

/** What a row needs of the streams it measures. */
export interface MeteredSet {
  /** Brings every record written so far to the ledgers. */
  flush(): Promise<void>;
  /** Rises with each death of a stream host. */
  readonly deaths: number;
}

export interface RowMeterOptions {
  set: MeteredSet;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Samples of the run so far, oldest first. */
  samples(): LoadSample[];
  /** Mean loopback traffic of row 0, the part of the network that is not the streams'. */
  baselineMbps(): number | null;
  /** The senders are not ours. */
  senderElsewhere?: boolean;
}

interface OpenStream {
  stream: Stream;
  /** Null: the stream never began; its row says so. */
  open: { ledger: StreamLedger; counter: RangeCounter; overflowedBefore: Record<string, number> } | null;
}

const pollMs = 100;

/** Measures one row: a range of slots of every stream, and the load of the machine over the same time. */
export class RowMeter {
  private readonly opened: OpenStream[];
  private readonly deathsBefore: number;
  private readonly sleepSecondsBefore = uptime() - monotonicNs() / 1e9;

  /** Opens the row at `fromNs`, a moment that may lie ahead; `untilNs` is when it will end, if that is known. */
  constructor(
    private readonly options: RowMeterOptions,
    private readonly index: number,
    streams: Stream[],
    private readonly fromNs: number,
    untilNs = Number.POSITIVE_INFINITY,
  ) {
    this.deathsBefore = options.set.deaths;
    this.opened = streams.map((stream) => {
      const { ledger } = stream;
      if (!ledger) return { stream, open: null };
      const counter = ledger.openRange(firstSlotFrom(ledger.source.schedule, fromNs));
      if (Number.isFinite(untilNs)) counter.last = lastSlot(ledger, untilNs);
      return { stream, open: { ledger, counter, overflowedBefore: overflowsOf(ledger) } };
    });
  }

  /** First slot of the row of a stream, from which injected faults count. */
  firstSlot(stream: Stream): number | null {
    return this.opened.find((entry) => entry.stream === stream)?.open?.counter.first ?? null;
  }

  /** The row as it stands, up to a second ago; the load up to now. */
  preview(nowNs: number): Row | null {
    if (nowNs - this.fromNs < 2e9) return null;
    const toNs = nowNs - 1e9;
    return this.build(toNs, (ledger, counter) => ledger.preview(counter, lastSlot(ledger, toNs)), []);
  }

  /** Closes the row at `toNs` (now or earlier): waits until every frame is seen, two seconds at most. */
  async close(toNs: number): Promise<Row> {
    const limitNs = toNs + drainSeconds * 1e9;
    for (const { open } of this.opened) {
      if (!open) continue;
      const last = open.ledger.closingSlot(lastSlot(open.ledger, toNs));
      open.counter.last = Math.min(open.counter.last, last);
    }
    await this.options.set.flush();
    while (monotonicNs() < limitNs && !this.complete()) {
      await sleep(pollMs);
      await this.options.set.flush();
    }
    const faults = this.instrumentFaults(toNs, limitNs);
    return this.build(toNs, (ledger, counter) => ledger.close(counter, counter.last), faults);
  }

  private complete(): boolean {
    return this.opened.every(({ open }) => {
      if (!open) return true;
      const { last } = open.counter;
      const { tally } = open.ledger.preview(open.counter, last);
      const slots = last - open.counter.first + 1;
      return tally.scheduled === slots && tally.submitted + tally.missed === slots && tally.dropped === 0;
    });
  }

  private build(
    toNs: number,
    count: (ledger: StreamLedger, counter: RangeCounter) => MeasuredStream['counts'],
    faults: string[],
  ): Row {
    const { thresholds, wallOffsetUs, baselineMbps } = this.options;
    const streams = this.opened.map(({ stream, open }) => ({
      stream,
      counts: open ? count(open.ledger, open.counter) : null,
      counter: open?.counter ?? null,
      framesPerSecond: framesPerSecond(stream.source.format.rate),
    }));
    return buildRow({
      index: this.index,
      fromNs: this.fromNs,
      toNs,
      streams,
      samples: samplesWithin(this.options.samples(), this.fromNs, toNs),
      thresholds,
      wallOffsetUs,
      baselineMbps: baselineMbps(),
      instrumentFaults: faults,
      senderElsewhere: this.options.senderElsewhere ?? false,
    });
  }

  /** What makes a row INVALID beyond the counts of its streams; each limit is a number of the thresholds profile. */
  private instrumentFaults(toNs: number, limitNs: number): string[] {
    const { thresholds, set } = this.options;
    const faults: string[] = [];
    const samples = this.options.samples().filter((sample) => sample.atNs >= this.fromNs - 1e9);
    let before = this.fromNs;
    for (const atNs of [...samples.map((sample) => sample.atNs), toNs]) {
      const gapSeconds = (atNs - before) / 1e9;
      if (gapSeconds > thresholds.maxSampleGapSeconds)
        faults.push(`no load sample for ${gapSeconds.toFixed(1)} s`);
      before = atNs;
    }
    const steal = Math.max(
      0,
      ...samplesWithin(samples, this.fromNs, toNs).map((sample) => sample.cpuStealPercent ?? 0),
    );
    if (steal > thresholds.maxStealPercent) {
      faults.push(
        `the hypervisor took ${steal.toFixed(1)} % of the CPU away (limit ${thresholds.maxStealPercent} %)`,
      );
    }
    const lateSeconds = (monotonicNs() - limitNs) / 1e9;
    if (lateSeconds > thresholds.maxFlushDelaySeconds)
      faults.push(`the row was written ${lateSeconds.toFixed(1)} s late`);
    if (set.deaths > this.deathsBefore) faults.push('a stream process died in the row');
    const sleptSeconds = uptime() - monotonicNs() / 1e9 - this.sleepSecondsBefore;
    if (sleptSeconds > 1.5) faults.push(`the machine was suspended for ${Math.round(sleptSeconds)} s`);
    for (const { stream, open } of this.opened) {
      for (const [stage, total] of Object.entries(open ? overflowsOf(open.ledger) : {})) {
        const records = total - (open?.overflowedBefore[stage] ?? 0);
        if (records > 0) faults.push(`${records} records of stage ${stage} of ${stream.name} were lost`);
      }
    }
    return faults;
  }
}

/** Records lost so far because a ring was full, by stage. */
function overflowsOf(ledger: StreamLedger): Record<string, number> {
  return { ...ledger.overflowed, source: ledger.source.overflowed };
}

/** Last slot that lies wholly before a moment. */
function lastSlot(ledger: StreamLedger, toNs: number): number {
  const { schedule } = ledger.source;
  const slot = firstSlotFrom(schedule, toNs) - 1;
  return slotNs(schedule, slot) < toNs ? slot : slot - 1;
}
