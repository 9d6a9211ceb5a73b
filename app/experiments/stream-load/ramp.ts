import { type Bounds, bisect, mostBisections } from './refine';

/** The parameters that say how a ramp goes. */
export interface RampPlan {
  start: number;
  step: number;
  maxStreams: number;
  refine: boolean;
}

/** What came out for one number of streams. */
export interface RampStep {
  streams: number;
  /** clean: no frame lost; unknown: INVALID, nothing is said of the streams. */
  outcome: 'clean' | 'bad' | 'unknown';
  /** A stop rule ends the ramp here. */
  stops: boolean;
}

/**
 * How many streams the next row has, after these in their order; null: the run is over. Up by `step` and at last to the
 * maximum, then, where it is refined, between the last clean number and the first bad one.
 */
export function nextStreams(plan: RampPlan, measured: readonly RampStep[]): number | null {
  const turn = measured.findIndex((row) => row.stops || (plan.refine && row.outcome === 'bad'));
  if (turn < 0) {
    const last = measured[measured.length - 1];
    if (!last) return plan.start;
    return last.streams < plan.maxStreams ? Math.min(last.streams + plan.step, plan.maxStreams) : null;
  }
  const bounds = plan.refine ? boundsOf(measured) : null;
  return bounds && bisect(bounds);
}

/** How many numbers of streams come after this one, at most; 0 streams: the baseline. */
export function mostNumbersAfter(plan: RampPlan, measured: readonly RampStep[], streams: number): number {
  const { start, step, maxStreams, refine } = plan;
  const bounds = refine ? boundsOf(measured) : null;
  // This one is the first of them.
  if (bounds) return mostBisections(bounds) - 1;
  const [from, first] = streams < start ? [start, 1] : [streams, 0];
  const inRamp = first + Math.ceil(Math.max(0, maxStreams - from) / step);
  const bisections = refine ? mostBisections({ good: 0, bad: Math.max(start, step) }) : 0;
  return inRamp + bisections;
}

/** Null if nothing was bad, or where a row that is INVALID leaves open on which side the limit lies. */
export function boundsOf(measured: readonly RampStep[]): Bounds | null {
  const numbers = (wanted: RampStep['outcome']): number[] =>
    measured.filter(({ outcome }) => outcome === wanted).map(({ streams }) => streams);
  const bad = Math.min(...numbers('bad'));
  if (!Number.isFinite(bad)) return null;
  const good = Math.max(0, ...numbers('clean').filter((streams) => streams < bad));
  return numbers('unknown').some((streams) => streams > good && streams < bad) ? null : { good, bad };
}
