import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { isReplaced } from '../../app/facts/row-labels';
import { type Verdict, worseVerdict } from '../../app/facts/verdict';
import type { Progress, StreamView } from '../../app/protocol/console';
import { leftText } from '../../app/protocol/progress-words';
import { texts } from '../texts';

/** A verdict, what it is of, and why. */
export interface Judged {
  verdict: Verdict;
  of: string;
  reason: string;
}

interface Measured {
  streams: readonly StreamView[];
  rows: readonly Row[];
  /** Index of the row that is still open: its verdict is that of now. */
  provisional: number | null;
  progress: Progress | null;
}

export interface TileFacts {
  /** Of the streams that are measured at this moment; null: none has a verdict yet. */
  now: Judged | null;
  /** Of the rows that are closed; null: there is none. */
  worst: Judged | null;
  /** Why it is not a PASS, with what it is of: of now where both are not. Empty: all is well. */
  reason: string;
  step: string | null;
  left: string | null;
}

/** How a run does while it measures. */
export function tileFacts({ streams, rows, provisional, progress }: Measured): TileFacts {
  const now = nowOf(streams);
  const worst = worstRow(rows.filter(({ index }) => index !== provisional));
  return {
    ...{ now, worst },
    reason: (now && saidOf(now, texts.verdict.nowSaid)) || (worst && saidOf(worst, worst.of)) || '',
    step: progress && texts.verdict.step(progress.step, progress.steps),
    left: progress && progress.remainingSeconds > 0 ? leftText(progress.remainingSeconds) : null,
  };
}

function saidOf({ verdict, reason }: Judged, of: string): string {
  return verdict === 'PASS' || reason === '' ? '' : `${of}: ${reason}`;
}

function nowOf(streams: readonly StreamView[]): Judged | null {
  const judged = streams.flatMap(({ name, verdict, reason }) =>
    verdict === null ? [] : [{ verdict, of: name, reason }],
  );
  const worst = worstOf(judged);
  if (worst === null) return null;
  const alike = judged.filter(({ verdict }) => verdict === worst.verdict).length;
  return alike === 1 ? worst : { ...worst, of: texts.verdict.streams(alike, streams.length) };
}

/** The first of the worst; of rows that are all good there is no worst one. */
export function worstRow(rows: readonly Row[]): Judged | null {
  const judged = rows
    .filter(({ label }) => !isReplaced(label))
    .flatMap((row) =>
      row.verdict === null
        ? []
        : [
            {
              verdict: row.verdict,
              of: texts.verdict.row(row.index),
              reason: wordsOf(row.reason),
            },
          ],
    );
  const worst = worstOf(judged);
  if (worst?.verdict !== 'PASS') return worst;
  return { verdict: 'PASS', of: texts.verdict.allRows(judged.length), reason: '' };
}

function worstOf(judged: readonly Judged[]): Judged | null {
  return judged.reduce<Judged | null>(
    (worst, one) => (worst && worseVerdict(worst.verdict, one.verdict) === worst.verdict ? worst : one),
    null,
  );
}
