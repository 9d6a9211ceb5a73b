import type { Fact } from '../facts/fact';
import type { Figures, Step } from '../facts/figure';
import type { Row, Subject } from '../facts/row';
import { madeUpFanOutRows } from './made-up-fan-out';
import { madeUpScaleRows } from './made-up-nmos-scale';
import { madeUpPacingRows } from './made-up-pacing';
import { madeUpQuietRows } from './made-up-quiet';

const start = Date.parse('2026-11-23T08:00:00.000Z');

interface MadeUpRow {
  step?: Step;
  figures: Figures;
  subjects?: Subject[];
  load?: Row['load'];
  reason?: Fact[];
  notMeasured?: Record<string, string>;
}

export function madeUpRow(index: number, made: MadeUpRow): Row {
  return {
    ...{ index, label: '', verdict: 'PASS', reason: [], subjects: [], notMeasured: {}, step: {} },
    load: { 'rack-04': {} },
    from: new Date(start + index * 10_000).toISOString(),
    to: new Date(start + (index + 1) * 10_000).toISOString(),
    ...made,
    figures: { measuredSeconds: 10, ...made.figures },
  };
}

/** Rows by experiment: what it takes to show that the model holds each of them. */
export const madeUpRows: Record<string, Row[]> = {
  quiet: madeUpQuietRows(),
  pacing: madeUpPacingRows(),
  'fan-out': madeUpFanOutRows(),
  'nmos-scale': madeUpScaleRows(),
};
