import { processCpuOf } from '../../engine/experiment/held-row';
import { highestOf, type Receiving, receivedOn, receivingIn } from '../../engine/experiment/receiving-cost';
import { withFigures } from '../../engine/experiment/row-values';
import { slopeOf } from '../../engine/experiment/slope';
import { wasDisturbed } from '../../engine/streams/rows/clean-row';
import { wordsOf } from '../../facts/reason-words';
import type { Reasoned, ReasonedNumber } from '../../facts/reasoned';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { streamLoadDeclaration } from './declaration';
import { type CostLoad, streamCosts } from './metrics';

interface Point {
  streams: number;
  load: number;
  /** What other programs took of the machine, where the load is the machine's; null: not measured. */
  othersPercent?: number | null;
}

/** Other programs come and go by less than this on any machine. */
const leastDriftPercent = 5;

const reasons = {
  unclean: 'only rows without a lost frame count: in others not all streams were carried',
  disturbed: 'the instrument was disturbed in the row: see its reason',
  few: 'it takes two clean rows with different numbers of streams',
};

/**
 * A row with the cost of each stream, from the clean rows before it and itself. What our own processes and sockets took is known whatever
 * else runs. The machine's load proves nothing if the machine was busy before the first stream.
 * @param usesBaseline row 0 counts too: it plays the same sources as the rows with streams
 */
export function withCosts(
  row: StreamsRow,
  earlier: readonly StreamsRow[],
  usesBaseline: boolean,
): StreamsRow {
  const costs: Record<string, Reasoned> = {};
  const rows = [...earlier, row];
  const clean = rows.filter((one) => isClean(one) && (one.step.streams > 0 || usesBaseline));
  for (const { load, perStream, added } of streamCosts) {
    const spoilt = load === 'machineCpu' ? spoiltBaseline(rows) : null;
    const why = wasDisturbed(row) ? reasons.disturbed : reasons.unclean;
    const reason = spoilt ?? (isClean(row) ? reasons.few : why);
    const machines = load === 'receiverCpu' ? receivingIn(row) : [undefined];
    const pointsOf = (machine: Receiving) => ({
      points: clean.flatMap((one) => pointOf(one, load, machine) ?? []),
      own: isClean(row) && !spoilt ? pointOf(row, load, machine) : null,
    });
    const steady = (used: readonly Point[], value: number | null): ReasonedNumber => {
      const drift = driftText(used);
      return [drift === null ? value : null, drift ?? reason];
    };
    const slope = (machine: Receiving): ReasonedNumber => {
      const { own, points } = pointsOf(machine);
      return own ? steady(points, slopeOf(points)) : [null, reason];
    };
    const difference = (machine: Receiving): ReasonedNumber => {
      const { own, points } = pointsOf(machine);
      const below = own && nextBelow(own, points);
      return own && below ? steady([own, below], differenceOf(own, below)) : [null, reason];
    };
    costs[perStream] = highestOf(machines, slope, reason);
    costs[added] = highestOf(machines, difference, reason);
  }
  return withFigures(row, streamLoadDeclaration, costs);
}

/**
 * All streams passed, and nothing disturbed the instrument. Row 0 has no streams: if other programs were busy in it, that does not change
 * what ours took.
 */
function isClean(row: StreamsRow): boolean {
  const { verdict, step } = row;
  return !wasDisturbed(row) && (verdict === 'PASS' || (step.streams === 0 && verdict === 'WARN'));
}

/** Why the machine's load does not show the cost of a stream: the row without streams did not pass; null if it did, or there is none. */
function spoiltBaseline(rows: readonly StreamsRow[]): string | null {
  const baseline = rows.find(({ step }) => step.streams === 0);
  if (!baseline || baseline.verdict === 'PASS') return null;
  return `row ${baseline.index} is ${baseline.verdict}: ${wordsOf(baseline.reason)}`;
}

/** The newest point of the next lower number of streams. */
export function nextBelow(own: Point, points: readonly Point[]): Point | null {
  const below = points.filter(({ streams }) => streams < own.streams);
  const next = Math.max(...below.map(({ streams }) => streams));
  return below.filter(({ streams }) => streams === next).at(-1) ?? null;
}

function differenceOf(own: Point, below: Point): number {
  return (own.load - below.load) / (own.streams - below.streams);
}

/** Why the load of these points does not show the cost of streams: other programs changed it as much; null if they did not. */
function driftText(points: readonly Point[]): string | null {
  const drift = rangeOf(points.map(({ othersPercent }) => othersPercent ?? null));
  const change = rangeOf(points.map(({ load }) => load));
  if (drift < leastDriftPercent || drift < change / 2) return null;
  return `other programs’ share of the CPU changed by ${drift.toFixed(0)} % from row to row: see othersCpuMeanPercent`;
}

function rangeOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known);
}

function pointOf(row: StreamsRow, load: CostLoad, machine: Receiving): Point | null {
  const value = loadOf(row, load, machine);
  if (value === null) return null;
  const streams = receivedOn(row, machine);
  if (load !== 'machineCpu') return { streams, load: value };
  return { streams, load: value, othersPercent: numberOf(row, 'sender.othersCpuMeanPercent') };
}

function loadOf(row: StreamsRow, load: CostLoad, machine: Receiving): number | null {
  switch (load) {
    case 'machineCpu':
      return numberOf(row, 'sender.cpuMeanPercent');
    case 'senderCpu':
      return processCpuOf(row, 'sender');
    case 'receiverCpu':
      return processCpuOf(row, 'receiver', machine);
    case 'network':
      return row.step.streams === 0 ? 0 : row.figures.bitrateMbps;
  }
}
