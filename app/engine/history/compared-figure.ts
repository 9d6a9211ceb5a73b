import { type ComparedFigure, type ComparedValue, rateDigits, type Standing } from '../../protocol/history';
import { type Metric, metricFor } from '../../protocol/metrics/registry';
import type { Row } from '../../protocol/row';
import { numberOf, scalarOf } from '../../protocol/row-figures';
import { medianOf } from '../experiments/repeats';

/** A difference is noise up to so many standard deviations, where a row gives one of its own repeats. */
const deviations = 2;
/** Rows whose lengths differ by more than this share of the longest are compared per second. */
const sameLengthShare = 0.01;

type Value = ComparedValue['value'];

/** What is held against the first run's, and all that is shown of it: a count stands beside its rate. */
interface Compared {
  value: Value;
  shown: string;
}

/** What one run's rows of a step come to. */
interface Measured {
  value: Value;
  perSecond: number | null;
  repeats: number;
  noise: number | null;
}

/**
 * One figure of a step in all runs, each beside the first.
 * @param spread the metric of the figure's own spread over its repeats, where a row has one
 * @param rows of each run: the repeats of the step; none where the run does not have it
 */
export function compareFigure(
  id: string,
  spread: string | null,
  rows: readonly (readonly Row[])[],
): ComparedFigure {
  const metric = metricFor(id);
  const isRate = differInLength(metric, rows.flat());
  const measured = rows.map((own) => measure(metric, spread, own, isRate));
  const [first] = measured;
  const compared = ({ value, perSecond }: Measured): Compared => ({
    value: isRate ? perSecond : value,
    shown: [
      typeof value === 'number' ? value.toFixed(metric.digits) : value,
      perSecond?.toFixed(rateDigits),
    ].join(),
  });
  return {
    metric: id,
    runs: measured.map((own, index) => {
      if (index === 0 || !first) return { ...own, changePercent: null, standing: 'same' };
      const noise = largest(first.noise, own.noise);
      return { ...own, noise, ...standing(metric, compared(first), compared(own), noise) };
    }),
  };
}

/** Whether a sum over time would compare the lengths of rows, not what happened in them. */
function differInLength(metric: Metric, rows: readonly Row[]): boolean {
  const lengths = rows.map((row) => secondsOf(metric, row)).filter((seconds) => seconds !== null);
  const longest = Math.max(...lengths);
  return lengths.length === rows.length && longest - Math.min(...lengths) > sameLengthShare * longest;
}

/** Time over which a row counted the metric; null for what does not add up over time. */
function secondsOf({ countedOver }: Metric, row: Row): number | null {
  const seconds = countedOver === undefined ? null : numberOf(row, countedOver);
  return seconds !== null && seconds > 0 ? seconds : null;
}

function standing(
  { direction, signed }: Metric,
  { value: a, shown: shownA }: Compared,
  { value: b, shown: shownB }: Compared,
  noise: number | null,
): Pick<ComparedValue, 'standing' | 'changePercent'> {
  if (a === null && b === null) return { standing: 'unmeasured', changePercent: null };
  if (a === null || b === null) return { standing: 'unknown', changePercent: null };
  if (typeof a !== 'number' || typeof b !== 'number')
    return { standing: a === b ? 'same' : 'different', changePercent: null };
  // Of a figure around 0 a per cent of the first one says nothing.
  const changePercent = signed ? null : changeOf(a, b);
  const is = (found: Standing): ReturnType<typeof standing> => ({ standing: found, changePercent });
  // Where both figures print alike, no word may claim a difference.
  if (a === b || shownA === shownB) return { standing: 'same', changePercent: signed ? null : 0 };
  if (noise !== null && Math.abs(b - a) <= noise) return is('noise');
  if (direction === 'none') return is('different');
  return is((direction === 'lower' ? b < a : b > a) ? 'better' : 'worse');
}

function changeOf(a: number, b: number): number | null {
  if (a === b) return 0;
  const percent = (100 * (b - a)) / Math.abs(a);
  return Number.isFinite(percent) ? percent : null;
}

function measure(metric: Metric, spread: string | null, rows: readonly Row[], isRate: boolean): Measured {
  const measured = rows.filter((row) => scalarOf(row, metric.id) !== null);
  const values = measured.map((row) => scalarOf(row, metric.id));
  const numbers = values.filter((value): value is number => typeof value === 'number');
  if (numbers.length < values.length || numbers.length === 0)
    return { value: values[0] ?? null, perSecond: null, repeats: values.length, noise: null };
  const scales = measured.map((row) => (isRate ? 1 / (secondsOf(metric, row) ?? Number.NaN) : 1));
  const compared = numbers.map((value, index) => value * (scales[index] as number));
  const range = compared.length > 1 ? Math.max(...compared) - Math.min(...compared) : null;
  const deviation = measured.reduce<number | null>((most, row, index) => {
    const own = spread === null ? null : scalarOf(row, spread);
    return typeof own === 'number' ? largest(most, own * deviations * (scales[index] as number)) : most;
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
