import { type Metric, metricOf } from '../../app/protocol/metrics/registry';
import type { Row } from '../../app/protocol/row';

/** What a display window showed of single streams; there is nothing to tell of rows in which none did. */
export const shownColumns: readonly Metric[] = [
  'framesDisplayShown',
  'framesDisplayMissed',
  'framesDisplayMissedDelivery',
  'framesDisplayMissedUpload',
  'framesDisplayMissedPresentation',
  'displayTicksMissed',
].map(metricOf);

export function wasShown({ perStream }: Row): boolean {
  // Runs of an older version do not tell it.
  return perStream.some(
    (stream: { framesDisplayShown?: number | null }) => stream.framesDisplayShown != null,
  );
}
