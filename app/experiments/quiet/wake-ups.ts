import { TimeHistogram } from '../../engine/streams/counting/time-histogram';
import type { Figures } from '../../facts/figure';
import type { WakeUpRecords } from '../../protocol/processor';
import { quietRules } from './rules';

/** The series has a point for each of these. */
const binSeconds = 0.1;

export interface WakeUps {
  figures: Figures;
  wakeUps: number;
  overslept: number;
  late: number;
  p99Ms: number;
  longestMs: number;
}

/**
 * What the thread recorded, as figures. A slot that it slept through is as late as the wake-up that ended that sleep: without
 * them the percentiles would leave out the worst moments.
 * @param slots those that are over
 * @param leftOut wake-ups that do not count, by their place in the records, nor do the slots that passed until they came
 * @returns null: there was no wake-up
 */
export function wakeUpsOf(
  { latenessNs, slot }: Pick<WakeUpRecords, 'latenessNs' | 'slot'>,
  rateHz: number,
  slots: number,
  leftOut: ReadonlySet<number> = new Set(),
): WakeUps | null {
  const histogram = new TimeHistogram();
  const worst = new Map<number, number>();
  let [late, slotsLeftOut] = [0, 0];
  for (const [index, lateNs] of latenessNs.entries()) {
    const lateMs = lateNs / 1e6;
    const beforeNext = (slot[index + 1] ?? slots) - (slot[index] ?? 0) - 1;
    if (leftOut.has(index)) {
      slotsLeftOut += 1 + beforeNext;
      continue;
    }
    const passed = Math.min(Math.floor((lateNs / 1e9) * rateHz + 1e-9), beforeNext);
    for (let skipped = 0; skipped <= passed; skipped++)
      histogram.add(lateNs / 1e3 - (skipped * 1e6) / rateHz);
    if (lateMs > quietRules.lateMs) late += 1;
    // A slot in the last place of its bin must not fall into the next one by rounding.
    const bin = Math.floor((slot[index] ?? 0) / rateHz / binSeconds + 1e-9);
    worst.set(bin, Math.max(worst.get(bin) ?? 0, lateMs));
  }
  const wakeUps = latenessNs.length - leftOut.size;
  const overslept = slots - slotsLeftOut - wakeUps;
  const { p50, p99, p999, max } = histogram.distribution();
  if (p99 === null || max === null) return null;
  const figures = {
    'quiet.wakeUpLatenessMs.p50': p50,
    'quiet.wakeUpLatenessMs.p99': p99,
    'quiet.wakeUpLatenessMs.p999': p999,
    'quiet.wakeUpLatenessMs.max': max,
    'quiet.wakeUpLatenessMs.histogram': histogram.bins(),
    'quiet.worstLatenessMs': {
      points: [...worst].map(([bin, lateMs]): [number, number] => [
        Number((bin * binSeconds).toFixed(1)),
        lateMs,
      ]),
    },
    'quiet.wakeUps': wakeUps,
    'quiet.wakeUpsLate': late,
    'quiet.slotsOverslept': overslept,
  };
  return { figures, wakeUps, overslept, late, p99Ms: p99, longestMs: max };
}
