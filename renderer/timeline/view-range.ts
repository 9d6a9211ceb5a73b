/** A range of wall time, ms. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** No shorter: two pictures at any rate are apart in it. */
const shortestMs = 200;

/** The same, or longer so that it can be read, within what there is. */
export function within({ fromMs, toMs }: TimeRange, all: TimeRange): TimeRange {
  const whole = Math.max(shortestMs, all.toMs - all.fromMs);
  const span = Math.min(whole, Math.max(shortestMs, toMs - fromMs));
  const middle = (fromMs + toMs) / 2;
  const from = Math.max(all.fromMs, Math.min(middle - span / 2, all.fromMs + whole - span));
  return { fromMs: from, toMs: from + span };
}

/** Zooms in (factor below 1) or out around a fixed moment. */
export function zoomed({ fromMs, toMs }: TimeRange, factor: number, aroundMs: number): TimeRange {
  return {
    fromMs: aroundMs - (aroundMs - fromMs) * factor,
    toMs: aroundMs + (toMs - aroundMs) * factor,
  };
}

/** The same length, moved so that a moment lies in it. */
export function showing(range: TimeRange, atMs: number): TimeRange {
  if (atMs >= range.fromMs && atMs <= range.toMs) return range;
  const half = (range.toMs - range.fromMs) / 2;
  return { fromMs: atMs - half, toMs: atMs + half };
}

/** Where things lie in a plot, px. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function xOf(atMs: number, { fromMs, toMs }: TimeRange, { left, width }: Plot): number {
  return left + ((atMs - fromMs) / (toMs - fromMs)) * width;
}

export function timeAt(x: number, { fromMs, toMs }: TimeRange, { left, width }: Plot): number {
  return fromMs + ((x - left) / width) * (toMs - fromMs);
}

/** Intervals differ by orders of magnitude: the axis is logarithmic. */
export interface IntervalAxis {
  leastMs: number;
  mostMs: number;
}

/** The rate lies in it, and all intervals that are drawn. */
export function intervalAxis(periodMs: number, longestMs: number): IntervalAxis {
  return { leastMs: periodMs / 4, mostMs: Math.max(periodMs * 8, longestMs * 1.2) };
}

export function yOf(intervalMs: number, { leastMs, mostMs }: IntervalAxis, { top, height }: Plot): number {
  const shown = Math.min(Math.max(intervalMs, leastMs), mostMs);
  return top + height * (1 - Math.log(shown / leastMs) / Math.log(mostMs / leastMs));
}

/** 1, 2 and 5 of each power of ten, within the axis. */
export function intervalTicks({ leastMs, mostMs }: IntervalAxis): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(leastMs)); 10 ** power <= mostMs; power++)
    for (const step of [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(1));
      if (tick >= leastMs && tick <= mostMs) ticks.push(tick);
    }
  return ticks;
}
