import type { Row } from '../../app/facts/row';
import { StepChart } from '../charts/step-chart';
import charts from '../charts/step-chart.module.css';
import type { StepChartSpec } from '../charts/step-series';
import { RunTable } from '../table/run-table';
import { texts } from '../texts';

interface Props {
  rows: readonly Row[];
  /** Those of costs, each of a load that was measured. */
  specs: readonly StepChartSpec[];
}

/** What each step costs, such as a stream more: as a table, and step by step. */
export function MarginalCosts({ rows, specs }: Props) {
  const groups = specs.map(({ title, series }) => ({
    heading: title,
    columns: series.map(({ metric, label }) => ({ metric, heading: label })),
  }));
  return (
    <>
      <RunTable
        rows={rows}
        columns={groups}
        lead={texts.table.streams}
        caption={texts.report.costs}
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
