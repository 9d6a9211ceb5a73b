import {
  type ComparedValue,
  type Comparison,
  changeDigits,
  type Regression,
  rateDigitsOf,
} from '../../protocol/history';
import { isFlaw, metricFor } from '../../protocol/metrics/registry';
import { isJudged } from './compare';

/** A change for the worse beyond this is a regression, unless the operator sets another. */
export const defaultTolerancePercent = 10;

/**
 * What got worse, by more than noise and more than the tolerance. An INVALID row says nothing, either way; nor does a step
 * that only one of the runs has.
 */
export function regressionsOf({ steps, runs }: Comparison, tolerancePercent: number): Regression[] {
  return runs.slice(1).flatMap((_, index) => {
    const run = index + 1;
    return steps.flatMap(({ label, figures, verdicts, standings }) => {
      const [before, now] = [verdicts[0], verdicts[run]];
      if (!isJudged(before) || !isJudged(now)) return [];
      const found: Regression[] = [];
      if (standings[run] === 'worse')
        found.push({ run, label, metric: null, text: `${now}, it was ${before}` });
      for (const { metric, runs: values } of figures) {
        const [first, value] = [values[0], values[run]];
        if (!first || value?.standing !== 'worse') continue;
        const { changePercent } = value;
        if (changePercent !== null && Math.abs(changePercent) <= tolerancePercent) continue;
        found.push({ run, label, metric, text: changeText(metric, first, value) });
      }
      return found;
    });
  });
}

/** Whether the runs are whole, and any step of both could be judged. */
export function isComparable({ steps, runs }: Comparison): boolean {
  if (runs.some(({ missing }) => missing)) return false;
  return steps.some(({ verdicts: [before, ...after] }) => isJudged(before) && after.some(isJudged));
}

/** What the first run measured and another one did not: steps that it carried, by their label, and flaws of steps of both. */
export function notJudgedAgain({ steps }: Comparison): string[] {
  return steps.flatMap(({ label, verdicts, figures }) => {
    const [before, ...after] = verdicts;
    const isCarried = before === 'PASS' || before === 'WARN';
    if (isCarried && !after.every(isJudged)) return [label];
    const lost = figures.filter(({ metric, runs: [first, ...others] }) => {
      if (!isFlaw(metricFor(metric)) || typeof first?.value !== 'number') return false;
      return others.some(({ value }, index) => value === null && isJudged(after[index]));
    });
    return lost.map(({ metric }) => `${label}: ${metricFor(metric).heading} (not measured)`);
  });
}

function changeText(metric: string, before: ComparedValue, after: ComparedValue): string {
  const { unit, digits, heading } = metricFor(metric);
  const isRate = after.perSecond !== null;
  const text = ({ value, perSecond }: ComparedValue): string => {
    if (perSecond !== null) return rateText(perSecond);
    return typeof value === 'number' ? value.toFixed(digits) : String(value);
  };
  const change = after.changePercent === null ? '' : ` (${percentText(after.changePercent)})`;
  const { noise } = after;
  const band =
    noise === null
      ? 'single measurement, noise unknown'
      : `noise ${isRate ? rateText(noise) : noise.toFixed(digits)}`;
  return `${heading} ${text(before)} → ${text(after)}${unit && ` ${unit}`}${isRate ? ' per second' : ''}${change}, ${band}`;
}

/** "+87.9 %": a change in the figure's own direction. */
export function percentText(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent.toFixed(changeDigits)} %`;
}

/** A count per second. */
export function rateText(perSecond: number): string {
  return perSecond.toFixed(rateDigitsOf(perSecond));
}
