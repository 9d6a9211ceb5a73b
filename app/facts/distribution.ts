import { z } from 'zod';
import { mostBins } from './time-bins';

const count = z.int().nonnegative();
const measured = z.number().nonnegative().nullable();

/** A distribution, never an average alone. Each figure is null if nothing was measured, p999 also if there are fewer than `leastValues`. */
export const distributionSchema = z.object({
  min: measured,
  p50: measured,
  p90: measured,
  p99: measured,
  p999: measured,
  max: measured,
});

/** With fewer values, such a high or low percentile is only the largest or smallest one, and does not describe the tail. */
export const leastValues = { p001: 1000, p999: 1000, p9999: 10_000 } as const;

/** Why such a percentile is not measured. */
export function fewerValuesText(percentile: keyof typeof leastValues): string {
  return `fewer than ${leastValues[percentile].toLocaleString('en')} values`;
}

/** Times by their length: `counts[i]` of them in bin `firstBin + i` of `time-bins.ts`. */
export const histogramSchema = z.object({
  firstBin: count.max(mostBins),
  counts: z.array(count).max(mostBins),
});
/** Null: none was measured. */
export const timeBinsSchema = histogramSchema.nullable();

/** Gaps by their length in frames: how many of each. */
export const gapHistogramSchema = z.object({
  of1: count.nullable(),
  of2: count.nullable(),
  of3to5: count.nullable(),
  of6to10: count.nullable(),
  of11to30: count.nullable(),
  over30: count.nullable(),
});

export type Distribution = z.infer<typeof distributionSchema>;
export type TimeBins = z.infer<typeof timeBinsSchema>;
export type GapClass = keyof typeof gapHistogramSchema.shape;
export type GapHistogram = Record<GapClass, number>;
