import type { Clock } from './clock';

/** Four times a second, by the monotonic clock that all processes of a machine share: stream hosts send their records. */
export const beatMs = 250;
/** So long after a beat its records are there: views, samples and files follow, so that the engine wakes up once for all of it. */
export const afterRecordsMs = 10;

export interface Beats {
  /** One beat in this many. */
  every?: number;
  afterMs?: number;
}

/** Calls `action` at beats of the clock, once for those that a busy process slept through. Returns what ends it. */
export function onBeat(
  clock: Pick<Clock, 'monotonicNs' | 'after'>,
  action: () => void,
  { every = 1, afterMs = 0 }: Beats = {},
): () => void {
  const periodMs = every * beatMs;
  let stop: () => void;
  const wait = (): void => {
    const ms = clock.monotonicNs() / 1e6 - afterMs;
    const next = Math.floor(ms / periodMs) + 1;
    // Timers count whole milliseconds: one that came early would come twice.
    stop = clock.after(Math.ceil(next * periodMs - ms), act);
  };
  const act = (): void => {
    wait();
    action();
  };
  wait();
  return () => stop();
}
