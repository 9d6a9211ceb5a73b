import { z } from 'zod';
import { planSchema } from './plan';
import { verdicts } from './verdict';

const states = ['running', 'finished', 'aborted', 'failed', 'interrupted'] as const;

const sessionRunSchema = z.object({
  /** Of the run, in the session's folder. */
  folder: z.string(),
  experiment: z.string(),
  name: z.string(),
  /** waiting: the session did not come to it, or not yet. */
  state: z.enum(['waiting', ...states]),
  verdict: z.enum(verdicts).nullable(),
  reason: z.string(),
});

/** `session.json`: a plan that was run; derived from `session.jsonl` beside it and the folders of its runs. */
export const sessionSchema = z.object({
  schema: z.literal('whiteline-session/1'),
  id: z.string(),
  /** running: not ended yet; interrupted: the process that wrote it is gone. */
  state: z.enum(states),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** As it was run; as it was written it stands in plan.yaml. */
  plan: planSchema,
  thresholdProfile: z.string(),
  runs: z.array(sessionRunSchema),
  /** The worst of its runs. */
  verdict: z.enum(verdicts).nullable(),
  reason: z.string(),
});

export type Session = z.infer<typeof sessionSchema>;
export type SessionRun = Session['runs'][number];

/** A line of `session.jsonl`, which only grows. */
export const sessionLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session-started'),
    at: z.string(),
    plan: planSchema,
    thresholdProfile: z.string(),
    runs: z.array(sessionRunSchema.pick({ folder: true, experiment: true, name: true })),
  }),
  z.object({ kind: z.literal('run-started'), at: z.string(), folder: z.string() }),
  z.object({
    kind: z.literal('run-ended'),
    at: z.string(),
    folder: z.string(),
    state: z.enum(states),
    verdict: z.enum(verdicts).nullable(),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('session-ended'),
    at: z.string(),
    state: z.enum(states),
    verdict: z.enum(verdicts).nullable(),
    reason: z.string(),
  }),
]);

export type SessionLine = z.infer<typeof sessionLineSchema>;
