import { basename } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { type Plan, planSchema } from '../../protocol/plan';
import { readSmallFile } from '../small-file';
import { type PositionOf, planError, problemsOfPlan } from './plan-problems';
import { readYaml } from './positioned-yaml';

export interface ReadPlan {
  plan: Plan;
  /** The plan as it was written. */
  text: string;
  positionOf: PositionOf;
}

/** A file of a plan whose YAML is good; what its value says may be wrong. */
export interface WrittenPlan {
  value: unknown;
  /** Null: it stands in no file. */
  text: string | null;
  positionOf: PositionOf;
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
  const { value, positionOf } = readYaml(text, file, 'the plan');
  return { plan: checkedPlan(value, positionOf), text, positionOf };
}

/**
 * A plan out of a value, such as the console's.
 * @throws WhitelineError BAD_INPUT with the position of everything that is wrong
 */
export function checkedPlan(value: unknown, positionOf: PositionOf): Plan {
  const problems = problemsOfPlan(value);
  if (problems.length > 0) throw planError(problems, positionOf);
  return planSchema.parse(value);
}

/** Places in a plan that no file has. */
export const positionInPlan: PositionOf = ([part, index]) =>
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
