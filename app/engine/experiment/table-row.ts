import { hostname } from 'node:os';
import type { Guard } from '../../facts/precedence';
import type { ClosedRow } from '../../facts/row';
import { othersGuard, othersInWorst } from '../load/others-guard';
import type { Span } from '../streams/counting/capture-counter';
import { InstrumentWatch, type SampledMachine, sleptSecondsOf } from '../streams/rows/instrument-faults';
import type { RunContext } from './experiment';
import {
  type HostsOfRow,
  hostsOfRow,
  type MachineOfRow,
  sampledMachines,
  standstillsOfMachines,
} from './machines-of-row';
import { meanOf } from './repeats';

/** When a row of a table was measured, and on what kind of machine. */
export interface RowFrame {
  from: string;
  to: string;
  measuredSeconds: number;
  /** Whether the instrument kept up: gaps between load samples, stolen time, sleep; and what other programs took. */
  guards: Guard[];
  /** CPU of this whole machine; null: the row does not use this machine, or no load sample lies wholly within the row. */
  cpuPercent: number | null;
  /** The load of each machine of the row; absent: it is of this one alone. */
  hosts?: HostsOfRow;
}

/** A row without its own figures and its verdict. */
export function tableRow(
  {
    from,
    to,
    measuredSeconds,
    hosts = { load: { [hostname()]: {} }, notMeasured: {} },
  }: Pick<RowFrame, 'from' | 'to' | 'measuredSeconds' | 'hosts'>,
  index: number,
  label: string,
  details: ClosedRow['details'],
): Omit<ClosedRow, 'verdict' | 'reason'> {
  return {
    ...{ index, label, from, to, step: {}, figures: { measuredSeconds } },
    ...{ subjects: [], ...hosts, details },
  };
}

/** What of a run a row needs. */
export type RowContext = Pick<RunContext, 'clock' | 'isoNow' | 'samples' | 'standstills' | 'thresholds'>;

export interface TableRowOptions {
  /** The experiment judges by itself what other programs took, so the row has no guard for it. */
  judgesOthers?: boolean;
  /** On which it is measured, each once; by default this one alone. */
  machines?: readonly MachineOfRow[];
}

/** When the measurement of a row ended. What it waits for afterwards does not belong to it. */
export interface RowEnd {
  iso: string;
  ns: number;
}

export function rowEnd({ clock, isoNow }: Pick<RowContext, 'clock' | 'isoNow'>): RowEnd {
  return { iso: isoNow(), ns: clock.monotonicNs() };
}

/**
 * Opens a row that begins now, and returns what closes it.
 * `repeats`: what the row is made of; what other programs took is that of the worst. Default: the whole row.
 */
export function openTableRow(
  context: RowContext,
  { judgesOthers = false, machines = [] }: TableRowOptions = {},
): (measuredSeconds?: number, repeats?: readonly Span[], end?: RowEnd) => RowFrame {
  const { clock } = context;
  const from = context.isoNow();
  const fromNs = clock.monotonicNs();
  const watch = new InstrumentWatch([], 0, clock);
  const isHere = machines.length === 0 || machines.some(({ remote }) => remote === null);
  return (measuredSeconds, repeats, { iso: to, ns: toNs } = rowEnd(context)) => {
    const { thresholds } = context;
    // From two seconds earlier, so that a row too short for a sample of its own has the newest ones.
    const samples = context.samples(fromNs - 2e9, toNs);
    // A standstill that ended before the row began cost it nothing: the row opens its own tools and connections.
    const own = context.standstills(fromNs, toNs).filter((piece) => piece.toNs > fromNs);
    const standstills = machines.length > 0 ? standstillsOfMachines(machines, own) : own;
    const sleptSeconds = sleptSecondsOf(clock);
    const sampled = sampledMachines(machines, samples);
    // Waiting after its end does not make the row late.
    const limitNs = clock.monotonicNs();
    const time = { fromNs, toNs, sleptSeconds, limitNs, deaths: 0, lost: false, standstills };
    const othersOf = ({ machine, samples: all }: SampledMachine): Guard => {
      const others = othersInWorst(all, repeats ?? [{ fromNs, toNs }], thresholds);
      return othersGuard(others, thresholds, { machine });
    };
    return {
      ...{ from, to },
      measuredSeconds: measuredSeconds ?? (toNs - fromNs) / 1e9,
      guards: [
        ...watch.guards({ ...time, ...sampled }, thresholds),
        ...(judgesOthers ? [] : sampled.machines.map(othersOf)),
      ],
      cpuPercent: isHere ? machineCpuPercent(context, fromNs, toNs) : null,
      ...(machines.length > 0 && { hosts: hostsOfRow(machines, samples, fromNs, toNs) }),
    };
  };
}

/** Mean load of this machine between two moments of the monotonic clock; null: no sample lies wholly between them. */
export function machineCpuPercent(context: RowContext, fromNs: number, toNs: number): number | null {
  return meanOf(context.samples(fromNs, toNs).flatMap(({ cpuPercent }) => cpuPercent ?? []));
}
