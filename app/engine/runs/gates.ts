import { pictures } from '../../facts/count-words';
import type { Row } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import type { Verdict } from '../../facts/verdict';

/** Rules of a test beside the thresholds; null: there is none. Counts are of all rows and streams together. */
export interface GateLimits {
  maxDuplicates: number | null;
  maxReordered: number | null;
  failOnWarn: boolean;
}

const counted = [
  { limit: 'maxDuplicates', figure: 'framesDuplicated', what: 'came again' },
  { limit: 'maxReordered', figure: 'framesReordered', what: 'came in another order' },
] as const;

/** What they need of a row. */
export type GatedRow = Pick<Row, 'figures' | 'step'>;

/** Holds what was measured against the rules of a test. */
export class Gates {
  private readonly counts = { framesDuplicated: 0, framesReordered: 0 };
  private readonly unknown = new Set<keyof Gates['counts']>();

  constructor(private readonly limits: GateLimits) {}

  add(row: GatedRow): void {
    if (row.step.streams === 0) return;
    for (const { figure } of counted) {
      const count = numberOf(row, figure);
      if (count === null) this.unknown.add(figure);
      else this.counts[figure] += count;
    }
    // Their numbers cannot be read: whether one of them came again is not known.
    if ((numberOf(row, 'picturesMixed') ?? 0) > 0) this.unknown.add('framesDuplicated');
  }

  /** What a verdict and its reason become. What was not measured passes no rule. */
  judged<End extends { verdict: Verdict | null; reason: string }>(end: End): End {
    const { verdict, reason } = end;
    if (verdict === null) return end;
    const { failOnWarn } = this.limits;
    const broken = counted.flatMap(({ limit, figure, what }) => this.broken(limit, figure, what));
    const isWarned = failOnWarn && verdict === 'WARN';
    if (broken.length === 0 && !isWarned) return end;
    const why = [
      ...broken.map(({ text }) => text),
      reason,
      ...(isWarned ? ['WARN is FAIL by --fail-on-warn'] : []),
    ];
    const isProved = broken.some(({ isKnown }) => isKnown) || isWarned || verdict === 'FAIL';
    return { ...end, verdict: isProved ? 'FAIL' : 'INVALID', reason: why.join('; ') };
  }

  private broken(
    limit: (typeof counted)[number]['limit'],
    figure: (typeof counted)[number]['figure'],
    what: string,
  ): { text: string; isKnown: boolean }[] {
    const most = this.limits[limit];
    if (most === null) return [];
    const count = this.counts[figure];
    if (count > most) return [{ text: `${pictures(count)} ${what}, where ${most} may`, isKnown: true }];
    if (!this.unknown.has(figure)) return [];
    return [{ text: `not measured how many pictures ${what}, where ${most} may`, isKnown: false }];
  }
}
