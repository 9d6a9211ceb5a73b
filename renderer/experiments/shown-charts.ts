import type { ChartDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import type { Run } from '../../app/facts/run';
import { type StepChartSpec, stepChartsOf } from '../charts/step-series';
import { otherChartsOfRun } from '../report/run-columns';

/** A chart of a run: over its steps, or of what single rows measured many times. */
export type ShownChart = { title: string } & (
  | { kind: 'steps'; spec: StepChartSpec }
  | { kind: 'other'; declared: ChartDeclaration }
);

/** The charts of a run that hold something, in the order of its declaration. One row alone is no step of anything. */
export function shownCharts(run: Pick<Run, 'experiment' | 'rows'>): ShownChart[] {
  const declaration = declarations.find(({ id }) => id === run.experiment);
  if (!declaration) return [];
  const others = otherChartsOfRun(run);
  return declaration.charts.flatMap((declared): ShownChart[] => {
    const { title } = declared;
    if (others.includes(declared)) return [{ title, kind: 'other', declared }];
    if (run.rows.length < 2) return [];
    const { columns } = declaration;
    return stepChartsOf({ charts: [declared], columns }, run.rows).map((spec) => ({
      title,
      kind: 'steps',
      spec,
    }));
  });
}
