import type { Metric } from '../app/protocol/metrics/registry';

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
  return formatter.format(value);
}

export function metricFigure(value: number | null, metric: Metric): string {
  return figure(value, metric.digits);
}

/** "8 s", "1 min 20 s", "2 h 05 min". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** The last part of a path of either kind. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).pop() || path;
}
