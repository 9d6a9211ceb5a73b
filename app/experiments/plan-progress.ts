import type { Progress } from '../protocol/console';
import type { Session } from '../protocol/session';
import { expectedSecondsOf } from './find';

/** How far a plan is. */
export interface PlanProgress {
  /** Which of its runs is under way, from 1; the number of runs once it is over. */
  run: number;
  runs: number;
  /** Of the whole plan, from 0 to 1, by the time that its runs are expected to take. */
  done: number;
  remainingSeconds: number;
  /** Of some of the runs the time is not known beforehand: it takes at least so long. */
  isAtLeast: boolean;
}

/** In the bar, a run of unknown length weighs as much as this, s. */
const unknownSeconds = 60;

/** @param progress of the run that is under way */
export function planProgressOf(session: Session, progress: Progress | null): PlanProgress {
  const expected = expectedOf(session);
  let doneSeconds = 0;
  let leftSeconds = 0;
  let weighedLeft = 0;
  let isAtLeast = false;
  session.runs.forEach(({ state }, index) => {
    const seconds = expected[index] ?? null;
    const weight = seconds ?? unknownSeconds;
    if (state === 'waiting') {
      leftSeconds += seconds ?? 0;
      weighedLeft += weight;
      isAtLeast ||= seconds === null;
    } else if (state === 'running') {
      const left = progress ? progress.remainingSeconds : weight;
      leftSeconds += progress || seconds !== null ? left : 0;
      isAtLeast ||= !progress && seconds === null;
      weighedLeft += left;
      doneSeconds += Math.max(0, weight - left);
    } else doneSeconds += weight;
  });
  const all = doneSeconds + weighedLeft;
  const running = session.runs.findIndex(({ state }) => state === 'running');
  const ended = session.runs.filter(({ state }) => state !== 'waiting').length;
  return {
    run: running < 0 ? Math.max(1, ended) : running + 1,
    runs: session.runs.length,
    done: session.state === 'running' && all > 0 ? doneSeconds / all : 1,
    remainingSeconds: session.state === 'running' ? leftSeconds : 0,
    isAtLeast,
  };
}

/** Of each run, in the order of the session: a step of the plan that is repeated is several runs. */
function expectedOf({ plan }: Session): (number | null)[] {
  return (plan?.experiments ?? []).flatMap(({ experiment, parameters, repeat }) => {
    const seconds = expectedSecondsOf(experiment, parameters);
    return Array.from({ length: repeat }, () => seconds);
  });
}
