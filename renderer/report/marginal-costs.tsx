import { metricOf } from '../../app/protocol/metrics/registry';
import { rowValue } from '../../app/protocol/metrics/row-value';
import { streamCosts } from '../../app/protocol/metrics/stream-load';
import type { RunRow } from '../../app/protocol/row';
import { StepChart } from '../charts/step-chart';
import charts from '../charts/step-chart.module.css';
import type { StepChartSpec } from '../charts/step-series';
import type { Column } from '../table/columns';
import { RunTable } from '../table/run-table';
import { texts } from '../texts';

/** Rows that say what one stream more costs. */
export function hasCosts(rows: readonly RunRow[]): boolean {
  return costMetrics.some((id) => rows.some((row) => rowValue(row, id) !== null));
}

/** What this section shows and no other chart has to. */
export const costMetrics: readonly string[] = streamCosts.flatMap(({ perStream, added }) => [
  perStream,
  added,
]);

const { costs } = texts.report;

/** What each stream costs: by the line through all rows, and by the stream added last. */
export function MarginalCosts({ rows }: { rows: readonly RunRow[] }) {
  const shown = streamCosts.filter(({ perStream, added }) =>
    [perStream, added].some((id) => rows.some((row) => rowValue(row, id) !== null)),
  );
  const specs = shown.map(({ perStream, added }): StepChartSpec => {
    const { heading, metric } = columnOf(perStream);
    const series = [
      { metric, spread: null, label: costs.perStream },
      { metric: metricOf(added), spread: null, label: costs.added },
    ];
    return { title: heading, unit: metric.unit, series };
  });
  const groups = [
    { heading: costs.perStream, columns: shown.map(({ perStream }) => columnOf(perStream)) },
    { heading: costs.added, columns: shown.map(({ added }) => columnOf(added)) },
  ];
  return (
    <>
      <RunTable
        rows={rows}
        columns={groups}
        lead={texts.table.streams}
        caption={costs.title}
        showsReason={false}
      />
      <div className={charts.charts} style={{ marginTop: '1rem' }}>
        {specs.map((spec) => (
          <StepChart key={spec.title} spec={spec} rows={rows} />
        ))}
      </div>
    </>
  );
}

/** The group's heading says the rest. */
function columnOf(id: string): Column {
  const metric = metricOf(id);
  return { metric, heading: metric.heading.replace(/ (added )?per stream$/, '') };
}
