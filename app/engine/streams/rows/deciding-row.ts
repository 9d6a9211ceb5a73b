import type { StreamsRow } from '../../../facts/stream-row';
import { type Verdict, verdicts, worseVerdict } from '../../../facts/verdict';

interface Judged {
  verdict: Verdict;
}

/** The worst of these verdicts; PASS if there are none. */
export function worstVerdictOf(judged: readonly Judged[]): Verdict {
  return judged.reduce<Verdict>((worst, { verdict }) => worseVerdict(worst, verdict), 'PASS');
}

/** The row that decides the verdict of a run: the first of those with the worst verdict; undefined if all pass. */
export function decidingRow<Decided extends Judged>(rows: readonly Decided[]): Decided | undefined {
  const worst = worstVerdictOf(rows);
  return worst === 'PASS' ? undefined : rows.find(({ verdict }) => verdict === worst);
}

/** The row whose reason a run's verdict gives: the one that decides, or the first whose pictures came late. */
export function rowToReport(rows: readonly StreamsRow[]): StreamsRow | undefined {
  return decidingRow(rows) ?? rows.find(({ figures }) => (figures.framesLateSource ?? 0) > 0);
}

/** How many rows did not pass beside those that a sentence gives, as a part of it; none if all others pass. */
export function othersTexts<Reported extends Judged>(
  rows: readonly Reported[],
  ...reported: readonly Reported[]
): string[] {
  const others = rows.filter((row) => row.verdict !== 'PASS' && !reported.includes(row));
  const [first] = others;
  if (!first) return [];
  if (others.length === 1) return [`1 other row was ${first.verdict}`];
  return [`${others.length} other rows were not PASS (${countsText(others)})`];
}

/** How many there are of each verdict, worst first: "1 FAIL, 2 WARN". */
export function countsText(rows: readonly Judged[]): string {
  return verdicts
    .map((verdict) => ({ verdict, count: rows.filter((row) => row.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .reverse()
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}
