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

/** More than any row records. */
const mostFrameNumbers = 10_000;
/** Of one row or subject; the widest has some 200. */
const mostFigures = 1000;

/** A number, words, or yes or no. Null: it was not measured; the reason stands in `notMeasured` under the same id. */
const scalarSchema = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** Pairs of x and y, in the order of x. */
const seriesSchema = z.object({ points: z.array(z.tuple([z.number(), z.number()])) });

/** Frame numbers, as first and last of each run of them. */
const frameRangesSchema = z.object({
  ranges: z
    .array(z.tuple([count, count]))
    .refine(areFew, `at most ${mostFrameNumbers} frame numbers, each range from its first to its last`),
});

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

const schemas = new Map([...rowMetrics, ...recordMetrics].map((metric) => [metric.id, schemaOf(metric)]));

/** An unknown figure belongs to one experiment or to a newer version, and may have any shape. */
export const figuresSchema = recordOf(figureSchema);
/** What was set: figures too, by the same ids. */
export const stepSchema = recordOf(scalarSchema);

/** What JSON Schema says of the two, because it does not know checks; the step’s figures may be wider there. */
export const describedFigures: ReadonlyMap<z.core.$ZodType, z.ZodType> = new Map<z.core.$ZodType, z.ZodType>([
  [figuresSchema, shapeOfFigures()],
  [stepSchema, z.record(z.string(), scalarSchema)],
]);

function shapeOfFigures(): z.ZodType {
  const known = [...schemas].map(([id, schema]) => [id, schema.optional()]);
  return z.object(Object.fromEntries(known)).catchall(figureSchema);
}

/** A row has hundreds of figures: one check of each, without a copy, takes a third of the time of a schema of objects. */
function recordOf<Value>(unknownFigure: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  return z.custom<Record<string, Value>>(isRecord).check(({ value, issues }) => {
    const figures = Object.entries(value);
    if (figures.length > mostFigures)
      issues.push({ code: 'custom', message: `at most ${mostFigures} figures`, input: figures.length });
    for (const [id, figure] of figures) {
      const known = schemas.get(id);
      if (!known && !isPlainName(id))
        issues.push({ code: 'custom', message: 'not a name', input: id, path: [id] });
      const { error } = (known ?? unknownFigure).safeParse(figure);
      for (const { path, message } of error?.issues ?? [])
        issues.push({ code: 'custom', message, input: figure, path: [id, ...path] });
    }
  });
}

/** Every table can have a column of this name, and no JavaScript object has it from birth. */
export function isPlainName(name: string): boolean {
  if (plainNames.has(name)) return true;
  const isPlain = /^[\w.-]+$/.test(name) && !(name in Object.prototype);
  if (isPlain && plainNames.size < mostFigures) plainNames.add(name);
  return isPlain;
}

/** Those that were seen: each sample and each row of a run has the same ones. */
const plainNames = new Set<string>();

function areFew(ranges: readonly (readonly [first: number, last: number])[]): boolean {
  const numbers = ranges.reduce((total, [first, last]) => total + last - first + 1, 0);
  return numbers <= mostFrameNumbers && ranges.every(([first, last]) => first <= last);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
