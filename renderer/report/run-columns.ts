import type { ChartDeclaration } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import type { Column as DeclaredColumn } from '../../app/facts/column';
import { recordMetrics } from '../../app/facts/metrics/records';
import { isCell, type Metric, metricFor, metrics, rowMetrics } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { isOfStreams, numberOf, recordedMetrics } from '../../app/facts/row-figures';
import { countedRows } from '../../app/facts/row-labels';
import type { Run } from '../../app/facts/run';
import { rampOf, type StepChartSpec, stepChartsOf } from '../charts/step-series';
import { type ColumnGroup, countTables, studyColumnsOf, timeTables } from '../table/columns';
import { declaredColumnsOf, filledColumns } from '../table/declared-columns';
import { gapMetrics, hasGap } from '../table/gap-bars';
import { shownColumns, wasShown } from '../table/shown-columns';
import { streamColumnsOf } from '../table/stream-columns';
import { timeFigures, timeFiguresOf } from '../table/times-table';

/** What rows of streams have, whatever the experiment is; their tables and sections show it. */
const ofEveryRow = [...rowMetrics, ...recordMetrics].map(({ id }) => id);

/** The columns that the run's experiment declares, and what its rows recorded beside them. */
export function columnsOfRun({ experiment, rows }: Pick<Run, 'experiment' | 'rows'>): DeclaredColumn[] {
  const declared = declarations.find(({ id }) => id === experiment)?.columns ?? [];
  const known = new Set([...declared.map(({ metric }) => metric), ...ofEveryRow]);
  const others = recordedMetrics(rows).filter((metric) => !known.has(metric.id) && isCell(metric));
  return [...declared, ...others.map(({ id }): DeclaredColumn => ({ metric: id, role: 'measure' }))];
}

/** The charts of the report: a line of two points says no more than the table. */
export function chartsOfRun(run: Pick<Run, 'experiment' | 'rows'>): StepChartSpec[] {
  return measuredCharts(run, rampOf(run.rows) ? 3 : 2);
}

/** The charts that the run's experiment declares, for figures that were measured at enough steps. A run without an experiment has none. */
export function measuredCharts(
  { experiment, rows: all }: Pick<Run, 'experiment' | 'rows'>,
  leastSteps: number,
): StepChartSpec[] {
  const declaration = declarations.find(({ id }) => id === experiment);
  if (!declaration) return [];
  const rows = countedRows(all);
  const steps = (id: string): number => rows.filter((row) => numberOf(row, id) !== null).length;
  return stepChartsOf(declaration, rows).filter(({ series }) =>
    series.some(({ metric }) => steps(metric.id) >= leastSteps),
  );
}

/** Its other charts, of what its rows have. */
export function otherChartsOfRun({
  experiment,
  rows: all,
}: Pick<Run, 'experiment' | 'rows'>): ChartDeclaration[] {
  const charts = declarations.find(({ id }) => id === experiment)?.charts ?? [];
  const rows = countedRows(all);
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
  const rows = run.rows.filter(isOfStreams);
  const others = run.rows.filter((row) => !isOfStreams(row));
  const columns = filledColumns(tableGroups(run), run.rows).flatMap((group) => group.columns);
  const ids = new Set([
    ...columns.flatMap(({ metric, spread }) => (spread ? [metric.id, spread.id] : [metric.id])),
    ...chartsOfRun(run).flatMap(({ series }) => series.map(({ metric }) => metric.id)),
    ...otherChartsOfRun(run).flatMap(({ figures }) => figures.map(({ metric }) => metric)),
    ...recordedMetrics(others.flatMap(({ subjects }) => subjects)).map(({ id }) => id),
    ...(rows.length > 0 ? ofStreams(rows) : []),
  ]);
  const known = metrics.filter(({ id }) => ids.delete(id));
  return [...known, ...[...ids].map(metricFor)];
}

/** All that the report has a place for, whether or not it was measured. */
export function reportedFigures(run: Pick<Run, 'experiment' | 'rows'>): ReadonlySet<string> {
  const columns = tableGroups(run)
    .flatMap((group) => group.columns)
    .flatMap(({ metric, spread }) => (spread ? [metric, spread] : [metric]));
  const streams = run.rows.some(isOfStreams) ? [...countTables, ...timeTables, timeFigures].flat() : [];
  return new Set([...columns, ...streams, ...definedMetrics(run)].map(({ id }) => id));
}

/** What the sections on streams show beside the table. */
function ofStreams(rows: readonly Row[]): string[] {
  const shown = rows.some(wasShown) ? shownColumns : [];
  const gaps = rows.some((row) => hasGap(row) === true) ? gapMetrics : [];
  const streams = rows.some(({ subjects }) => subjects.length > 0);
  return [
    'streams',
    ...(streams
      ? [...streamColumnsOf(rows).tables.flat(), ...timeFiguresOf(rows), ...shown, ...gaps]
      : []
    ).map(({ id }) => id),
  ];
}
