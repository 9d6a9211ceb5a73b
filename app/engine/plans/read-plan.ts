import { basename } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { type Plan, planSchema } from '../../protocol/plan';
import { readSmallFile } from '../small-file';
import { readYaml } from './placed-yaml';
import { type PlaceOf, planError, problemsOfPlan } from './plan-problems';

export interface ReadPlan {
  plan: Plan;
  /** The plan as it was written. */
  text: string;
  placeOf: PlaceOf;
}

/** A file of a plan whose YAML is good; what its value says may be wrong. */
export interface WrittenPlan {
  value: unknown;
  text: string;
  placeOf: PlaceOf;
}

/**
 * A plan out of its file.
 * @throws WhitelineError NOT_FOUND; BAD_INPUT with file, line and column of everything that is wrong
 */
export function readPlan(path: string): ReadPlan {
  return parsePlan(textOf(path), basename(path));
}

/** @throws WhitelineError NOT_FOUND; BAD_INPUT with file, line and column of wrong YAML */
export function readWrittenPlan(path: string): WrittenPlan {
  const text = textOf(path);
  return { ...readYaml(text, basename(path), 'the plan'), text };
}

/** @throws WhitelineError BAD_INPUT with `file`, line and column of everything that is wrong */
export function parsePlan(text: string, file: string): ReadPlan {
  const { value, placeOf } = readYaml(text, file, 'the plan');
  return { plan: checkedPlan(value, placeOf), text, placeOf };
}

/**
 * A plan out of a value, such as the console's.
 * @throws WhitelineError BAD_INPUT with the place of everything that is wrong
 */
export function checkedPlan(value: unknown, placeOf: PlaceOf): Plan {
  const problems = problemsOfPlan(value);
  if (problems.length > 0) throw planError(problems, placeOf);
  return planSchema.parse(value);
}

/** Places in a plan that no file has. */
export const placeInPlan: PlaceOf = ([part, index]) =>
  part === 'experiments' && typeof index === 'number'
    ? { text: `experiment ${index + 1}`, order: index + 1 }
    : { text: 'plan', order: 0 };

function textOf(path: string): string {
  try {
    return readSmallFile(path, 'plan');
  } catch (error) {
    if (error instanceof WhitelineError) throw error;
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The plan ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      field: 'plan',
      value: path,
      remedy: 'Give the path of a plan, or an experiment that whiteline list names',
    });
  }
}
