import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';
import { WhitelineError } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import { readYaml } from '../plans/positioned-yaml';

/** test-content/manifest.yaml: the clips of the content battery and what was measured of them. */

const notMeasured = z.strictObject({ notMeasured: z.string().min(1).describe('Why there is no figure') });
const decibels = z
  .union([z.number(), z.literal('exact')])
  .describe('Peak signal-to-noise ratio of luma; exact: no byte differs, which has no ratio');

const hapQFigures = z.strictObject({
  bitrateMbps: z.number().positive().describe('8 · bytes of all frames / duration / 10⁶'),
});

const ndiFigures = z.strictObject({
  bitrateMbps: z.number().positive().describe('All that passed the network interface, both directions'),
  meanPsnrDb: decibels.describe('Of the mean squared difference over all frames'),
  worstPsnrDb: decibels.describe('Of the worst frame'),
  worstFrame: z.int().min(0).describe('Number of the worst frame in the clip'),
  framesCompared: z.int().positive(),
  framesLost: z.int().min(0).describe('Sent and not received; the others are compared'),
});

const size = z.string().regex(/^\d+x\d+$/);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const conditions = {
  size: size.describe('WIDTHxHEIGHT'),
  rate: z.number().positive().describe('Frames per second'),
  seconds: z.number().positive().describe('Length of the clip'),
  chunks: z.int().min(1).max(64).describe('Of each frame of the Hap Q movie'),
  date: date.describe('Day of the measurement'),
  machine: z.string().min(1),
  encoder: z.string().min(1).describe('What made the Hap Q movie'),
};

const clip = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  stresses: z.string().min(1).describe('What of a chain of sending and receiving it puts to the test'),
  made: z.string().min(1).describe('What is in the picture, and how it moves'),
  generator: z.string().min(1).describe('The generator of native/content that paints it'),
  hapQ: z.union([hapQFigures, notMeasured]),
  ndi: z.union([ndiFigures, notMeasured]),
});

export const manifestSchema = z.strictObject({
  measured: z.strictObject({
    hapQ: z.strictObject(conditions),
    ndi: z.strictObject({
      ...conditions,
      runtime: z.string().min(1).describe('The NDI runtime, as it names itself'),
    }),
  }),
  clips: z.array(clip).min(1),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ContentClip = z.infer<typeof clip>;

/** docs/schema/content.schema.json, for editors. */
export function manifestJsonSchema(): string {
  const schema = { title: 'Whiteline content battery', ...z.toJSONSchema(manifestSchema) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @throws WhitelineError NOT_FOUND, BAD_INPUT */
export function readManifest(appFolder: string): Manifest {
  const path = join(appFolder, 'test-content', 'manifest.yaml');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The manifest of the test content cannot be read: ${(error as Error).message}`,
      value: path,
      remedy: 'Install the application again; it is part of it',
    });
  }
  return parseManifest(text, path);
}

/** @throws WhitelineError BAD_INPUT naming the line or the field, the value, and what belongs there */
export function parseManifest(text: string, path: string): Manifest {
  const { value } = readYaml(text, path, 'the manifest of the test content');
  const result = safeParse(manifestSchema, value);
  if (!result.success) throw fieldRefusal(deepest(result.error.issues), value, path);
  const names = result.data.clips.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw refusal(`${path} clips`, 'each name once', twice);
  return result.data;
}

type Issue = z.core.$ZodIssue;

/** Of a value that may have several forms, what is wrong with the form that it comes nearest to. */
function deepest(issues: Issue[]): Issue {
  const candidates = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const forms = issue.errors.map((form) => ({ form, faults: form.length }));
    const nearest = forms.sort((one, other) => one.faults - other.faults)[0]?.form ?? [];
    return nearest.length === 0
      ? [issue]
      : nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
  return candidates[0] as Issue;
}

function fieldRefusal(issue: Issue, value: unknown, path: string): WhitelineError {
  const field = `${path} ${issue.path.map(String).join('.') || 'as a whole'}`;
  if (issue.code === 'unrecognized_keys') return refusal(field, 'known fields only', issue.keys.join(', '));
  const received = issue.path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown>)?.[key],
    value,
  );
  return refusal(field, expectationOf(issue), received === undefined ? 'nothing' : JSON.stringify(received));
}

function expectationOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_format':
      return `a text like ${issue.pattern ?? issue.format}`;
    case 'invalid_value':
      return `one of ${issue.values.join(', ')}`;
    case 'custom':
      return issue.message;
    default:
      return 'what the schema takes';
  }
}

function refusal(field: string, expected: string, received: string): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: `Expected ${expected} for ${field} but received ${received}`,
    field,
    value: received,
    remedy: 'docs/schema/content.schema.json says what belongs there',
  });
}
