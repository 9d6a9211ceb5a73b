import type { Fact } from '../../../facts/fact';
import { brokenGuards, type Guard } from '../../../facts/precedence';
import { MissCause } from '../../../protocol/records';
import type { ProcessStandstill } from '../../load/standstills';
import type { RangeCounts } from '../counting/range-counts';
import type { Stream } from '../stream';

/** How many frames of a stream, at most, were due while a process was stopped for longer than allowed. */
export interface StopCost {
  /** In the process that sends it, here or elsewhere. */
  missed: number;
  /** In the process that receives it. */
  queued: number;
}

export const noStopCost: StopCost = { missed: 0, queued: 0 };

/** By the guards of a row: what a stop explains, no other guard needs to say. */
export function stopCostOf(
  guards: readonly Guard[],
  { name, framesPerSecond }: Pick<Stream, 'name' | 'framesPerSecond'>,
): StopCost {
  const stops = brokenGuards(guards).filter(({ code }) => code === 'process-stopped');
  const framesOf = (isOf: (data: Fact['data']) => boolean): number =>
    stops
      .filter(({ data }) => isOf(data))
      // A stop that is slightly longer than whole frames costs one more frame at each end.
      .map(({ data: { seconds } }) => Math.ceil(Number(seconds ?? 0) * framesPerSecond) + 1)
      .reduce((sum, frames) => sum + frames, 0);
  return {
    missed: framesOf(({ role, sender }) => role === 'sending' || sender === name),
    queued: framesOf(({ role }) => role === 'receiving'),
  };
}

/** A remote sender reports its stops as sums, up to this much later. */
const reportedLateNs = 1e9;

/**
 * Frames of a range that our own pacing missed while the process that sends them was stopped, at most those that its stops may cost.
 * Only the stops are looked through: a live range may be hours long.
 */
export function missedWhileStopped(
  {
    ledger,
    framesPerSecond,
    senderStandstills,
  }: Pick<Stream, 'ledger' | 'framesPerSecond' | 'senderStandstills'>,
  { tally, missedAt }: Pick<RangeCounts, 'tally' | 'missedAt'>,
  { missed: most }: StopCost,
  standstills: (fromNs: number, toNs: number) => readonly ProcessStandstill[],
): number {
  const { first } = tally.missedFrames;
  if (!ledger || !missedAt || first === null || most === 0) return 0;
  const slots = new Set<number>();
  const slotNs = 1e9 / framesPerSecond;
  const { fromNs: missedFromNs, toNs: missedToNs } = missedAt;
  const near = [
    ...standstills(missedFromNs, missedToNs),
    ...senderStandstills.near(missedFromNs, missedToNs),
  ];
  for (const { who, kind, fromNs, toNs } of near) {
    const isOfSender = 'sender' in who || ('role' in who && who.role === 'sending');
    if (!isOfSender || kind !== 'stopped') continue;
    const earliestNs = fromNs - slotNs - ('sender' in who ? reportedLateNs : 0);
    const from = Math.max(first, ledger.lastSlotBefore(earliestNs) + 1);
    const to = Math.min(tally.lastMissed, ledger.lastSlotBefore(toNs + slotNs));
    for (let slot = from; slot <= to; slot++) if (isOwnPacing(ledger.missCauseAt(slot))) slots.add(slot);
  }
  return Math.min(slots.size, most);
}

function isOwnPacing(cause: number | null): boolean {
  return cause === MissCause.SourceSkipped || cause === MissCause.SenderLate;
}
