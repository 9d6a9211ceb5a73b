import type { Column as DeclaredColumn } from '../../app/protocol/experiments/declaration';
import { declarations } from '../../app/protocol/experiments/registry';
import { type Metric, metrics, rowMetrics } from '../../app/protocol/metrics/registry';
import { isStreamRow, streamRowsOf } from '../../app/protocol/row';
import type { Run } from '../../app/protocol/run';
import { type StepChartSpec, stepChartsOf } from '../charts/step-series';
import { type ColumnGroup, studyColumnsOf } from '../table/columns';
import { declaredColumnsOf } from '../table/declared-columns';

/** The columns that the run's experiment declares, and what its rows recorded beside them. */
export function columnsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): DeclaredColumn[] {
  const declared = declarations.find(({ id }) => id === experiment)?.columns ?? [];
  const known = new Set(declared.map(({ metric }) => metric));
  const recorded = new Set(rows.flatMap((row) => Object.keys(row.values ?? {})));
  const others = metrics.filter(({ id }) => recorded.has(id) && !known.has(id));
  return [...declared, ...others.map(({ id }): DeclaredColumn => ({ metric: id, role: 'measure' }))];
}

/** The charts that the run's experiment declares, of what was measured; a run of no experiment has none. */
export function chartsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): StepChartSpec[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  return declaration ? stepChartsOf(declaration, rows) : [];
}

/** The groups of the table: those of the declaration; of a run without one, the study's. */
export function tableGroups(run: Pick<Run, 'experiment' | 'rows'>): readonly ColumnGroup[] {
  const columns = columnsOfRun(run);
  if (columns.length > 0) return declaredColumnsOf(columns, run.rows);
  return studyColumnsOf(streamRowsOf(run.rows));
}

/** The figures that the report shows, in the order of the registry. */
export function definedMetrics(run: Pick<Run, 'experiment' | 'rows'>): Metric[] {
  const own = new Set(columnsOfRun(run).map(({ metric }) => metric));
  const ofStreams = new Set(run.rows.some(isStreamRow) ? rowMetrics.map(({ id }) => id) : []);
  return metrics.filter(({ id }) => own.has(id) || ofStreams.has(id));
}
