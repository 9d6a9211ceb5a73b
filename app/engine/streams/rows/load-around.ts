import type { LoadSample } from '../../../protocol/load';
import { busiestOf } from '../../load/window';
import type { RangeCounts } from '../counting/range-counts';
import { aroundNs, samplesAround } from '../losses/loss-facts';
import type { Stream } from '../stream';

/**
 * How busy the sender's machine was at its worst while the sender missed frames, and a second around them: what it did at another
 * time did not make the sender late. Null where it missed none, or nothing is known of that time.
 * @param samples of this machine; null: the sender's machine is another one, which reports its load
 */
export function senderLoadAtMisses(
  { reportedLoads }: Pick<Stream, 'reportedLoads'>,
  counts: Pick<RangeCounts, 'missedAt'> | null,
  samples: readonly LoadSample[] | null,
): number | null {
  const missedAt = counts?.missedAt ?? null;
  if (missedAt === null) return null;
  const { fromNs, toNs } = missedAt;
  return busiestOf(
    samples ? samplesAround(samples, fromNs, toNs) : reportedLoads.around(fromNs, toNs, aroundNs),
  );
}

/**
 * How busy the receiver's machine was at its worst while its queue dropped frames, and a second around them. Null where it dropped
 * none, or nothing is known of that time.
 * @param samples of this machine, which receives
 */
export function receiverLoadAtDrops(
  counts: Pick<RangeCounts, 'queueDroppedAt'> | null,
  samples: readonly LoadSample[],
): number | null {
  const at = counts?.queueDroppedAt ?? null;
  return at && busiestOf(samplesAround(samples, at.fromNs, at.toNs));
}
