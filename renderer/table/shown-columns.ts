import { shownMetrics } from '../../app/protocol/metrics/display';
import { type Metric, metricOf } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';
import { numberOf } from '../../app/protocol/row-figures';

/** What a display window showed of single streams; there is nothing to report of rows in which none did. */
export const shownColumns: readonly Metric[] = shownMetrics.map(({ id }) => metricOf(id));

export function wasShown({ subjects }: Row): boolean {
  return subjects.some((subject) => numberOf(subject, 'framesDisplayShown') !== null);
}
