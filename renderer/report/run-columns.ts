import type { ChartDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import type { Column as DeclaredColumn } from '../../app/facts/column';
import { recordMetrics } from '../../app/facts/metrics/records';
import { isCell, type Metric, metricFor, metrics, rowMetrics } from '../../app/facts/metrics/registry';
import { isOfStreams, recordedMetrics } from '../../app/facts/row-figures';
import type { Run } from '../../app/facts/run';
import { type StepChartSpec, stepChartsOf } from '../charts/step-series';
import { type ColumnGroup, studyColumnsOf } from '../table/columns';
import { declaredColumnsOf } from '../table/declared-columns';

/** What rows of streams have, whatever the experiment is; their tables and sections show it. */
const ofEveryRow = [...rowMetrics, ...recordMetrics].map(({ id }) => id);

/** The columns that the run's experiment declares, and what its rows recorded beside them. */
export function columnsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): DeclaredColumn[] {
  const declared = declarations.find(({ id }) => id === experiment)?.columns ?? [];
  const known = new Set([...declared.map(({ metric }) => metric), ...ofEveryRow]);
  const others = recordedMetrics(rows).filter((metric) => !known.has(metric.id) && isCell(metric));
  return [...declared, ...others.map(({ id }): DeclaredColumn => ({ metric: id, role: 'measure' }))];
}

/** The charts that the run's experiment declares, of what was measured; a run of no experiment has none. */
export function chartsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): StepChartSpec[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  return declaration ? stepChartsOf(declaration, rows) : [];
}

/** Its other charts, of what its rows have. */
export function otherChartsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): ChartDeclaration[] {
  const charts = declarations.find(({ id }) => id === experiment)?.charts ?? [];
  const recorded = new Set(
    [...recordedMetrics(rows), ...recordedMetrics(rows.flatMap(({ subjects }) => subjects))].map(
      ({ id }) => id,
    ),
  );
  return charts.filter(
    ({ kind = 'steps', figures }) => kind !== 'steps' && figures.some(({ metric }) => recorded.has(metric)),
  );
}

/** The groups of the table: those of the declaration; of a run without one, the study's. */
export function tableGroups(run: Pick<Run, 'experiment' | 'rows'>): readonly ColumnGroup[] {
  const columns = columnsOfRun(run);
  if (columns.length > 0) return declaredColumnsOf(columns, run.rows);
  return studyColumnsOf(run.rows);
}

/** The figures that the report shows, in the order of the registry; those that this version does not know last. */
export function definedMetrics(run: Pick<Run, 'experiment' | 'rows'>): Metric[] {
  const ids = new Set([
    ...columnsOfRun(run).map(({ metric }) => metric),
    ...otherChartsOfRun(run).flatMap(({ figures }) => figures.map(({ metric }) => metric)),
    ...(run.rows.some(isOfStreams)
      ? rowMetrics.map(({ id }) => id)
      : recordedMetrics(run.rows.flatMap(({ subjects }) => subjects)).map(({ id }) => id)),
  ]);
  const known = metrics.filter(({ id }) => ids.delete(id));
  return [...known, ...[...ids].map(metricFor)];
}
