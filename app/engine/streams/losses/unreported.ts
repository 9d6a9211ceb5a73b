import { type LostRun, LostRuns } from '../counting/lost-runs';
import type { RangeCounts } from '../counting/range-counts';
import { firstSlotFrom } from '../counting/schedule';
import { SourceMark } from '../counting/slot-flags';
import type { StreamLedger } from '../counting/stream-ledger';

export interface UnreportedFrames {
  frames: number;
  /** The first of them, next to each other. */
  runs: readonly LostRun[];
}

/**
 * Frames of a closed range of which neither a picture came nor the record of what their sender did with them. Records of a
 * remote sender travel on the same path: where both are missing, the frames did not arrive. Those of the silence at the
 * end are an outage, and not among them.
 */
export function unreportedIn(
  ledger: StreamLedger,
  { first, last, tail, unrecorded }: Pick<RangeCounts, 'first' | 'last' | 'tail' | 'unrecorded'>,
): UnreportedFrames {
  const runs = new LostRuns();
  let frames = 0;
  if (unrecorded === 0) return { frames, runs: runs.listed };
  const end = tail ? Math.min(last, firstSlotFrom(ledger.source.schedule, tail.fromNs) - 1) : last;
  for (let slot = first; slot <= end; slot++) {
    if (ledger.source.marksOf(slot) & SourceMark.Scheduled || ledger.wasSeen(slot)) continue;
    runs.add(slot, 'dropped');
    frames += 1;
  }
  return { frames, runs: runs.listed };
}
