import { z } from 'zod';
import { rowSchema } from './row';
import { verdicts } from './verdict';

/** `run.json`: derived from the append-only files beside it, so it can always be made again. */
export const runSchema = z.object({
  schema: z.literal('whiteline-run/1'),
  id: z.string(),
  experiment: z.string(),
  title: z.string(),
  /** running: not ended yet; interrupted: the process that wrote it is gone. */
  state: z.enum(['running', 'finished', 'aborted', 'failed', 'interrupted']),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
  /** The same run as a command line. */
  command: z.string(),
  thresholds: z.record(z.string(), z.number()),
  environment: z.record(z.string(), z.unknown()),
  rows: z.array(rowSchema),
  verdict: z.enum(verdicts).nullable(),
  /** The one sentence that matters. */
  reason: z.string(),
});

export type Run = z.infer<typeof runSchema>;

/** A line of `events.jsonl`. */
export const eventSchema = z.object({
  at: z.string(),
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
    'source-failed',
    'source-damaged',
    'wrong-source',
    'sender-restarted',
    'stream-state',
    'frames-lost',
    'wall-clock-step',
    'fault-injected',
    'problem',
  ]),
  text: z.string(),
  streamId: z.int().positive().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export type RunEvent = z.infer<typeof eventSchema>;
