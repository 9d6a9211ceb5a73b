import { declarationOf } from '../../experiments/find';
import { presentNameOf } from '../../experiments/parameter-names';
import { knownEntrySchema } from '../../experiments/plan-schema';
import type { ErrorCode, Problem } from '../../protocol/errors';
import { problemText, WhitelineError } from '../../protocol/errors';
import { fieldProblems } from '../../protocol/field-problems';
import { mostEntries, type PlanEntry, planSchema } from '../../protocol/plan';
import type { TextPosition } from './positioned-yaml';

/** What is wrong with a part of a plan. */
export interface PlanProblem {
  /** Of the part, in the plan as it was given. */
  path: readonly PropertyKey[];
  problem: Problem;
}

/** Where a part of a plan was written. */
export type PositionOf = (path: readonly PropertyKey[]) => TextPosition;

/** All that can be said against a plan without reading this machine; nothing if it is good. */
export function problemsOfPlan(value: unknown): PlanProblem[] {
  const { experiments, ...head } = isObject(value) ? value : { experiments: undefined };
  if (!isObject(value)) return placed([], fieldProblems(planSchema, value, 'the plan', 'field'));
  // One too many is a problem of the list; what each of a million has against it would take minutes to find.
  const listed = Array.isArray(experiments) ? experiments.slice(0, mostEntries + 1) : experiments;
  const entries = Array.isArray(listed) ? listed : [];
  // Each part by its own schema, so that an error names the field and not the way to it.
  const ofHead = fieldProblems(planSchema, { ...head, experiments: listed }, 'the plan', 'field').filter(
    ({ path }) => path.length < 2,
  );
  return [...placed([], ofHead), ...entries.flatMap((entry, index) => problemsOfEntry(entry, index))];
}

function problemsOfEntry(entry: unknown, index: number): PlanProblem[] {
  const path = ['experiments', index];
  const problems = placed(path, fieldProblems(knownEntrySchema, entry, 'the experiment', 'field'));
  if (problems.length > 0) return problems;
  const { experiment, parameters = {} } = entry as PlanEntry;
  const { parameters: schema } = declarationOf(experiment);
  const found = fieldProblems(schema, parameters).map(({ path: at, problem }) => ({
    path: at,
    problem: withPresentName(experiment, problem),
  }));
  return placed([...path, 'parameters'], found);
}

/** For a plan of an earlier version, names the parameter's present name. */
function withPresentName(experiment: string, problem: Problem): Problem {
  const present = presentNameOf(experiment, problem.value ?? '');
  return problem.field === 'parameters' && present !== undefined
    ? { ...problem, remedy: `Did you mean ${present}?` }
    : problem;
}

function placed(
  before: readonly PropertyKey[],
  problems: readonly { path: readonly PropertyKey[]; problem: Problem }[],
): PlanProblem[] {
  return problems.map(({ path, problem }) => ({ path: [...before, ...path], problem }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * All problems as one error, a line for each, each with its position. Input that is wrong outranks what this machine lacks:
 * it is wrong on every machine.
 */
export function planError(problems: readonly PlanProblem[], positionOf: PositionOf): WhitelineError {
  const lines = problems
    .map(({ path, problem }) => ({ position: positionOf(path), text: problemText(problem) }))
    .sort((a, b) => a.position.order - b.position.order)
    .map(({ position, text }) => `${position.text}: ${text}`);
  const codes = problems.map(({ problem }) => problem.code);
  const wrong: ErrorCode[] = ['BAD_INPUT', 'NOT_FOUND', 'MOVIE_UNREADABLE', 'NAME_IN_USE'];
  const code = codes.find((candidate) => wrong.includes(candidate)) ?? codes[0] ?? 'BAD_INPUT';
  return new WhitelineError({ code, message: lines.join('\n'), field: problems[0]?.problem.field });
}
