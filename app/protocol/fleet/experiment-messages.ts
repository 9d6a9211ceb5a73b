import { z } from 'zod';
import { eventKinds } from '../../facts/event-kinds';
import { type ClosedRow, rowSchema } from '../../facts/row';
import type { Progress } from '../console';
import { badInput, errorCodes, type Problem, type WhitelineError } from '../errors';
import { plainLine, plainSentences } from '../plain-text';
import { safeParse } from '../safe-parse';
import { thresholdsSchema } from '../thresholds';
import { plainJsonValue, plainLines, saidType, unlikelyMessage } from './plain-json';

/**
 * What a console and an experiment that runs whole on another machine say to each other. An experiment speaks in texts of JSON: what
 * a row holds beside its figures is free in form, and JSON has plain values alone.
 */

/** From the monotonic clock of that machine to the wall time of the console's run, µs. */
const wallOffsetUs = z.number().min(-1e16).max(1e16);

export const toExperimentSchema = z.discriminatedUnion('type', [
  /** All machines of the run are prepared. */
  z.strictObject({ type: z.literal('begin'), wallOffsetUs, thresholds: thresholdsSchema }),
  /** The row that is open ends now, and the experiment with it. */
  z.strictObject({ type: z.literal('stop') }),
]);

export type ToExperiment = z.infer<typeof toExperimentSchema>;

/** What an agent says first to the process that it started: nothing of it comes from outside but what was read by schema. */
export interface PrepareExperiment {
  type: 'prepare';
  experiment: string;
  parameters: Record<string, unknown>;
}

/** A row of these experiments has some 10 kB. */
export const longestExperimentMessage = 262_144;

/** Shown among lines of ours. */
const line = (most: number) => z.string().max(most).transform(plainSentences);
const seconds = z.number().nonnegative().max(1e9);
const steps = z.int().nonnegative().max(1e6);

const progressSchema: z.ZodType<Progress> = z.object({
  phase: line(200),
  step: steps,
  steps,
  phaseSeconds: seconds,
  phaseElapsedSeconds: seconds,
  remainingSeconds: seconds,
  laterSeconds: seconds.optional(),
  note: line(400).optional(),
});

const plainProblem = z.object({
  code: z.enum(errorCodes),
  message: line(2000),
  field: line(100).optional(),
  value: line(1000).optional(),
  remedy: line(2000).optional(),
});
const problemSchema: z.ZodType<Problem> = plainProblem.extend({
  others: z.array(plainProblem).max(20).optional(),
});

/** What of a run's environment only that machine knows: versions of tools, folders. */
const environmentSchema = z.record(z.string().max(60), z.unknown());

const closedRowSchema = rowSchema.refine(
  (row): row is ClosedRow => row.to !== null && row.verdict !== null,
  'a row that is closed',
);

const fromExperimentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('prepared'), subject: line(2000), environment: environmentSchema }),
  z.object({ type: z.literal('row'), row: closedRowSchema }),
  z.object({
    type: z.literal('event'),
    kind: z.enum(eventKinds),
    text: line(2000),
    details: z.record(z.string().max(60), z.unknown()).optional(),
  }),
  z.object({ type: z.literal('progress'), progress: progressSchema }),
  /** It came to its end, or was stopped; or why it could not go on. */
  z.object({ type: z.literal('ended'), problem: problemSchema.nullable() }),
]);

export type FromExperiment = z.infer<typeof fromExperimentSchema>;

/** Of its process, said by its agent. */
export interface ExperimentExit {
  type: 'exit';
  /** Why, as they follow "the experiment". */
  words: string;
}

const exitSchema = z.strictObject({
  type: z.literal('exit'),
  words: z.string().max(400).transform(plainLine),
});
const wireSchema = z.strictObject({ json: z.string().max(longestExperimentMessage) });

export type ExperimentWire = z.infer<typeof wireSchema>;

/** @throws WhitelineError BAD_INPUT for a message that is too long */
export function wireOf(message: FromExperiment): ExperimentWire {
  const json = JSON.stringify(message);
  if (json.length > longestExperimentMessage)
    throw badInput(message.type, `at most ${longestExperimentMessage} characters`, json.length);
  return { json };
}

/**
 * What an agent says for an experiment.
 * @throws WhitelineError BAD_INPUT naming what is not as an experiment sends it
 */
export function checkedExperimentMessage(value: unknown): FromExperiment | ExperimentExit {
  const exit = safeParse(exitSchema, value);
  if (exit.success) return exit.data;
  const wire = safeParse(wireSchema, value);
  if (!wire.success) throw unlikely('message', wire.error);
  const plain = plainJsonValue(wire.data.json, plainLines);
  if (plain === undefined) throw unlikely('message');
  const message = safeParse(fromExperimentSchema, plain);
  if (message.success) return message.data;
  throw unlikely(saidType(plain), message.error);
}

function unlikely(what: string, error?: z.core.$ZodError): WhitelineError {
  return unlikelyMessage('an experiment', what, error?.issues[0]?.path);
}
