import { isFlaw, metricFor } from '../../facts/metrics/registry';
import {
  type ComparedStep,
  type ComparedValue,
  type Comparison,
  changeDigits,
  isHeldAgainst,
  isJudged,
  type Regression,
  rateDigitsOf,
} from '../../protocol/history';
import { isForTheWorse } from './compared-figure';

/**
 * What got worse: a verdict, or a figure by more than noise and tolerance. An INVALID row proves nothing, either way; nor does a step that
 * only one of the runs has.
 */
export function regressionsOf(comparison: Comparison): Regression[] {
  return eachJudged(comparison, ({ label, verdicts, standings }, run, figures) => [
    ...(standings[run] === 'worse'
      ? [{ run, label, metric: null, text: `${verdicts[run]}, it was ${verdicts[0]}` }]
      : []),
    ...figures
      .filter(({ now }) => now.standing === 'worse')
      .map((found) => ({ run, label, ...textOf(found) })),
  ]);
}

/** Figures that are worse by more than the tolerance, but without repeats that show their noise. */
export function unjudgedOf(comparison: Comparison): Regression[] {
  return eachJudged(comparison, ({ label }, run, figures) =>
    figures
      .filter(({ metric, first, now }) => now.standing === 'unjudged' && isForTheWorse(metric, first, now))
      .map((found) => ({ run, label, ...textOf(found) })),
  );
}

/** A figure of the first run, and of another one. */
interface Pair {
  metric: string;
  first: ComparedValue;
  now: ComparedValue;
}

/** Steps that the first run and another one could judge. */
function eachJudged(
  { steps, runs }: Comparison,
  find: (step: ComparedStep, run: number, figures: Pair[]) => Regression[],
): Regression[] {
  return runs.slice(1).flatMap((_, index) => {
    const run = index + 1;
    if (!steps.some((step) => isHeldAgainst(step, run))) return [];
    return steps.flatMap((step) => {
      if (!isJudged(step.verdicts[0]) || !isJudged(step.verdicts[run])) return [];
      const pairs = step.figures.flatMap(({ metric, runs: values }): Pair[] => {
        const [first, now] = [values[0], values[run]];
        return first && now ? [{ metric, first, now }] : [];
      });
      return find(step, run, pairs);
    });
  });
}

function textOf({ metric, first, now }: Pair): Pick<Regression, 'metric' | 'text'> {
  return { metric, text: changeText(metric, first, now) };
}

/** Why runs cannot be held against each other at all: one is not whole, or no step was judged in the first and another one. */
export function notComparable({ steps, runs }: Comparison, nameOf: (run: number) => string): string | null {
  const cut = runs.findIndex(({ missing }) => missing);
  if (cut >= 0) return `${nameOf(cut)} is not whole`;
  if (steps.some((step) => runs.some((_, run) => run > 0 && isHeldAgainst(step, run)))) return null;
  const verdictsText = runs.map(({ verdict, state }, run) => `${nameOf(run)} is ${verdict ?? state}`);
  const both = runs.length === 2 ? 'both runs' : `${nameOf(0)} and in another run`;
  const what = steps.some(({ step }) => step.streams === 0) ? 'number of streams' : 'row';
  return `no ${what} is valid in ${both} (${verdictsText.join(', ')})`;
}

/** A, B … Z, then by number: how the runs of a comparison are called. */
export function letter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`;
}

/**
 * What could not be held against each other: steps that the first run carried and another one did not judge, steps that the first one
 * could not judge and another one has, and flaws that only the first one measured.
 */
export function notJudgedOf({ steps }: Comparison): string[] {
  return steps.flatMap(({ label, verdicts, figures }) => {
    const [before, ...after] = verdicts;
    const isCarried = before === 'PASS' || before === 'WARN';
    if (isCarried && !after.every(isJudged)) return [`${label} (not judged again)`];
    if (before === 'INVALID' && after.some((verdict) => verdict !== null))
      return [`${label} (INVALID in the first run)`];
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
    noise === null ? 'one repeat each' : `noise ${isRate ? rateText(noise) : noise.toFixed(digits)}`;
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
