import { stallSeconds } from '../../../protocol/thresholds';
import type { CaptureCounter, Silence, Span } from './capture-counter';
import { Mark, type SlotFlags } from './slot-flags';
import type { SlotTimes } from './slot-times';

/** No picture for so long is a stall. */
export function stallNs({ periodNs }: Pick<SlotTimes, 'periodNs'>): number {
  return stallSeconds(1e9 / periodNs) * 1e9;
}

export interface StallContext {
  times: SlotTimes;
  flags: SlotFlags;
  /** Nothing is known of this sender's own silences: a picture that stands still counts. */
  assumeSubmitted: boolean;
}

/**
 * Silences of a range, up to slot `last`, in which the sender submitted. Reported late, since its records may come after the
 * captures. The sender is silent itself until one period before the first frame that it submitted and that was not seen by then.
 */
export function stallsOf(counter: CaptureCounter, last: number, span: Span, context: StallContext): Span[] {
  const { times, flags, assumeSubmitted } = context;
  const { highest } = counter;
  const limitNs = stallNs(times);
  const fromNs = Math.max(counter.lastPictureNs, span.fromNs);
  const silences: Silence[] = [...counter.silences, { fromNs, toNs: span.toNs, highest }];
  return silences.filter((silence) => {
    if (assumeSubmitted) return silence.toNs - silence.fromNs >= limitNs;
    const first = firstSubmitted(flags, Math.max(silence.highest + 1, counter.first), last);
    if (first === null) return false;
    const sinceNs = Math.max(silence.fromNs, times.nsOf(first) - times.periodNs);
    return silence.toNs - sinceNs >= limitNs;
  });
}

function firstSubmitted(flags: SlotFlags, first: number, last: number): number | null {
  for (let slot = first; slot <= last; slot++) if (flags.get(slot) & Mark.Submitted) return slot;
  return null;
}
