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

/** Figures that may be below 0 say on which side they are. */
const signedMetrics: readonly string[] = ['clockOffsetMs', 'audioOffsetMs', 'audioDriftMs'];

export function metricFigure(value: number | null, metric: Metric): string {
  const text = figure(value, metric.digits);
  if (!signedMetrics.includes(metric.id) || value === null) return text;
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

/** "14:03:07.213": the time of day here of an ISO 8601 time. */
export function clockTime(isoTime: string): string {
  const time = new Date(isoTime);
  const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => padded(part));
  return `${parts.join(':')}.${padded(time.getMilliseconds(), 3)}`;
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
