import type { Thresholds } from '../../../protocol/thresholds';
import { type LostRun, LostRuns } from '../counting/lost-runs';
import type { Span } from '../counting/range-counter';
import { type RangeCounts, spanOf } from '../counting/range-counts';
import { firstSlotFrom } from '../counting/schedule';
import { SlidingLoss } from '../counting/sliding-loss';
import { SourceMark } from '../counting/slot-flags';
import type { StreamLedger } from '../counting/stream-ledger';

export interface UnreportedFrames {
  frames: number;
  /** The first of them, next to each other. */
  runs: readonly LostRun[];
  /** In the worst sliding window of the verdict, with the frames that were lost beside them. */
  worstWindowLost: number;
  /** When that was; null: there are none. */
  worstAt: Span | null;
}

export const noneUnreported: UnreportedFrames = { frames: 0, runs: [], worstWindowLost: 0, worstAt: null };

/**
 * Frames of a closed range of which neither a picture came nor the record of what their sender did with them. Records of a
 * remote sender travel on the same path: where both are missing, the frames did not arrive. Those of the silence at the
 * end are an outage, and not among them.
 */
export function unreportedIn(
  ledger: StreamLedger,
  { first, last, tail, unrecorded }: Pick<RangeCounts, 'first' | 'last' | 'tail' | 'unrecorded'>,
  { lostWindowSeconds }: Pick<Thresholds, 'lostWindowSeconds'>,
): UnreportedFrames {
  if (unrecorded === 0) return noneUnreported;
  const runs = new LostRuns();
  const window = new SlidingLoss(ledger.slotsIn(lostWindowSeconds));
  let frames = 0;
  const end = tail ? Math.min(last, firstSlotFrom(ledger.source.schedule, tail.fromNs) - 1) : last;
  for (let slot = first; slot <= end; slot++) {
    const isReported = (ledger.source.marksOf(slot) & SourceMark.Scheduled) !== 0;
    const isUnreported = !isReported && !ledger.wasSeen(slot);
    if (isUnreported || ledger.hasLost(slot, slot)) window.add(slot);
    if (!isUnreported) continue;
    runs.add(slot, 'dropped');
    frames += 1;
  }
  if (frames === 0) return noneUnreported;
  const worst = { first: window.worstFirst, last: window.worstLast };
  return { frames, runs: runs.listed, worstWindowLost: window.worst, worstAt: spanOf(ledger.times, worst) };
}
