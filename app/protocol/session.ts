import { z } from 'zod';
import { runSchema } from '../facts/run';
import { type Verdict, verdicts, worseVerdict } from '../facts/verdict';
import { wallTimeSchema } from '../facts/wall-time';
import { planSchema } from './plan';

const states = ['running', 'finished', 'aborted', 'failed', 'interrupted'] as const;

const sessionRunSchema = z.object({
  /** Of the run: in the session's folder; of chosen runs, its path. */
  folder: z.string(),
  experiment: z.string(),
  name: z.string(),
  /** waiting: the session did not come to it, or not yet; unreadable: it was recorded, and its folder holds no run any more. */
  state: z.enum(['waiting', 'unreadable', ...states]),
  verdict: z.enum(verdicts).nullable(),
  reason: z.string(),
});

/**
 * Runs that belong together: those of a plan, those that were recorded with the same `--session`, or those that were chosen
 * for a report. `session.json` is derived from `session.jsonl` beside it and the folders of its runs.
 */
export const sessionSchema = z.object({
  schema: z.literal('whiteline-session/1'),
  id: z.string(),
  /** Of its plan, or of its folder. */
  name: z.string(),
  /** running: not ended yet; interrupted: the process that wrote it is gone. */
  state: z.enum(states),
  /** Empty if none of its runs can be read. */
  startedAt: z.string(),
  endedAt: wallTimeSchema.nullable(),
  /** As it was run; as it was written it stands in plan.yaml. Absent: its runs were started one by one. */
  plan: planSchema.optional(),
  /** Of the plan. */
  thresholdProfile: z.string().optional(),
  runs: z.array(sessionRunSchema),
  /** The worst of its runs; INVALID at best where one of them was cut short. */
  verdict: z.enum(verdicts).nullable(),
  reason: z.string(),
});

export type Session = z.infer<typeof sessionSchema>;
export type SessionRun = Session['runs'][number];

/** The JSON export of a session: all that was recorded, in one file. */
export const sessionExportSchema = sessionSchema.extend({
  /** run: with all of its rows; null if it was not begun or cannot be read. */
  runs: z.array(sessionRunSchema.extend({ run: runSchema.nullable() })),
});

/** A line of `session.jsonl`, which only grows. */
export const sessionLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session-started'),
    at: wallTimeSchema,
    /** Where there is no plan. */
    name: z.string().optional(),
    plan: planSchema.optional(),
    thresholdProfile: z.string().optional(),
    /** Those of the plan; whatever else lies in the folder is of the session too. */
    runs: z.array(sessionRunSchema.pick({ folder: true, experiment: true, name: true })),
  }),
  z.object({ kind: z.literal('run-started'), at: wallTimeSchema, folder: z.string() }),
  z.object({
    kind: z.literal('run-ended'),
    at: wallTimeSchema,
    folder: z.string(),
    state: z.enum(states),
    verdict: z.enum(verdicts).nullable(),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('session-ended'),
    at: wallTimeSchema,
    state: z.enum(states),
    verdict: z.enum(verdicts).nullable(),
    reason: z.string(),
  }),
]);

export type SessionLine = z.infer<typeof sessionLineSchema>;

/** What a run may have come to, worst first. */
const kinds = [
  ...(['unreadable', 'failed', 'interrupted', 'aborted'] as const),
  ...(['FAIL', 'INVALID', 'WARN', 'PASS', 'running', 'not run'] as const),
];

const mostNames = 10;

/** How many runs of each kind, worst first, by name where they are not PASS; why each is so stands with the runs. */
export function reasonOfRuns(runs: readonly SessionRun[]): string {
  const kindOf = ({ state, verdict }: SessionRun): string =>
    verdict ?? (state === 'waiting' ? 'not run' : state);
  const counted = kinds.flatMap((kind) => {
    const names = runs.filter((run) => kindOf(run) === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    if (kind === 'PASS') return [`${names.length} ${kind}`];
    const named = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])];
    return [`${names.length} ${kind} (${named.join(', ')})`];
  });
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${counted.join(', ')}`;
}

/** Ends of a run that nobody chose: what it would have come to is not known. */
const cutShort: readonly SessionRun['state'][] = ['unreadable', 'failed', 'interrupted'];

/**
 * The worst of the verdicts; null if there is none, or one to come may be worse than those so far. Runs of which one was cut
 * short are INVALID at best.
 */
export function verdictOfRuns(runs: readonly Pick<SessionRun, 'state' | 'verdict'>[]): Verdict | null {
  const verdicts = runs.flatMap(({ verdict }) => verdict ?? []);
  const [first, ...others] = verdicts;
  if (first === undefined) return null;
  const worst = others.reduce(worseVerdict, first);
  const isCut = runs.some(({ state, verdict }) => verdict === null && cutShort.includes(state));
  if (isCut && worst !== 'FAIL') return 'INVALID';
  const isOpen = runs.some(({ state }) => state === 'running');
  return isOpen && (worst === 'PASS' || worst === 'WARN') ? null : worst;
}
