import { toolRoles } from './processes.mjs';

/** What was done around a row, from the records of the actions and our own account of the load. Pure. */

/** A standstill before a row, or after it, may cost something in it. */
export const aroundNs = 1e9;

/**
 * @param row with `fromNs` and `toNs`
 * @returns actions around it; how long each process surely stood still in it, and in all its stops around it at most; what others took at most;
 *   whether datagrams overflowed a socket's buffer
 */
export function truthOf({ fromNs, toNs }, { actions, load, stolen }) {
  const done = actions.filter(({ kind, from, failed }) => (kind === 'stop' ? from !== null : !failed));
  const around = done.filter((action) => overlapNs(rangeOf(action), fromNs - aroundNs, toNs + aroundNs) > 0);
  const seconds = load.filter(({ from, to }) => from < toNs + aroundNs && to > fromNs - aroundNs);
  const samples = stolen.filter(({ atNs }) => atNs > fromNs - aroundNs && atNs < toNs + aroundNs);
  return {
    around,
    sure: secondsByProcess(around, ({ from, to }) => overlapNs({ from, to }, fromNs, toNs)),
    // A standstill counts as a whole for each row that it touches.
    whole: secondsByProcess(around, (action) => action.perhapsTo - action.perhapsFrom),
    hogSeconds: sum(around.filter(isHog).map((action) => overlapNs(action, fromNs, toNs) / 1e9)),
    othersPercent: Math.max(0, ...seconds.map(({ othersPercent }) => othersPercent)),
    haveDatagramsOverflowed: seconds.some(({ datagramsOverflowed }) => datagramsOverflowed > 0),
    stolenPercent: Math.max(
      0,
      ...seconds.map(({ stolenPercent }) => stolenPercent),
      ...samples.map(({ cpuStealPercent }) => cpuStealPercent ?? 0),
    ),
  };
}

export function isHog({ kind }) {
  return kind.endsWith('hog');
}

export function isTool(role) {
  return toolRoles.includes(role);
}

/** A process that was killed may be missing for the rest of the run. */
function rangeOf(action) {
  if (action.kind === 'kill') return { from: action.from, to: Number.POSITIVE_INFINITY };
  return { from: action.perhapsFrom ?? action.from, to: action.perhapsTo ?? action.to };
}

function overlapNs({ from, to }, first, last) {
  return Math.max(0, Math.min(to, last) - Math.max(from, first));
}

/** Of stops alone: a list of role and seconds, one for each process. */
function secondsByProcess(actions, lengthOf) {
  const byProcess = new Map();
  for (const action of actions.filter(({ kind }) => kind === 'stop')) {
    const before = byProcess.get(action.pid)?.seconds ?? 0;
    byProcess.set(action.pid, { role: action.role, seconds: before + lengthOf(action) / 1e9 });
  }
  return [...byProcess.values()];
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
