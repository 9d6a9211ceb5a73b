import { isFlaw, type Metric, metricFor } from '../../facts/metrics/registry';
import type { Row } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import {
  type ComparedFigure,
  type ComparedValue,
  changeDigits,
  rateDigitsOf,
  type Standing,
} from '../../protocol/history';
import { medianOf } from '../experiment/repeats';

/** If a row gives the deviation of its own repeats, a difference up to this many deviations is noise. */
const deviations = 2;
/** Rows whose lengths differ by more than this share of the longest are compared per second. */
const sameLengthShare = 0.01;

type Value = ComparedValue['value'];

/** What is held against the first run's, and how that prints. */
interface Compared {
  value: Value;
  texts: readonly unknown[];
}

/** What one row says of the figure, or several rows as one. */
interface Reading {
  value: Value;
  /** Time over which it was counted, or how much was looked through; null for what does not depend on it. */
  seconds: number | null;
  /** Of the row's own repeats, where it has some. */
  deviation: number | null;
}

/** What one run's rows of a step come to. */
interface StepValue {
  value: Value;
  perSecond: number | null;
  repeats: number;
  noise: number | null;
}

export interface FigureOptions {
  /** The metric of the figure's own spread over its repeats, where a row has one. */
  spread: string | null;
  /** Rows of a step are no repeats but follow each other, as those of a watch do: a loss in one of them is one of all. */
  isSeries: boolean;
  tolerancePercent: number;
  /** Of each run: it passed the step, as the first did. */
  passed: readonly boolean[];
}

/** Changes that print as 0 count as none, whatever the tolerance. */
const leastChangePercent = 0.5 * 10 ** -changeDigits;

/**
 * One figure of a step in all runs, each beside the first.
 * @param rows of each run: those of the step; none if the run does not have it
 */
export function compareFigure(
  id: string,
  rows: readonly (readonly Row[])[],
  { spread, isSeries, tolerancePercent, passed }: FigureOptions,
): ComparedFigure {
  const metric = metricFor(id);
  const readings = rows.map((own) => {
    const read = own.flatMap((row) => readingOf(metric, spread, row) ?? []);
    return isSeries && isSum(metric) && read.length > 1 ? [wholeOf(metric, read)] : read;
  });
  const difference = lengthDifference(readings.flat());
  const areUnlike = difference > sameLengthShare;
  const isRate = areUnlike && metric.countedOver !== undefined;
  const measured = readings.map((own) => measure(own, isRate));
  const [first] = measured;
  const compared = ({ value, perSecond }: StepValue, run: number): Compared => {
    const text = typeof value === 'number' ? value.toFixed(metric.digits) : value;
    if (isRate) return { value: perSecond, texts: [rateOf(perSecond)] };
    // Of rows of nearly the same length, one may hold a frame more.
    const isCounted = difference > 0 && metric.countedOver !== undefined;
    const rate = isCounted ? measure(readings[run] ?? [], true).perSecond : null;
    return { value, texts: rate === null ? [text] : [text, rateOf(rate)] };
  };
  return {
    metric: id,
    runs: measured.map((own, run) => {
      if (run === 0 || !first) return { ...own, changePercent: null, standing: 'same' };
      const noise = largest(first.noise, own.noise);
      const limits = { noise, tolerancePercent, isPassed: passed[run] ?? false, areUnlike };
      return { ...own, noise, ...standing(metric, compared(first, 0), compared(own, run), limits) };
    }),
  };
}

function rateOf(perSecond: number | null): string | null {
  return perSecond === null ? null : perSecond.toFixed(rateDigitsOf(perSecond));
}

/** What rows that follow each other have together: counts, and the most of a flaw in one of them. */
function isSum(metric: Metric): boolean {
  return metric.countedOver !== undefined || isFlaw(metric);
}

/** Null: the row did not measure it. */
function readingOf(
  { id, countedOver, extremeOver }: Metric,
  spread: string | null,
  row: Row,
): Reading | null {
  const value = scalarOf(row, id);
  if (value === null) return null;
  const over = countedOver ?? extremeOver;
  const seconds = over === undefined ? null : numberOf(row, over);
  const deviation = spread === null ? null : numberOf(row, spread);
  return { value, seconds: seconds !== null && seconds > 0 ? seconds : null, deviation };
}

