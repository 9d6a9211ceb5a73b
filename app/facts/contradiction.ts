import type { Fact } from './fact';
import { reasonOf } from './reason-words';

/** A figure and the words that follow it; null or no number: not measured, so nothing contradicts it. */
export type Stated = readonly [value: number | null | undefined, words: string];

/** How far apart two figures may lie that are measured at different places or rounded. */
export interface Tolerance {
  /** Of the other figure. */
  share?: number;
  amount?: number;
}

/** One figure is at most the other: otherwise a finding with both. */
export function atMost(what: string, one: Stated, other: Stated, tolerance: Tolerance = {}): Fact[] {
  return unless(([a, b]) => a <= b + allowed(b, tolerance), what, one, other);
}

/** Two figures of the same thing are alike: otherwise a finding with both. */
export function alike(what: string, one: Stated, other: Stated, tolerance: Tolerance = {}): Fact[] {
  return unless(([a, b]) => Math.abs(a - b) <= allowed(b, tolerance), what, one, other);
}

/** Each of these figures is at most the next that was measured, such as the percentiles of one time. */
export function rising(what: string, figures: readonly Stated[], tolerance: Tolerance = {}): Fact[] {
  const measured = figures.filter(([value]) => isMeasured(value));
  return measured
    .slice(1)
    .flatMap((other, index) => atMost(what, measured[index] ?? other, other, tolerance));
}

function unless(
  holds: (values: readonly [number, number]) => boolean,
  what: string,
  one: Stated,
  other: Stated,
): Fact[] {
  const [a, b] = [one[0], other[0]];
  if (!isMeasured(a) || !isMeasured(b) || holds([a, b])) return [];
  return [reasonOf('contradiction', { what, one: textOf(a, one[1]), other: textOf(b, other[1]) })];
}

function isMeasured(value: number | null | undefined): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function allowed(value: number, { share = 0, amount = 0 }: Tolerance): number {
  return Math.abs(value) * share + amount;
}

function textOf(value: number, words: string): string {
  return `${Number(value.toFixed(3))} ${words}`;
}
