import { z } from 'zod';
import { histogramSchema } from './distribution';
import type { Metric } from './metrics/metric';
import { recordMetrics } from './metrics/records';
import { rowMetrics } from './metrics/registry';

/**
 * Figures of rows and of their subjects, each under the id of its metric in the registry (`metrics/`), which says its unit,
 * its formula and its shape.
 */

const count = z.int().nonnegative();

/** A number, words, or yes or no. Null: it was not measured; the reason stands in `notMeasured` under the same id. */
const scalarSchema = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** Pairs of x and y, in the order of x. */
const seriesSchema = z.object({ points: z.array(z.tuple([z.number(), z.number()])) });

/** Frame numbers, as first and last of each run of them. */
const frameRangesSchema = z.object({ ranges: z.array(z.tuple([count, count])) });

export const figureSchema = z.union([scalarSchema, histogramSchema, seriesSchema, frameRangesSchema]);

/** What the table of metrics says of a figure that every row of streams may have. */
function schemaOf({ shape, signed, whole, most = Number.MAX_VALUE }: Metric) {
  if (shape === 'words') return z.string().nullable();
  if (shape === 'flag') return z.boolean().nullable();
  if (shape === 'histogram') return histogramSchema.nullable();
  if (shape === 'series') return seriesSchema.nullable();
  if (shape === 'frames') return frameRangesSchema;
  return (whole ? z.int() : z.number())
    .min(signed ? -Number.MAX_VALUE : 0)
    .max(most)
    .nullable();
}

const known = z.looseObject(
  Object.fromEntries(
    [...rowMetrics, ...recordMetrics].map((metric) => [metric.id, schemaOf(metric).optional()]),
  ),
);

/** An unknown figure belongs to one experiment or to a newer version, and may have any shape. */
export const figuresSchema = z.record(z.string(), figureSchema).and(known);
/** What was set: figures too, by the same ids. */
export const stepSchema = z.record(z.string(), scalarSchema).and(known);

export type Scalar = z.infer<typeof scalarSchema>;
export type Histogram = z.infer<typeof histogramSchema>;
export type Series = z.infer<typeof seriesSchema>;
export type FrameRanges = z.infer<typeof frameRangesSchema>;
export type Figure = z.infer<typeof figureSchema>;
export type Figures = Readonly<Record<string, Figure>>;
export type Step = Readonly<Record<string, Scalar>>;

/** The numbers of these ranges. */
export function frameNumbers({ ranges }: FrameRanges): number[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

/** Frame numbers in ascending order, as ranges. */
export function frameRanges(frames: readonly number[]): FrameRanges {
  const ranges: [first: number, last: number][] = [];
  for (const frame of frames) {
    const newest = ranges.at(-1);
    if (newest && frame === newest[1] + 1) newest[1] = frame;
    else ranges.push([frame, frame]);
  }
  return { ranges };
}
