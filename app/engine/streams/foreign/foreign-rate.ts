import { median } from '../clocks/theil-sen';

/**
 * What the steps between frames say of their rate.
 * declared, measured: the frames come at this period, which is the declared one or another.
 * variable: they come at no steady rate.
 */
export type RateFound = { kind: 'declared' | 'measured'; periodUs: number } | { kind: 'variable' };

/** as-before: nothing new. */
export type StepJudgement = RateFound | { kind: 'as-before' };

/** How far a step may be off one period, and off a multiple of it, in periods. */
const nearPeriod = 0.35;
const nearMultiple = 0.25;
/** Share of the steps that has to be one period, for a rate to be taken, and to give up one that was known. */
const enoughSingles = 0.7;
const enoughToChange = 0.95;
/** With many frames lost: share on multiples of the period, and of those that are one period. */
const enoughMultiples = 0.85;
const someSingles = 0.2;
/** A rate that is less off the declared one is the declared one, by another clock. */
const sameRate = 0.01;
/** Steps longer than this say nothing of a steady rate: a small error of the period adds up. */
const longStep = 8;

/** `knownUs`: the period that was found before; null: none yet. */
export function judgeSteps(stepsUs: number[], declaredUs: number, knownUs: number | null): StepJudgement {
  if (knownUs !== null) return judgeKnown(stepsUs, declaredUs, knownUs);
  if (fits(stepsUs, declaredUs)) return { kind: 'declared', periodUs: declaredUs };
  const middleUs = median(stepsUs);
  if (singles(stepsUs, middleUs) >= enoughSingles) return steady(stepsUs, middleUs, declaredUs);
  return { kind: 'variable' };
}

/** A rate once known is given up for clear evidence only: a bad link must not look like a slow sender. */
function judgeKnown(stepsUs: number[], declaredUs: number, knownUs: number): StepJudgement {
  const middleUs = median(stepsUs);
  const differs = Math.abs(middleUs / knownUs - 1) > nearPeriod;
  if (differs && singles(stepsUs, middleUs) >= enoughToChange) return steady(stepsUs, middleUs, declaredUs);
  const short = stepsUs.filter((step) => step < longStep * knownUs);
  const isSteady = short.length < stepsUs.length / 2 || multiples(short, knownUs) >= enoughSingles;
  return { kind: isSteady ? 'as-before' : 'variable' };
}

function fits(stepsUs: number[], periodUs: number): boolean {
  const share = singles(stepsUs, periodUs);
  if (share >= enoughSingles) {
    const near = stepsUs.filter((step) => Math.abs(step / periodUs - 1) <= nearPeriod);
    return Math.abs(mean(near) / periodUs - 1) < sameRate;
  }
  return share >= someSingles && multiples(stepsUs, periodUs) >= enoughMultiples;
}

function steady(stepsUs: number[], middleUs: number, declaredUs: number): RateFound {
  const periodUs = slopeUs(stepsUs, middleUs);
  const isDeclared = Math.abs(periodUs / declaredUs - 1) < sameRate;
  return isDeclared ? { kind: 'declared', periodUs: declaredUs } : { kind: 'measured', periodUs };
}

function singles(stepsUs: number[], periodUs: number): number {
  return share(stepsUs, (step) => Math.abs(step / periodUs - 1) <= nearPeriod);
}

function multiples(stepsUs: number[], periodUs: number): number {
  return share(stepsUs, (step) => {
    const periods = step / periodUs;
    return periods > 0.5 && Math.abs(periods - Math.round(periods)) <= nearMultiple;
  });
}

function share(values: number[], holds: (value: number) => boolean): number {
  return values.filter(holds).length / values.length;
}

/** Period of a line through all frames; `aboutUs` says how many periods each step is. */
function slopeUs(stepsUs: number[], aboutUs: number): number {
  const points = [{ number: 0, atUs: 0 }];
  let number = 0;
  let atUs = 0;
  for (const step of stepsUs) {
    number += Math.round(step / aboutUs);
    atUs += step;
    points.push({ number, atUs });
  }
  const middleNumber = mean(points.map((point) => point.number));
  const middleUs = mean(points.map((point) => point.atUs));
  let products = 0;
  let squares = 0;
  for (const point of points) {
    products += (point.number - middleNumber) * (point.atUs - middleUs);
    squares += (point.number - middleNumber) ** 2;
  }
  return products / squares;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
