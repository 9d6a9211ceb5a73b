import type { Rate } from '../../../protocol/format';

/** The absolute schedule of a source: slot k falls at startNs + k·D/N seconds on the monotonic clock. */
export interface Schedule {
  startNs: number;
  rate: Rate;
}

export function slotNs(schedule: Schedule, slot: number): number {
  return schedule.startNs + (slot * schedule.rate.denominator * 1e9) / schedule.rate.numerator;
}

export function slotPeriodNs(rate: Rate): number {
  return (rate.denominator * 1e9) / rate.numerator;
}

/** First slot whose time is at or after `atNs`. */
export function firstSlotFrom(schedule: Schedule, atNs: number): number {
  return Math.max(0, Math.ceil((atNs - schedule.startNs) / slotPeriodNs(schedule.rate) - 1e-6));
}

const wrap = 2 ** 32;

/** A number farther ahead than this (12 days at 60 frames a second) is nonsense from outside, not a slot of ours. */
export const farthestJump = 2 ** 26;

/** The slot that a 32-bit frame number stands for: the one nearest to `near`. */
export function unwrapFrameNumber(frameNumber: number, near: number): number {
  const distance = (frameNumber - (near % wrap)) | 0;
  return near + distance;
}
