import type { GapClass } from '../../app/facts/distribution';
import { metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';
import { figure } from '../format';
import { texts } from '../texts';
import styles from './detail.module.css';
import { figureMarks, metricHelp } from './metric-cell';

const classes: readonly GapClass[] = ['of1', 'of2', 'of3to5', 'of6to10', 'of11to30', 'over30'];
export const gapMetrics = classes.map((gapClass) => metricOf(`gapHistogram.${gapClass}`));

/** Gaps of the row by their length: how many of each. */
export function GapBars({ row }: { row: Row }) {
  const values = gapMetrics.map(({ id }) => numberOf(row, id));
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  if (values.every((value) => value === null)) {
    const reason = row.notMeasured['gapHistogram.of1'];
    return <p className={styles.note}>{reason ? texts.table.notMeasured(reason) : texts.gaps.unknown}</p>;
  }
  return (
    <table className={styles.bars} data-testid="gap-bars">
      <tbody>
        {gapMetrics.map((metric, index) => (
          <tr key={metric.id} title={metricHelp(metric)} data-empty={values[index] === 0 || undefined}>
            <th scope="row">{metric.heading}</th>
            <td className={styles.track} aria-hidden="true">
              <span className={styles.fill} style={{ width: `${((values[index] ?? 0) / most) * 100}%` }} />
            </td>
            <td {...figureMarks(metric, row)}>{figure(values[index])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the row has a gap at all; null if that was not measured. */
export function hasGap(row: Row): boolean | null {
  const values = gapMetrics.map(({ id }) => numberOf(row, id));
  return values.some((value) => value === null) ? null : values.some((value) => value !== 0);
}
