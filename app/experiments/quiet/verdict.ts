import { isCutShort } from '../../engine/experiment/cut-short';
import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import { type Verdict, worseVerdict } from '../../facts/verdict';

/** That of the worst row, in its words; where all pass, in those of the row with the latest wake-up. */
export function quietVerdict(rows: readonly ClosedRow[]): RunVerdict {
  const row = decidingRow(rows) ?? latestOf(rows);
  if (!row) return { verdict: 'INVALID', reason: 'no wake-up was measured' };
  const texts = [`${row.label}: ${wordsOf(row.reason)}`, ...othersTexts(rows, row)];
  const answer = answerOf(rows);
  const verdict = worseVerdict(worstVerdictOf(rows), answer === 'INVALID' ? answer : 'PASS');
  return { verdict, reason: `${answers[answer]} ${texts.join('; ')}` };
}

/** What the run asks, answered by its rows of wake-ups alone: the scores judge nothing. */
function answerOf(rows: readonly ClosedRow[]): Verdict {
  const wakeUps = rows.filter((row) => numberOf(row, 'quiet.rateHz') !== null);
  const verdict = wakeUps.length === 0 ? 'INVALID' : worstVerdictOf(wakeUps);
  // A part of a row passes more easily than the whole.
  const isKnown = verdict !== 'PASS' || !wakeUps.some(isCutShort);
  return isKnown ? verdict : 'INVALID';
}

const answers: Record<Verdict, string> = {
  PASS: 'Yes, this machine is quiet enough to measure on.',
  WARN: 'No, this machine is not quiet enough to measure on without doubt.',
  FAIL: 'No, this machine is not quiet enough to measure on.',
  INVALID: 'It is not known whether this machine is quiet enough to measure on.',
};

function latestOf(rows: readonly ClosedRow[]): ClosedRow | undefined {
  const longest = (row: ClosedRow): number => numberOf(row, 'quiet.wakeUpLatenessMs.max') ?? -1;
  const [latest] = [...rows].sort((one, other) => longest(other) - longest(one));
  return latest;
}
