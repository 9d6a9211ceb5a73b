import { framesPerSecond } from '../../../protocol/format';
import { stallSeconds } from '../../../protocol/thresholds';
import type { RangeCounter, Silence, Span } from './range-counter';
import { type Schedule, slotNs, slotPeriodNs } from './schedule';
import { Mark, type SlotFlags } from './slot-flags';

/** No picture for so long is a stall. */
export function stallNs(schedule: Schedule): number {
  return stallSeconds(framesPerSecond(schedule.rate)) * 1e9;
}

export interface StallContext {
  schedule: Schedule;
  flags: SlotFlags;
  /** Nothing is known of this sender's own silences: a picture that stands still counts. */
  assumeSubmitted: boolean;
}

/**
 * Silences up to slot `last` in which the sender submitted. Reported late, since its records may come after the captures. The
 * sender is silent itself until one period before the first frame that it submitted and that was not seen by then.
 */
export function stallsOf(counter: RangeCounter, last: number, context: StallContext): Span[] {
  const { schedule, flags, assumeSubmitted } = context;
  const { highest } = counter;
  const limitNs = stallNs(schedule);
  const endNs = slotNs(schedule, last + 1);
  const fromNs = Math.max(counter.lastPictureNs, slotNs(schedule, counter.first));
  const silences: Silence[] = [...counter.silences, { fromNs, toNs: endNs, highest }];
  return silences.filter((silence) => {
    if (assumeSubmitted) return silence.toNs - silence.fromNs >= limitNs;
    const first = firstSubmitted(flags, Math.max(silence.highest + 1, counter.first), last);
    if (first === null) return false;
    const sinceNs = Math.max(silence.fromNs, slotNs(schedule, first) - slotPeriodNs(schedule.rate));
    return silence.toNs - sinceNs >= limitNs;
  });
}

function firstSubmitted(flags: SlotFlags, first: number, last: number): number | null {
  for (let slot = first; slot <= last; slot++) if (flags.get(slot) & Mark.Submitted) return slot;
  return null;
}
