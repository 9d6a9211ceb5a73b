import { z } from 'zod';
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
  environment: z.record(z.string(), z.unknown()),
  /** The session that it is a run of: its id and name, and which run of it this is, from 1 on. */
  session: z.object({ id: z.string(), name: z.string(), order: z.int().positive() }).optional(),
  /** Wall clock minus monotonic clock of the machine that recorded the run, µs: at its beginning, and after each change. */
  wallOffsets: z.array(z.object({ at: wallTimeSchema, offsetUs: z.number() })).optional(),
  /** Notes, markers and pictures in the order in which they were left; runs of an older version have none. */
  notes: z.array(noteSchema).optional(),
  rows: z.array(rowSchema),
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
  kind: z.enum([
    'run-started',
    'run-ended',
    'stream-added',
    'stream-connected',
    'stream-removed',
    'stream-stalled',
    'stream-recovered',
    'host-started',
    'host-died',
    'helper-died',
    'host-environment',
    'source-failed',
    'source-damaged',
    /** What is particular about how a movie is played. */
    'source-remark',
    'wrong-source',
    'sender-restarted',
    'stream-state',
    'frames-lost',
    'metadata-dropped',
    /** A thread that could not keep up lost its real-time priority, or would not give it up. */
    'thread-policy',
    'display-shown',
    'display-ended',
    'wall-clock-step',
    'fault-injected',
    /** Figures of a row that cannot both be true; the details have both. */
    'contradiction',
    /** A controller of NMOS changed what is followed, or was refused it. */
    'nmos-activation',
    'problem',
    'note',
    'marker',
    'picture',
    'renamed',
    'switch',
    /** Of a newer version than this one: its text says what happened. */
    'other',
  ]),
  text: z.string(),
  /** The machine that recorded it; runs of an older version do not say it. */
  host: z.string().optional(),
  streamId: z.int().positive().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export type Note = z.infer<typeof noteSchema>;
export type EventKind = z.infer<typeof eventSchema>['kind'];
export type RunEvent = z.infer<typeof eventSchema>;
