import { machineClock } from '../engine/clock';
import { WallClock } from '../engine/wall-clock';

/** A wall clock that goes as a test says. */
export function wallClockOf(nowMs: () => number): WallClock {
  return new WallClock({
    ...machineClock,
    monotonicNs: () => nowMs() * 1e6,
    uptimeSeconds: () => nowMs() / 1000,
    wallOffsetUs: () => 0,
    wallMs: nowMs,
  });
}
