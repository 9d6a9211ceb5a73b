import type { Metric } from '../app/facts/metrics/registry';

/** What stands in the place of a figure that was not measured. Never 0. */
export const notMeasuredSign = '—';

const formatters = new Map<number, Intl.NumberFormat>();

/** A figure with a fixed number of digits, so that columns of them line up and do not jump. */
export function figure(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return notMeasuredSign;
  let formatter = formatters.get(digits);
  if (!formatter) {
    formatter = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(digits, formatter);
  }
  // Rounded as in sentences: by itself it rounds 17.615 up, which is 17.61499….
  return formatter.format(Number(value.toFixed(digits)));
}

export function metricFigure(value: number | null, metric: Metric): string {
  const text = figure(value, metric.digits);
  if (metric.isEstimate && value) return `≈ ${text}`;
  if (!metric.signed || value === null) return text;
  const isZero = Number(value.toFixed(metric.digits)) === 0;
  if (isZero) return figure(0, metric.digits);
  return value > 0 ? `+${text}` : text.replace('-', '−');
}

/** A figure that may be a word, or yes or no, among an experiment's own. */
export function valueFigure(value: number | string | boolean | null, metric: Metric): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return metricFigure(value, metric);
}

/** Of all times of day in charts, tables and sentences of a run: they read the same everywhere. */
export const timeZone = 'UTC';

/** "14:03:07" of a time since 1970, ms; or of an ISO 8601 time. */
export function timeOfDay(time: number | string): string {
  return new Date(time).toISOString().slice(11, 19);
}

/** "14:03:07.213" of an ISO 8601 time. */
export function clockTime(isoTime: string): string {
  return new Date(isoTime).toISOString().slice(11, 23);
}

/** A moment of today: "19:00:05.120 UTC". */
export function momentText(isoTime: string): string {
  return `${clockTime(isoTime)} ${timeZone}`;
}

/** "21 Nov 2026, 19:00 UTC", with seconds where a moment is to be found again. */
export function dateTime(isoTime: string, timeStyle: 'short' | 'medium' = 'short'): string {
  const text = new Date(isoTime).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle, timeZone });
  return `${text} ${timeZone}`;
}

/** The last part of a path of either kind. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).pop() || path;
}
