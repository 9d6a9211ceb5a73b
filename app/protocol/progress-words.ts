import type { Progress, StreamPhase } from './console';
import { durationText } from './duration';

/** How far something is, in the words of the window and of the terminal. */

const phases: Readonly<Record<string, string>> = {
  baseline: 'Measuring the baseline',
  connecting: 'Connecting',
  'warm-up': 'Warming up',
  measuring: 'Measuring',
  draining: 'Waiting for the last frames',
} satisfies Record<StreamPhase, string>;

/** Of a known phase, or the experiment's own words. */
export function phaseText(phase: Progress['phase']): string {
  return phases[phase] ?? phase.charAt(0).toUpperCase() + phase.slice(1);
}

/** The phase, on which machine, and why it takes longer than was said. */
export function doingText({ phase, machine, note }: Pick<Progress, 'phase' | 'machine' | 'note'>): string {
  const doing = machine === undefined ? phaseText(phase) : `${machine}: ${phaseText(phase)}`;
  return note === undefined ? doing : `${doing}: ${note}`;
}

export function stepText({ step, steps }: Pick<Progress, 'step' | 'steps'>): string {
  return step === 0 ? 'Baseline' : `${step} of ${steps}`;
}

/** @param isAtLeast of some of what is left the time is not known */
export function leftText(seconds: number, isAtLeast = false): string {
  return `${durationText(seconds)} left${isAtLeast ? ', and runs whose time is not known' : ''}`;
}

/** Of what has no end yet. */
export function forText(seconds: number): string {
  return `for ${durationText(seconds)}`;
}

/** Which run of a plan. */
export function runText(run: number, runs: number): string {
  return `Run ${run} of ${runs}`;
}
