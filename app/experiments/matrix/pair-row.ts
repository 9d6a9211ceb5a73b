import { hostname } from 'node:os';
import { withFigures } from '../../engine/experiment/row-values';
import type { Fact } from '../../facts/fact';
import { lostFramesOf } from '../../facts/lost-frames';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import { matrixDeclaration } from './declaration';

/** Two machines: the first sends and the second receives. */
export interface Pair {
  from: MachineName;
  to: MachineName;
}

/** Each machine with each other one, in both directions: row by row of the matrix. */
export function pairsOf(machines: readonly MachineName[]): Pair[] {
  return machines.flatMap((from) => machines.filter((to) => to !== from).map((to) => ({ from, to })));
}

export function pairText({ from, to }: Pair): string {
  return `${machineText(from)} → ${machineText(to)}`;
}

export function machineText(machine: MachineName): string {
  return machine ?? thisMachine;
}

const reasons = {
  share: 'not all frames of the stream were counted',
  nothing: 'the pair was not measured',
};

/** The row of a pair, as it was measured as a row of streams. */
export function pairRow(pair: Pair, row: StreamsRow): StreamsRow {
  return withFigures({ ...row, label: pairText(pair) }, matrixDeclaration, {
    ...setFor(pair),
    'matrix.lostPercent': [lostPercentOf(row), reasons.share],
  });
}

function lostPercentOf(row: StreamsRow): number | null {
  const [scheduled, missed] = [numberOf(row, 'framesScheduled'), numberOf(row, 'framesSenderMissed')];
  const lost = lostFramesOf(row);
  if (scheduled === null || missed === null || lost === null || scheduled === 0) return null;
  return (100 * (lost + missed)) / scheduled;
}

/** The row of a pair that could not be measured. */
export function unmeasuredRow(pair: Pair, index: number, at: string, reason: Fact): ClosedRow {
  const row: ClosedRow = {
    ...{ index, step: {}, label: pairText(pair), from: at, to: at, figures: { measuredSeconds: 0 } },
    ...{ subjects: [], load: { [hostname()]: {} }, notMeasured: {}, verdict: 'INVALID', reason: [reason] },
  };
  return withFigures(row, matrixDeclaration, {
    ...setFor(pair),
    'matrix.lostPercent': [null, reasons.nothing],
    bitrateMbps: [null, reasons.nothing],
    'matrix.linkMbps': [null, reasons.nothing],
    'matrix.rttMs': [null, reasons.nothing],
  });
}

function setFor({ from, to }: Pair): Record<string, [string]> {
  return { 'matrix.from': [machineText(from)], 'matrix.to': [machineText(to)] };
}

export function notMeasured(why: string): Fact {
  return reasonOf('pair-not-measured', { why });
}
