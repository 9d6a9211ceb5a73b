import { z } from 'zod';
import { factSchema } from './fact';
import { figuresSchema, isPlainName, stepSchema } from './figure';
import { lossSchema, outageSchema } from './loss';
import { type Verdict, verdicts } from './verdict';
import { wallTimeSchema } from './wall-time';

/** If a row has more subjects, it keeps only totals and its worst subjects. */
export const mostSubjects = 256;

/** From the id of a figure without a value to the reason. */
const notMeasuredSchema = z.record(z.string(), z.string());

/** It begins the ids of its figures, and so the names of their columns. */
const roleSchema = z.string().refine(isPlainName, 'not a name');

/** What a row is about, one of possibly many: a stream, a subscriber, a node, a pair of machines, a repeat. */
export const subjectSchema = z.object({
  kind: z.string().min(1),
  /** Within the row. */
  id: z.string().min(1),
  name: z.string(),
  /** Of a stream by frame code: the source whose frames these are, as its pictures say. One that is started again has another. */
  codeSourceId: z.int().positive().optional(),
  /** From what it does there ("sender") to the name of the host. */
  hosts: z.record(z.string(), z.string()),
  figures: figuresSchema,
  /** Of a stream, the first 200; absent if they were not explained. */
  losses: z.array(lossSchema).optional(),
  outages: z.array(outageSchema).optional(),
  verdict: z.enum(verdicts).optional(),
  reason: z.array(factSchema).optional(),
  notMeasured: notMeasuredSchema,
});

/** One row of any experiment. */
export const rowSchema = z
  .object({
    index: z.int().nonnegative(),
    /** What was set for it: the figures whose role is `step` in the experiment's table. */
    step: stepSchema,
    /** The same in words; empty if the step alone says it. */
    label: z.string(),
    /** The measured range, ISO 8601 wall time; `to` null: the row is open, and has no verdict yet. */
    from: wallTimeSchema,
    to: wallTimeSchema.nullable(),
    figures: figuresSchema,
    subjects: z.array(subjectSchema).max(mostSubjects),
    /** Load by host, and there by what our processes do: host → role → figures. */
    load: z.record(z.string(), z.record(roleSchema, figuresSchema)),
    verdict: z.enum(verdicts).nullable(),
    reason: z.array(factSchema),
    /** What it found, from which some of its experiment's figures in words follow; their metrics say how. */
    found: factSchema.optional(),
    notMeasured: notMeasuredSchema,
    /** What the figures were made of: what a tool said, names of files in the run's folder. */
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(
    ({ to, verdict }) => (to === null) === (verdict === null),
    'a closed row has an end and a verdict, an open one neither',
  );

export interface Subject extends z.infer<typeof subjectSchema> {}
export interface Row extends z.infer<typeof rowSchema> {}

/** A row that was measured to its end. */
export interface ClosedRow extends Row {
  to: string;
  verdict: Verdict;
}
