import { isLongStep, isSingleStep } from './foreign-grid';

/** What the steps between frames say of their rate: the declared one, or another, at this period. */
export interface RateFound {
  kind: 'declared' | 'measured';
  periodUs: number;
}

/** A rate with at most this many known steps is kept only if nearly all of them are one period. */
const fewSteps = 24;
/** Share of the steps that have to be one period. */
const mostSingles = 0.85;
const enoughSingles = 0.7;
const steadySingles = 0.9;
/** Single steps are off the period by no more than this on average; in periods. */
const mostDrift = 0.025;
/** How much the time over all steps may be short, since its first and last frame are stamped early or late; in periods. */
const mostJitter = 0.4;
/** How far the steps of another rate may be off its period. */
const nearSteady = 0.25;
/** How far a frame may be off the line through all of them; in periods. Two rates, one after the other, are no line. */
const nearLine = 0.4;
/** A rate that is less off the declared one is the declared one, by another clock. */
const sameRate = 0.01;
/** This many gaps of equal size at equal distances are not losses, but frames of a slower rate sent on a faster grid. */
const cadenceGaps = 5;
/** Two steps whose ratio is this near to a whole number may be one rate with lost frames. */
const nearMultiple = 0.03;

/** Whether frames come at a period, so that a longer step says how many are missing. */
export function fits(stepsUs: readonly number[], periodUs: number): boolean {
  return keeps(stepsUs, periodUs, stepsUs.length < fewSteps ? mostSingles : enoughSingles);
}

/** Whether no frame is missing, be the rate still this one or a slower one: a quicker one would hide gaps. */
export function isGapless(stepsUs: readonly number[], periodUs: number): boolean {
  if (stepsUs.some((step) => isLongStep(step, periodUs))) return false;
  const leastMean = 1 - mostDrift - mostJitter / stepsUs.length;
  return stepsUs.length === 0 || mean(stepsUs) >= leastMean * periodUs;
}

/** The rate of frames when none is known yet; null: they have no steady rate. */
export function rateOf(stepsUs: readonly number[], declaredUs: number): RateFound | null {
  const isDeclared = keeps(stepsUs, declaredUs, mostSingles);
  const periodUs = isDeclared ? lineThrough(stepsUs, declaredUs).periodUs : steadyUs(stepsUs);
  return periodUs === null ? null : named(periodUs, declaredUs);
}

export function named(periodUs: number, declaredUs: number): RateFound {
  const isDeclared = Math.abs(periodUs / declaredUs - 1) < sameRate;
  return isDeclared ? { kind: 'declared', periodUs: declaredUs } : { kind: 'measured', periodUs };
}

/** The period of nearly all frames; null if there is none. */
export function steadyUs(stepsUs: readonly number[]): number | null {
  const middleUs = middle(stepsUs);
  const singles = stepsUs.filter((step) => Math.abs(step / middleUs - 1) <= nearSteady);
  if (singles.length < steadySingles * stepsUs.length || isCadence(stepsUs, middleUs)) return null;
  const { periodUs, farthestUs } = lineThrough(stepsUs, middleUs);
  return farthestUs <= nearLine * periodUs ? periodUs : null;
}

/** Whether one period is a multiple of the other: a slower sender, or one that loses every second frame. */
export function isMultiple(periodUs: number, ofUs: number): boolean {
  const ratio = periodUs / ofUs;
  const times = Math.round(ratio);
  return times >= 2 && Math.abs(ratio / times - 1) < nearMultiple;
}

/** How many steps have the first period before another one begins. */
export function stepsBeforeChange(stepsUs: readonly number[], firstUs: number, thenUs: number): number {
  const off = (step: number, periodUs: number): number => Math.min(1, Math.abs(step / periodUs - 1));
  let cost = stepsUs.reduce((sum, step) => sum + off(step, thenUs), 0);
  let [best, bestCost] = [0, cost];
  for (const [index, step] of stepsUs.entries()) {
    cost += off(step, firstUs) - off(step, thenUs);
    if (cost < bestCost) [best, bestCost] = [index + 1, cost];
  }
  return best;
}

function keeps(stepsUs: readonly number[], periodUs: number, leastShare: number): boolean {
  let [singles, singleUs] = [0, 0];
  for (const step of stepsUs) {
    if (!isSingleStep(step, periodUs)) continue;
    singles += 1;
    singleUs += step;
  }
  if (singles < leastShare * stepsUs.length) return false;
  return Math.abs(singleUs / (singles * periodUs) - 1) < mostDrift && !isCadence(stepsUs, periodUs);
}

function isCadence(stepsUs: readonly number[], periodUs: number): boolean {
  const gaps: { periods: number; index: number }[] = [];
  for (const [index, step] of stepsUs.entries())
    if (isLongStep(step, periodUs)) gaps.push({ periods: Math.round(step / periodUs), index });
  return gaps.slice(cadenceGaps - 1).some((_, first) => {
    const some = gaps.slice(first, first + cadenceGaps);
    const between = some.slice(1).map(({ index }, place) => index - (some[place]?.index ?? 0));
    const areAlike = some.every(({ periods }) => periods === some[0]?.periods);
    return areAlike && Math.max(...between) - Math.min(...between) <= 1;
  });
}

/** The mean of the middle half: neither a few gaps nor frames that come in turns of two and three periods move it much. */
function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.slice(cut, sorted.length - cut));
}

/** The line through all frames, and how far the farthest is off it; `aboutUs` says how many periods each step is. */
function lineThrough(stepsUs: readonly number[], aboutUs: number): { periodUs: number; farthestUs: number } {
  let number = 0;
  let atUs = 0;
  const points = [{ number, atUs }];
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
  const periodUs = products / squares;
  const offs = points.map((one) => Math.abs(one.atUs - middleUs - (one.number - middleNumber) * periodUs));
  return { periodUs, farthestUs: Math.max(...offs) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A frame that is late by more periods may look like one after a gap. */
const latePeriods = 0.5;
/** Steps of about half a period, in periods: one is a frame beside the rate, several are a burst. */
const half = { from: 0.4, to: 0.7, least: 3 };

/** Whether frames after a gap come earlier and earlier: those before them were late, and perhaps none is missing. */
export function catchesUp(stepsUs: readonly number[], periodUs: number): boolean {
  const steps = stepsUs.map((step) => step / periodUs);
  const singles = steps.filter((step) => isSingleStep(step, 1));
  const halves = steps.filter((step) => step > half.from && step < half.to && !isSingleStep(step, 1));
  const counted = halves.length < half.least ? singles : [...singles, ...halves];
  return counted.reduce((drift, step) => drift + step - 1, 0) < -latePeriods;
}
