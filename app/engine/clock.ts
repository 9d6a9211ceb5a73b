import type { Clock } from '../protocol/clock';

/** The entry of a process hands the machine's clock to those who need it; nothing else reads it. */
export { machineClock } from '../protocol/machine-clock';

/** Wall time in ms since 1970 of a moment of the monotonic clock. */
export function wallMsOf(atNs: number, wallOffsetUs: number): number {
  return (atNs / 1000 + wallOffsetUs) / 1000;
}

/** Wall time at this moment. */
export function dateNow(clock: Pick<Clock, 'wallMs'>): Date {
  return new Date(clock.wallMs());
}

export function isoOf(atNs: number, wallOffsetUs: number): string {
  return new Date(wallMsOf(atNs, wallOffsetUs)).toISOString();
}
