import { z } from 'zod';
import { badInput, type Problem, WhitelineError } from '../protocol/errors';
import { type FieldProblem, fieldProblems } from '../protocol/field-problems';
import { parsedBy } from '../protocol/parsed-by';
import { secondsOf } from './duration';
import { worded } from './problems';
import { isNamed } from './sent-sources';
import type { WatchedStream } from './types';

/** What a test may give. Whatever else it gives is refused: an option that is overlooked is a test that proves nothing. */

export const mostStreams = 64;

/** Words of our own for what zod has none for. */
function given(check: (value: unknown) => unknown) {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (value !== undefined) parsedBy<unknown>(check)(value, context);
    })
    .optional();
}

const duration = (field: string) => given((value) => secondsOf(value, field));
const signal = given((value) => {
  if (!(value instanceof AbortSignal))
    throw badInput('signal', 'an AbortSignal', value, 'Give that of an AbortController');
});
const folder = z.string().min(1).describe('folder that the run is recorded into').optional();
const amount = z.number().min(0);

const measureOptions = z.strictObject({ for: duration('for') });

export const watchOptions = z
  .strictObject({
    address: z.string().min(1).describe('host and port, such as 192.0.2.7:5961').optional(),
    from: z.array(z.string()).describe('hosts that are asked for their sources').optional(),
    within: given(secondsWithin),
    thresholds: z.string().min(1).describe('study, flawless, or the path of a YAML file').optional(),
    programme: z.boolean().describe('whether the source is the output of a mixer').optional(),
    sources: z.array(z.string().min(1)).describe('names of the sources that a mixer shows').optional(),
    out: folder,
    signal,
  })
  .refine(({ sources = [], programme }) => sources.length === 0 || programme === true, {
    path: ['sources'],
    message:
      'Expected programme: true beside sources: they are those that a mixer shows. Give both, or neither',
  });

export const sendOptions = z.strictObject({
  name: z.string().describe('NDI name').optional(),
  streams: z.int().min(1).max(mostStreams).describe('how many are sent').optional(),
  ownSources: z.boolean().describe('whether each stream has a source of its own').optional(),
  format: z.string().describe('picture and rate, such as 1280x720@60').optional(),
  scale: z.string().describe('size of the picture, such as 1280x720').optional(),
  rate: z.string().describe('frames per second, such as 30').optional(),
  startFrame: z.int().min(0).describe('frame of a Hap movie to begin with').optional(),
  preload: z.boolean().describe('whether a Hap movie is read into memory first').optional(),
  reads: z.enum(['cached', 'direct']).describe('how a Hap movie is read').optional(),
  pixelFormat: z.enum(['uyvy', 'bgra']).describe('of the pictures that are sent').optional(),
  audio: z.boolean().describe('whether sound is sent along').optional(),
  out: folder,
  signal,
});

export const runOptions = z.strictObject({
  out: z.string().min(1).describe('folder of the session, which has to be given'),
  signal,
});

/** What each matcher and each method of a stream may be given. */
export const optionsOf = {
  measure: measureOptions,
  toLoseNoFrames: measureOptions,
  toLoseAtMost: measureOptions
    .extend({
      frames: z.int().min(0).describe('most frames that may be lost').optional(),
      perMinute: amount.describe('most frames that may be lost in a minute').optional(),
    })
    .refine(({ frames, perMinute }) => frames !== undefined || perMinute !== undefined, {
      path: ['frames'],
      message: 'Expected frames or perMinute but received neither. Give how many frames may be lost',
    }),
  toStallNever: measureOptions,
  toRepeatNoFrames: measureOptions,
  toHaveLatencyBelow: measureOptions.extend({ p99Ms: amount.describe('limit of the latency') }),
  toBeWhole: measureOptions,
  toCutTo: z.strictObject({ within: duration('within') }),
  toHaveCuts: measureOptions,
} as const;

/**
 * @param call what a test wrote, as a sentence names it
 * @throws WhitelineError BAD_INPUT with field, value and remedy
 */
export function checkOptions(schema: z.ZodObject, options: unknown, call: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const known = Object.keys(schema.shape).join(', ');
    throw worded(badInput(call, 'an object of options', options, `Known are ${known}`));
  }
  const problems = fieldProblems(schema, options, call, 'option');
  // What is misspelt is what is missing.
  const isKnown = ({ path }: FieldProblem): boolean => path.length === 0 || String(path[0]) in schema.shape;
  const [unknown, known] = [problems.filter((one) => !isKnown(one)), problems.filter(isKnown)];
  const [first, ...others] = [...unknown, ...known].map((one) => withText(one, options));
  if (first) throw worded(new WhitelineError({ ...first, others }));
}

/** A text that reads as a number looks like one, and is none. */
function withText({ path, problem }: FieldProblem, options: object): Problem {
  const value: unknown = path.length === 1 ? Reflect.get(options, path[0] ?? '') : undefined;
  if (typeof value !== 'string' || !/^\d/.test(value)) return problem;
  return { ...problem, message: problem.message.replace(` received ${value}`, ` received ${shown(value)}`) };
}

/** @throws WhitelineError BAD_INPUT for what is no text, or an empty one */
export function checkText(text: unknown, field: string, expected: string, remedy: string): void {
  if (typeof text !== 'string' || text.trim() === '') throw worded(badInput(field, expected, text, remedy));
}

/**
 * A name that is none of those that are known, or the programme's own, is no source that it could cut to.
 * @throws WhitelineError BAD_INPUT
 */
export function checkSource(
  source: unknown,
  { name, sources }: Pick<WatchedStream, 'name' | 'sources'>,
): void {
  checkText(source, 'source', 'the name of a source', 'Give the exact name, or what is in the brackets');
  const given = String(source);
  if (sources.some((known) => isNamed(known, given))) return;
  const remedy = 'Give one of those that it cuts between, and name it in the option sources of watch';
  if (isNamed(name, given))
    throw worded(badInput('source', `a source of ${name}, not the programme itself`, source, remedy));
  if (sources.length > 0)
    throw worded(badInput('source', `a known source (${sources.join(', ')})`, source, remedy));
}

/** @throws WhitelineError BAD_INPUT */
export function checkCount(count: unknown, field: string): void {
  if (!Number.isInteger(count) || Number(count) < 0)
    throw worded(badInput(field, 'a whole number of at least 0', shown(count), 'Give for example 1'));
}

function shown(value: unknown): unknown {
  return typeof value === 'string' ? `the text "${value}"` : value;
}

/** @throws WhitelineError BAD_INPUT for more than a matcher takes, of which a test in plain JavaScript knows nothing */
export function checkNoMore(given: readonly unknown[], most: number, call: string): void {
  if (given.length <= most) return;
  const expected = most === 1 ? 'one argument' : 'two arguments at most';
  throw worded(badInput(call, expected, `${given.length}`, 'Give all options in one object'));
}

/**
 * A time that something may take.
 * @throws WhitelineError BAD_INPUT for what is no time, or none at all
 */
export function secondsWithin(within: unknown): number {
  const seconds = secondsOf(within, 'within');
  if (seconds === 0) throw badInput('within', 'a time above 0', within, 'Use for example 5 or "500ms"');
  return seconds;
}
