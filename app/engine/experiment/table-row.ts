import { hostname } from 'node:os';
import type { Guard } from '../../facts/precedence';
import type { ClosedRow } from '../../facts/row';
import type { RemoteMachine } from '../host-application';
import { othersGuard, othersInWorst } from '../load/others-guard';
import type { Span } from '../streams/counting/capture-counter';
import { InstrumentWatch, type SampledMachine, sleptSecondsOf } from '../streams/rows/instrument-faults';
import { standstillsOfEnds } from '../streams/rows/machines-of';
import type { RunContext } from './experiment';
import { meanOf } from './repeats';

/** When a row of a table was measured, and on what kind of machine. */
export interface RowFrame {
  from: string;
  to: string;
  measuredSeconds: number;
  /** Whether the instrument kept up: gaps between load samples, stolen time, sleep; and what other programs took. */
  guards: Guard[];
  /** Names of the machines that it was measured on; absent: this one alone. */
  hosts?: readonly string[];
  /** Of this whole machine; null: no load sample lies wholly within the row. */
  cpuPercent: number | null;
}

/** A row, without its own figures and its verdict. */
export function tableRow(
  {
    from,
    to,
    measuredSeconds,
    hosts = [hostname()],
  }: Pick<RowFrame, 'from' | 'to' | 'measuredSeconds' | 'hosts'>,
  index: number,
  label: string,
  details: ClosedRow['details'],
): Omit<ClosedRow, 'verdict' | 'reason'> {
  return {
    ...{ index, label, from, to, step: {}, figures: { measuredSeconds } },
    ...{ subjects: [], notMeasured: {}, details },
    load: Object.fromEntries(hosts.map((host) => [host, {}])),
  };
}

/** What of a run a row needs. */
export type RowContext = Pick<RunContext, 'clock' | 'isoNow' | 'samples' | 'standstills' | 'thresholds'>;

export interface TableRowOptions {
  /** The experiment judges by itself what other programs took, so the row has no guard for it. */
  judgesOthers?: boolean;
  /** On which it is measured, each once; undefined is this one. Default: this one alone. */
  machines?: readonly (RemoteMachine | undefined)[];
}

/** When what a row measures was over; what is still waited for afterwards is none of it. */
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
  { judgesOthers = false, machines = [undefined] }: TableRowOptions = {},
): (measuredSeconds?: number, repeats?: readonly Span[], end?: RowEnd) => RowFrame {
  const { clock } = context;
  const from = context.isoNow();
  const fromNs = clock.monotonicNs();
  const watch = new InstrumentWatch([], 0, clock);
  const isHere = machines.includes(undefined);
  const isFar = machines.some((machine) => machine !== undefined);
  const ownName = isFar ? hostname() : undefined;
  return (measuredSeconds, repeats, { iso: to, ns: toNs } = rowEnd(context)) => {
    const { thresholds } = context;
    // Two seconds before, so that a row which is too short for a sample of its own has the newest ones.
    const sampled = machines.map((machine): SampledMachine => {
      if (machine) {
        const samples = machine.samples.filter(({ atNs }) => atNs >= fromNs - 2e9);
        return { machine: machine.name, isElsewhere: true, samples };
      }
      const samples = context.samples(fromNs - 2e9, toNs);
      return ownName === undefined ? { samples } : { machine: ownName, samples };
    });
    // What ended before it began cost it nothing: it has tools and connections of its own.
    const near = context.standstills(fromNs, toNs).filter((piece) => piece.toNs > fromNs);
    const standstills =
      ownName === undefined ? near : standstillsOfEnds(near, { ourName: ownName, isEndHere: isHere });
    const sleptSeconds = sleptSecondsOf(clock);
    // What is waited for after its end does not make it late.
    const limitNs = clock.monotonicNs();
    const time = { fromNs, toNs, sleptSeconds, limitNs, deaths: 0, lost: false, standstills };
    const others = sampled.map(({ machine, samples }) =>
      othersGuard(othersInWorst(samples, repeats ?? [{ fromNs, toNs }], thresholds), thresholds, { machine }),
    );
    return {
      ...{ from, to },
      measuredSeconds: measuredSeconds ?? (toNs - fromNs) / 1e9,
      guards: [
        ...watch.guards({ ...time, machines: sampled, ...(isFar && { ownName }) }, thresholds),
        ...(judgesOthers ? [] : others),
      ],
      ...(isFar && { hosts: machines.map((machine) => machine?.name ?? hostname()) }),
      cpuPercent: isHere ? machineCpuPercent(context, fromNs, toNs) : null,
    };
  };
}

/** Mean load of this machine between two moments of the monotonic clock; null: no sample lies wholly between them. */
export function machineCpuPercent(context: RowContext, fromNs: number, toNs: number): number | null {
  return meanOf(context.samples(fromNs, toNs).flatMap(({ cpuPercent }) => cpuPercent ?? []));
}
