import type { ChartDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import { countedRows } from '../../app/facts/row-labels';
import type { Run } from '../../app/facts/run';
import { lostChart } from '../charts/lost-chart';
import { type StepChartSpec, stepChartsOf } from '../charts/step-series';
import { otherChartsOfRun } from '../report/run-columns';
import { type AtFault, atFault } from './at-fault';

/** A chart of a run: over its steps, or of what single rows measured many times. */
export type ShownChart = { title: string } & (
  | { kind: 'steps'; spec: StepChartSpec }
  | { kind: 'other'; declared: ChartDeclaration }
);

/**
 * The charts of a run that hold something: first the one of why it did not pass, then in the order of its declaration. One row alone is
 * no step of anything.
 */
export function shownCharts(run: Pick<Run, 'experiment' | 'rows'>): ShownChart[] {
  const fault = atFault(run.rows);
  const declared = declaredCharts(run);
  if (fault === null) return declared;
  if (fault === 'lost') {
    const spec = lostChart(countedRows(run.rows));
    return spec ? [{ title: spec.title, kind: 'steps', spec }, ...declared] : declared;
  }
  const shows = (chart: ShownChart): boolean => showsFault(chart, fault);
  return [...declared.filter(shows), ...declared.filter((chart) => !shows(chart))];
}

/** Whether the chart has a line of one of these figures. */
export function showsFault(chart: ShownChart, fault: AtFault): boolean {
  return (
    fault !== 'lost' &&
    chart.kind === 'steps' &&
    chart.spec.series.some(({ metric }) => fault.includes(metric.id))
  );
}

function declaredCharts(run: Pick<Run, 'experiment' | 'rows'>): ShownChart[] {
  const declaration = declarations.find(({ id }) => id === run.experiment);
  if (!declaration) return [];
  const others = otherChartsOfRun(run);
  const rows = countedRows(run.rows);
  return declaration.charts.flatMap((declared): ShownChart[] => {
    const { title } = declared;
    if (others.includes(declared)) return [{ title, kind: 'other', declared }];
    if (rows.length < 2) return [];
    const { columns } = declaration;
    return stepChartsOf({ charts: [declared], columns }, rows).map((spec) => ({
      title,
      kind: 'steps',
      spec,
    }));
  });
}
