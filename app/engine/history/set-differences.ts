import type { Run } from '../../facts/run';
import type { SetDifference } from '../../protocol/history';
import { oneMachine } from '../sessions/environment';

/** They differ whenever one looks, and say nothing of what was set. */
const passing = /(^|\.)(offsetUs|clockUncertaintyMs|clockDriftPpm|detail|notKnown|freeMib)(\.|$)/;
/** What runs of older versions say in other words. */
const newWords = new Map([['this machine by itself', oneMachine]]);

type Beginning = Pick<Run, SetDifference['of']>;

/** What differs between the beginnings of runs: what they ran on first, then what was asked for. */
export function setDifferences(
  runs: readonly Beginning[],
  parts: readonly SetDifference['of'][] = ['environment', 'parameters', 'thresholds'],
): SetDifference[] {
  return parts.flatMap((of) => {
    const flat = runs.map((run) => flatten(run[of]));
    const paths = [...new Set(flat.flatMap((values) => [...values.keys()]))];
    return paths
      .filter((path) => !passing.test(path))
      .map((path) => ({ of, path, values: flat.map((values) => values.get(path) ?? '') }))
      .filter(({ values }) => new Set(values).size > 1);
  });
}

/** Leaves by their path; an entry of a list goes by its name where it has one, so that order does not count. */
function flatten(value: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined && value !== null) leaves.set(path, newWords.get(String(value)) ?? String(value));
    return leaves;
  }
  for (const [key, part] of Object.entries(value)) {
    const { name, connector, machine } = (part ?? {}) as Record<string, unknown>;
    // A machine of the fleet goes by the name of its agent.
    const { name: agent } = (machine ?? {}) as { name?: unknown };
    const own = Array.isArray(value)
      ? [name, connector, agent].find((text) => typeof text === 'string')
      : undefined;
    flatten(part, [path, own ?? key].filter((text) => text !== '').join('.'), leaves);
  }
  return leaves;
}
