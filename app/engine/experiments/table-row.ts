import { hostname } from 'node:os';
import type { Guard } from '../../protocol/precedence';
import type { ClosedRow } from '../../protocol/row';
import { monotonicNs } from '../clock';
import { InstrumentWatch } from '../streams/rows/instrument-faults';
import type { RunContext } from './experiment';
import { meanOf } from './repeats';

/** When a row of a table was measured, and on what kind of machine. */
export interface RowFrame {
  from: string;
  to: string;
  measuredSeconds: number;
  /** Whether the instrument kept up: gaps between load samples, stolen time, sleep. */
  guards: Guard[];
  /** Of this whole machine; null: no load sample lies wholly within the row. */
  cpuPercent: number | null;
}

/** A row of one machine by itself, without its own figures and its verdict. */
export function tableRow(
  { from, to, measuredSeconds }: Pick<RowFrame, 'from' | 'to' | 'measuredSeconds'>,
  index: number,
  label: string,
  details: ClosedRow['details'],
): Omit<ClosedRow, 'verdict' | 'reason'> {
  return {
    ...{ index, label, from, to, step: {}, figures: { measuredSeconds } },
    ...{ subjects: [], load: { [hostname()]: {} }, notMeasured: {}, details },
  };
}

/** Opens a row that begins now, and returns what closes it. */
export function openTableRow(context: RunContext): (measuredSeconds?: number) => RowFrame {
  const from = context.isoNow();
  const fromNs = monotonicNs();
  const watch = new InstrumentWatch([], 0);
  return (measuredSeconds) => {
    const toNs = monotonicNs();
    const samples = context.samples(fromNs - 1e9, toNs);
    const time = { fromNs, toNs, limitNs: toNs, samples, deaths: 0, lost: false };
    return {
      from,
      to: context.isoNow(),
      measuredSeconds: measuredSeconds ?? (toNs - fromNs) / 1e9,
      guards: watch.guards(time, context.thresholds),
      cpuPercent: machineCpuPercent(context, fromNs, toNs),
    };
  };
}

/** Mean load of this machine between two moments of the monotonic clock; null: no sample lies wholly between them. */
export function machineCpuPercent(context: RunContext, fromNs: number, toNs: number): number | null {
  return meanOf(context.samples(fromNs, toNs).flatMap(({ cpuPercent }) => cpuPercent ?? []));
}
