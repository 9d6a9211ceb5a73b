import { shownMetrics } from '../../app/facts/metrics/display';
import { type Metric, metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';

/** What a display window showed of single streams; there is nothing to report of rows in which none did. */
export const shownColumns: readonly Metric[] = shownMetrics.map(({ id }) => metricOf(id));

export function wasShown({ subjects }: Row): boolean {
  return subjects.some((subject) => numberOf(subject, 'framesDisplayShown') !== null);
}
