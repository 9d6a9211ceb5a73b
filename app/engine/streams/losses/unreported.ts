import { type LostRun, LostRuns } from '../counting/lost-runs';
import type { RangeCounts } from '../counting/range-counts';
import { firstSlotFrom } from '../counting/schedule';
import { SourceMark } from '../counting/slot-flags';
import type { StreamLedger } from '../counting/stream-ledger';

/**
 * Frames of a closed range with neither a picture nor a record of what their sender did (`unreported`): the first consecutive ones. A
 * remote sender's records travel on the same path, so if both are missing, the frames did not arrive. Frames of the silence at the end are
 * an outage, and not among them.
 */
export function unreportedIn(
  ledger: StreamLedger,
  { first, last, tail, unreported }: Pick<RangeCounts, 'first' | 'last' | 'tail' | 'unreported'>,
): readonly LostRun[] {
  const runs = new LostRuns();
  if (unreported === 0) return runs.listed;
  const end = tail ? Math.min(last, firstSlotFrom(ledger.source.schedule, tail.fromNs) - 1) : last;
  for (let slot = first; slot <= end; slot++)
    if (!(ledger.source.marksOf(slot) & SourceMark.Scheduled) && !ledger.wasSeen(slot))
      runs.add(slot, 'dropped');
  return runs.listed;
}