/** All that was counted in rows that follow each other; of what does not add up over time, the most in one of them. */
function wholeOf({ countedOver }: Metric, read: readonly Reading[]): Reading {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const values = read.map(({ value }) => Number(value));
  const seconds = read.flatMap((one) => one.seconds ?? []);
  return {
    value: countedOver === undefined ? Math.max(...values) : sum(values),
    seconds: seconds.length === read.length ? sum(seconds) : null,
    deviation: null,
  };
}

/** By what share of the longest they differ in length; 0 of what does not depend on it. */
function lengthDifference(readings: readonly Reading[]): number {
  const lengths = readings.flatMap(({ seconds }) => seconds ?? []);
  const longest = Math.max(...lengths);
  return lengths.length === readings.length && longest > 0 ? 1 - Math.min(...lengths) / longest : 0;
}

/** What a difference must exceed; of a step that both runs passed, a first flaw is a difference like any other. */
interface Limits {
  noise: number | null;
  tolerancePercent: number;
  isPassed: boolean;
  /** Rows of the step differ in length. */
  areUnlike: boolean;
}

function standing(
  metric: Metric,
  { value: a, texts: textsA }: Compared,
  { value: b, texts: textsB }: Compared,
  { noise, tolerancePercent, isPassed, areUnlike }: Limits,
): Pick<ComparedValue, 'standing' | 'changePercent'> {
  const { direction, signed } = metric;
  if (a === null && b === null) return { standing: 'unmeasured', changePercent: null };
  if (a === null || b === null) return { standing: 'unknown', changePercent: null };
  if (typeof a !== 'number' || typeof b !== 'number')
    return { standing: a === b ? 'same' : 'different', changePercent: null };
  // For a figure around 0, a percentage of the first value means nothing.
  const changePercent = signed ? null : changeOf(a, b);
  const is = (found: Standing): ReturnType<typeof standing> => ({ standing: found, changePercent });
  // Where both figures print alike, no word may claim a difference.
  if (a === b || textsA.some((text, index) => text === textsB[index]))
    return { standing: 'same', changePercent: signed ? null : 0 };
  // A flaw that the first run did not have at all was counted, and needs no repeats.
  const isFirstFlaw = isFlaw(metric) && a === 0 && !isPassed;
  // The longest gap of an hour is not that of a minute.
  if (areUnlike && metric.extremeOver !== undefined && !isFirstFlaw)
    return { standing: 'unlike', changePercent: null };
  if (noise !== null && Math.abs(b - a) <= noise) return is('noise');
  if (direction === 'none') return is('different');
  const isSmall =
    changePercent !== null && Math.abs(changePercent) <= Math.max(tolerancePercent, leastChangePercent);
  if (isSmall) return is('tolerance');
  if (noise === null && !isFirstFlaw) return is('unjudged');
  return is(isBetter(metric, a, b) ? 'better' : 'worse');
}

/** Whether the second of two values that differ is the better one. */
function isBetter({ direction }: Metric, a: number, b: number): boolean {
  return direction === 'lower' ? b < a : b > a;
}

/** Whether a figure that differs from the first run's does so for the worse; false of what has no better way. */
export function isForTheWorse(id: string, first: ComparedValue, now: ComparedValue): boolean {
  const metric = metricFor(id);
  const [a, b] = [first.perSecond ?? first.value, now.perSecond ?? now.value];
  if (metric.direction === 'none' || typeof a !== 'number' || typeof b !== 'number') return false;
  return a !== b && !isBetter(metric, a, b);
}

function changeOf(a: number, b: number): number | null {
  if (a === b) return 0;
  const percent = (100 * (b - a)) / Math.abs(a);
  return Number.isFinite(percent) ? percent : null;
}

function measure(readings: readonly Reading[], isRate: boolean): StepValue {
  const values = readings.map(({ value }) => value);
  const numbers = values.filter((value): value is number => typeof value === 'number');
  if (numbers.length < values.length || numbers.length === 0)
    return { value: values[0] ?? null, perSecond: null, repeats: values.length, noise: null };
  const scales = readings.map(({ seconds }) => (isRate && seconds !== null ? 1 / seconds : 1));
  const compared = numbers.map((value, index) => value * (scales[index] as number));
  const range = compared.length > 1 ? Math.max(...compared) - Math.min(...compared) : null;
  const deviation = readings.reduce<number | null>((most, { deviation: own }, index) => {
    return own === null ? most : largest(most, own * deviations * (scales[index] as number));
  }, null);
  return {
    value: medianOf(numbers),
    perSecond: isRate ? medianOf(compared) : null,
    repeats: numbers.length,
    noise: largest(range, deviation),
  };
}

function largest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
