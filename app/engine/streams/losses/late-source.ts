import { MissCause } from '../../../protocol/records';
import type { RangeCounts } from '../counting/range-counts';
import { SourceMark } from '../counting/slot-flags';
import type { StreamLedger } from '../counting/stream-ledger';
import { aroundNs } from './loss-facts';

/** A damaged picture is late though disk and decoder are not slow: it explains no miss. */
const slow = SourceMark.Disk | SourceMark.Decode | SourceMark.Command;

/**
 * Frames of a range that our own pacing missed within a second of a picture that was late from the disk or from decoding: that is
 * why they were missed. A late picture at another time explains none.
 */
export function lateSourceMisses(ledger: StreamLedger, { tally }: Pick<RangeCounts, 'tally'>): number {
  const { first } = tally.missedFrames;
  const { Disk, Decode, Command } = tally.lateCauses;
  if (first === null || Disk + Decode + Command === 0) return 0;
  const reach = Math.ceil(ledger.slotsIn(aroundNs / 1e9));
  const late: number[] = [];
  for (let slot = first - reach; slot <= tally.lastMissed + reach; slot++)
    if (ledger.source.marksOf(slot) & slow) late.push(slot);
  let [frames, next] = [0, 0];
  for (let slot = first; slot <= tally.lastMissed; slot++) {
    const cause = ledger.missCauseAt(slot);
    if (cause !== MissCause.SourceSkipped && cause !== MissCause.SenderLate) continue;
    while ((late[next] ?? slot) < slot - reach) next += 1;
    if ((late[next] ?? Number.POSITIVE_INFINITY) <= slot + reach) frames += 1;
  }
  return frames;
}
