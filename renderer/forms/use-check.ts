import { useEffect, useState } from 'react';
import { eachProblem, type Problem } from '../../app/protocol/errors';

const pauseMs = 150;

/** What is wrong with what is typed, as soon as the typing pauses. `check` has to stay the same from one drawing to the next. */
export function useCheck(
  check: (parameters: Record<string, unknown>) => Promise<Problem | null>,
  parameters: Record<string, unknown>,
): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null);
  const typed = JSON.stringify(parameters);
  useEffect(() => {
    let isNewest = true;
    const timer = setTimeout(async () => {
      const found = await check(JSON.parse(typed));
      if (isNewest) setProblem(found);
    }, pauseMs);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [check, typed]);
  return problem;
}

/** The field that a problem is of: "folders.0" is said at `folders`. */
export function fieldOf(problem: Problem | null): string | null {
  return problem?.field?.split('.')[0] ?? null;
}

/** What is wrong with each field; of several things at one field the first. */
export function problemsByField(problem: Problem | null): ReadonlyMap<string, Problem> {
  const byField = new Map<string, Problem>();
  for (const each of problem ? eachProblem(problem) : []) {
    const field = fieldOf(each);
    if (field !== null && !byField.has(field)) byField.set(field, each);
  }
  return byField;
}
