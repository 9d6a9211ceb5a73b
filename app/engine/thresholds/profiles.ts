import { basename, extname } from 'node:path';
import { z } from 'zod';
import { badInput, WhitelineError } from '../../protocol/errors';
import { fieldProblems } from '../../protocol/field-problems';
import {
  type ThresholdProfile,
  type Thresholds,
  thresholdProfiles,
  thresholdsSchema,
} from '../../protocol/thresholds';
import { readYaml } from '../plans/positioned-yaml';
import { readSmallFile } from '../small-file';

const builtIn: Record<string, Thresholds> = thresholdProfiles;
const names = Object.keys(builtIn);

/** A file names what it changes; everything else is its base's. */
const profileFile = thresholdsSchema.partial().extend({
  name: z.string().min(1).max(60).optional().describe('What the profile is called in the run’s folder'),
  base: z
    .enum(names as [string, ...string[]])
    .default('study')
    .describe('The profile that is changed'),
});

/**
 * A built-in profile by its name, or one out of a YAML file. A file's name stands for it where it gives none itself.
 * @throws WhitelineError BAD_INPUT naming file, line and column; NOT_FOUND for a file that is not there
 */
export function readProfile(nameOrPath: string): ThresholdProfile {
  const known = names.find((name) => name === nameOrPath);
  if (known !== undefined) return { name: known, thresholds: { ...(builtIn[known] as Thresholds) } };
  if (!/[./\\]/.test(nameOrPath)) {
    throw badInput('thresholds', `one of ${names.join(', ')}, or a YAML file`, nameOrPath);
  }
  return parseProfile(textOf(nameOrPath), nameOrPath);
}

/** @throws WhitelineError BAD_INPUT naming `path`, line and column */
export function parseProfile(text: string, path: string): ThresholdProfile {
  const { value, positionOf } = readYaml(text, path, 'the thresholds');
  // A file of nothing but comments changes nothing.
  const given = value ?? {};
  const [wrong] = fieldProblems(profileFile, given, 'thresholds', 'limit');
  if (wrong) {
    const { text: place } = positionOf(wrong.path);
    throw new WhitelineError({ ...wrong.problem, message: `${place}: ${wrong.problem.message}` });
  }
  const { name, base, ...changed } = profileFile.parse(given);
  const thresholds = { ...(builtIn[base] as Thresholds), ...changed };
  return { name: name ?? basename(path, extname(path)), thresholds };
}

function textOf(path: string): string {
  try {
    return readSmallFile(path, 'thresholds');
  } catch (error) {
    if (error instanceof WhitelineError) throw error;
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The thresholds ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      field: 'thresholds',
      value: path,
      remedy: `Give one of ${names.join(', ')}, or the path of a YAML file`,
    });
  }
}
