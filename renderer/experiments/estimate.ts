import { declarations } from '../../app/experiments/declarations';
import { expectedSecondsOf } from '../../app/experiments/find';
import { durationText } from '../../app/protocol/duration';
import { texts } from '../texts';

const words = texts.experiments.time;

/** How long a run takes, s, or why that is not known before it. */
export type Estimate = number | string;

export function estimateOf(experiment: string, parameters: Record<string, unknown>): Estimate {
  const seconds = expectedSecondsOf(experiment, parameters);
  if (seconds !== null) return seconds;
  const declaration = declarations.find(({ id }) => id === experiment);
  const isSound = declaration?.parameters.safeParse(parameters).success ?? false;
  return (isSound && declaration?.whyUnknownSeconds) || words.wrong;
}

/** "About 4 min": no more than two figures of it mean anything. */
export function estimateText(estimate: Estimate): string {
  return typeof estimate === 'string' ? words.unknown(estimate) : words.about(roughly(estimate));
}

export interface EstimatedStep {
  title: string;
  estimate: Estimate;
  /** How often it is run. */
  times: number;
}

/** Of a whole plan: the sum, and which of its steps are not in it. */
export function planEstimateText(steps: readonly EstimatedStep[]): string {
  const known = steps.reduce(
    (sum, { estimate, times }) => sum + (typeof estimate === 'number' && times > 0 ? estimate * times : 0),
    0,
  );
  const unknown = steps.find(({ estimate, times }) => typeof estimate === 'string' || !(times > 0));
  if (!unknown) return words.about(roughly(known));
  const why = typeof unknown.estimate === 'string' ? unknown.estimate : words.noTimes;
  return known === 0 ? words.unknown(why) : words.atLeast(roughly(known), unknown.title, why);
}

/** To five seconds below a minute, to half a minute below ten, to a minute below two hours, then to a quarter of an hour. */
function roughly(seconds: number): string {
  const step = seconds <= 60 ? (seconds <= 10 ? 1 : 5) : seconds <= 600 ? 30 : seconds <= 7200 ? 60 : 900;
  const rounded = Math.max(1, Math.ceil(seconds / step) * step);
  return durationText(rounded).replace(/ 00 (s|min)$/, '');
}
