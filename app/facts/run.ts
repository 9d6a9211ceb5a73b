import { z } from 'zod';
import { eventKinds } from './event-kinds';
import { lostBetweenRowsSchema } from './lost-between-rows';
import { missingSchema } from './missing';
import { rowSchema } from './row';
import { verdicts } from './verdict';
import { wallTimeSchema } from './wall-time';

/** What an operator left with a run, while it ran or later. */
export const noteSchema = z.object({
  at: wallTimeSchema,
  kind: z.enum(['note', 'marker', 'picture']),
  text: z.string(),
  /** Of a picture: its file, from the run's folder. */
  file: z.string().optional(),
});

/** What stands at the head of each report of a run, as it was typed when the run began. */
export const runHeaderSchema = z
  .object({
    ...{ project: z.string(), operator: z.string(), client: z.string() },
    /** Its file in the run's folder. */
    logo: z.string(),
  })
  .partial();

/** Rules of a test beside the thresholds; absent: there is no such rule. */
export const gateLimitsSchema = z
  .object({
    maxDuplicates: z.int().nonnegative(),
    maxReordered: z.int().nonnegative(),
    failOnWarn: z.literal(true),
  })
  .partial();

/** A run with all of its rows. */
export const runSchema = z.object({
  schema: z.literal('whiteline-run/2'),
  id: z.string(),
  experiment: z.string(),
  title: z.string(),
  /** running: not ended yet; interrupted: the process that wrote it is gone. */
  state: z.enum(['running', 'finished', 'aborted', 'failed', 'interrupted']),
  startedAt: wallTimeSchema,
  endedAt: wallTimeSchema.nullable(),
  parameters: z.record(z.string(), z.unknown()),
  /** The same run as a command line. */
  command: z.string(),
  thresholds: z.record(z.string(), z.number()),
  /** Name of the profile that the thresholds are of. */
  thresholdProfile: z.string().optional(),
  /** Of `whiteline run`; those of a watch are among its parameters. */
  gates: gateLimitsSchema.optional(),
  environment: z.record(z.string(), z.unknown()),
  /** The session that it is a run of: its id and name, and which run of it this is, from 1 on. */
  session: z.object({ id: z.string(), name: z.string(), order: z.int().positive() }).optional(),
  header: runHeaderSchema.optional(),
  /** Wall clock minus monotonic clock of the machine that recorded the run, µs: at its beginning, and after each change. */
  wallOffsets: z.array(z.object({ at: wallTimeSchema, offsetUs: z.number() })).optional(),
  /** Notes, markers and pictures in the order in which they were left; runs of an older version have none. */
  notes: z.array(noteSchema).optional(),
  rows: z.array(rowSchema),
  /** What streams lost while no row was measured, in the order of time; absent: nothing was found. */
  lostBetweenRows: z.array(lostBetweenRowsSchema).optional(),
  /** Only where something is: a verdict over such a run is never PASS or WARN. */
  missing: missingSchema.optional(),
  verdict: z.enum(verdicts).nullable(),
  /** The one sentence that matters. */
  reason: z.string(),
});

export type Run = z.infer<typeof runSchema>;

/** A line of `events.jsonl`. */
export const eventSchema = z.object({
  at: wallTimeSchema,
  kind: z.enum(eventKinds),
  text: z.string(),
  /** The machine that recorded it; runs of an older version do not say it. */
  host: z.string().optional(),
  streamId: z.int().positive().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export type RecordedGates = z.infer<typeof gateLimitsSchema>;
export type RunHeader = z.infer<typeof runHeaderSchema>;
export type Note = z.infer<typeof noteSchema>;
export type RunEvent = z.infer<typeof eventSchema>;
