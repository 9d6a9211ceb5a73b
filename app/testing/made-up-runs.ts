import type { ChartDeclaration, ExperimentDeclaration } from '../protocol/experiments/declaration';
import { columnsOf } from '../protocol/experiments/declaration';
import { preflightDeclaration } from '../protocol/experiments/preflight/declaration';
import type { Fact } from '../protocol/fact';
import type { Figures, Step } from '../protocol/figure';
import type { Row, Subject } from '../protocol/row';
import { madeUpFanOutRows } from './made-up-fan-out';
import { madeUpScaleRows } from './made-up-nmos-scale';
import { madeUpPacingRows } from './made-up-pacing';
import { madeUpQuietRows } from './made-up-quiet';

/** Experiments that do not exist yet, with figures of every shape that they will need. */

function declaration(
  id: string,
  columns: ExperimentDeclaration['columns'],
  charts: ChartDeclaration[],
): ExperimentDeclaration {
  const { parameters, verdictWords } = preflightDeclaration;
  return {
    ...{ id, title: `Made up: ${id}`, purpose: 'A test.', study: 'None.', parameters, verdictWords },
    ...{ columns, charts, expectedSeconds: () => null },
  };
}

function chart(kind: ChartDeclaration['kind'], title: string, ...metrics: string[]): ChartDeclaration {
  return { kind, title, figures: metrics.map((id) => ({ metric: id, label: id })) };
}

export const madeUpDeclarations: readonly ExperimentDeclaration[] = [
  declaration('link-matrix', columnsOf('measure', 'linkMatrix.worstMbps'), [
    chart('pairs', 'Throughput of each pair', 'linkMatrix.mbps'),
  ]),
];

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

function subject(kind: string, id: string, hosts: Record<string, string>, figures: Figures): Subject {
  return { kind, id, name: `${kind} ${id}`, hosts, figures: { ...figures }, notMeasured: {} };
}

/** Rows by experiment: what it takes to show that the model holds each of them. */
export const madeUpRows: Record<string, Row[]> = {
  quiet: madeUpQuietRows(),
  pacing: madeUpPacingRows(),
  'fan-out': madeUpFanOutRows(),
  'nmos-scale': madeUpScaleRows(),
  'link-matrix': [
    madeUpRow(0, {
      figures: { 'linkMatrix.worstMbps': 930.5 },
      subjects: [
        subject('pair', 'a-b', { from: 'rack-04', to: 'rack-05' }, { 'linkMatrix.mbps': 941.25 }),
        subject('pair', 'b-a', { from: 'rack-05', to: 'rack-04' }, { 'linkMatrix.mbps': 930.5 }),
      ],
    }),
  ],
};
