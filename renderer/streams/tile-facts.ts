import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { countedRows } from '../../app/facts/row-labels';
import { type Verdict, worseVerdict } from '../../app/facts/verdict';
import type { Progress, StreamState, StreamView } from '../../app/protocol/console';
import { durationText } from '../../app/protocol/duration';
import { leftText } from '../../app/protocol/progress-words';
import { texts } from '../texts';
import { shownVerdict } from './shown-verdict';

/** A verdict, what it is of, and why. */
export interface Judged {
  verdict: Verdict;
  of: string;
  reason: string;
}

interface Measured {
  streams: readonly StreamView[];
  rows: readonly Row[];
  /** Index of the row that is still open: its verdict is in those of the streams. */
  provisional: number | null;
  progress: Progress | null;
  /** For how long no stream has lost a frame; null: nobody counts that. */
  cleanMs: number | null;
}

export interface TileFacts {
  /** What the streams do at this moment; null: there is none. */
  now: { text: string; isTrouble: boolean } | null;
  /** The verdict since the start: the worst of the rows that are closed and of the streams; null: there is none yet. */
  soFar: Judged | null;
  /** Why that is not a PASS, with what it is of. Empty: all is well. */
  reason: string;
  step: string | null;
  left: string | null;
}

/** How a run does while it measures. */
export function tileFacts({ streams, rows, provisional, progress, cleanMs }: Measured): TileFacts {
  const ofRows = worstRow(rows.filter(({ index }) => index !== provisional));
  const soFar = worseOf(ofRows, worstStream(streams));
  return {
    ...{ now: nowOf(streams, cleanMs), soFar },
    reason: soFar && soFar.verdict !== 'PASS' && soFar.reason !== '' ? `${soFar.of}: ${soFar.reason}` : '',
    step: progress && texts.verdict.step(progress.step, progress.steps),
    left: progress && progress.remainingSeconds > 0 ? leftText(progress.remainingSeconds) : null,
  };
}

/** A row that is closed names what it found for good, so of equal ones it is the one that is said; of good ones the streams are more. */
function worseOf(row: Judged | null, stream: Judged | null): Judged | null {
  if (!row || !stream) return row ?? stream;
  if (row.verdict === stream.verdict) return row.verdict === 'PASS' ? stream : row;
  return worseVerdict(row.verdict, stream.verdict) === row.verdict ? row : stream;
}

const beginning: readonly StreamState[] = ['searching', 'connecting', 'warming-up', 'removing'];

/** The worst that is true: pictures that do not come, then losses, then what is not known yet. */
function nowOf(streams: readonly StreamView[], cleanMs: number | null): TileFacts['now'] {
  const named = (of: readonly StreamView[]): string =>
    of.length === 1 ? (of[0]?.name ?? '') : texts.verdict.streams(of.length, streams.length);
  const stateOf = (of: readonly StreamView[]): string => {
    const words = new Set(of.map(({ state }) => texts.streams.states[state]));
    return texts.verdict.states(named(of), [...words].join(', '));
  };
  if (streams.length === 0) return null;
  const away = streams.filter(({ state }) => state !== 'receiving' && !beginning.includes(state));
  if (away.length > 0) return { text: stateOf(away), isTrouble: true };
  const losing = streams.filter((stream) => lostNowOf(stream) > 0);
  if (losing.length > 0) return { text: texts.verdict.losing(named(losing)), isTrouble: true };
  const begun = streams.filter(({ state }) => beginning.includes(state));
  if (begun.length > 0) return { text: stateOf(begun), isTrouble: false };
  const unknown = streams.filter(({ lostNow }) => lostNow === null);
  if (unknown.length > 0) {
    // Of streams that were counted before, only the newest second is not known.
    const isCounted = cleanMs !== null || unknown.some((stream) => allLostOf(stream) > 0);
    const { lossesLate, lossesUnknown } = texts.verdict;
    return { text: isCounted ? lossesLate : lossesUnknown, isTrouble: false };
  }
  const { clean, cleanSecond } = texts.verdict;
  const text =
    cleanMs === null || cleanMs < 1000 ? cleanSecond : clean(durationText(Math.floor(cleanMs / 1000)));
  return { text, isTrouble: false };
}

function lostNowOf({ lostNow, lostNowInOutage }: StreamView): number {
  return (lostNow ?? 0) + (lostNowInOutage ?? 0);
}

/** Each since it is counted. */
function worstStream(streams: readonly StreamView[]): Judged | null {
  const judged = streams.flatMap((stream) => {
    const verdict = shownVerdict(stream);
    return verdict === null ? [] : [{ verdict, of: stream.name, reason: stream.reason }];
  });
  const worst = worstOf(judged);
  if (worst === null) return null;
  const { verdict } = worst;
  const alike = streams.filter((stream) => shownVerdict(stream) === verdict);
  if (alike.length === 1) return worst;
  if (verdict === 'PASS') return { ...worst, of: texts.verdict.streams(alike.length, streams.length) };
  // The reason is that of one stream: the one with the most frames to say of.
  const [first, ...others] = alike;
  if (!first) return worst;
  const most = others.reduce((one, other) => (allLostOf(other) > allLostOf(one) ? other : one), first);
  const together = alike.reduce((sum, stream) => sum + allLostOf(stream), 0);
  const isMore = together > allLostOf(most);
  const isEstimate = alike.some(({ framesInOutages }) => (framesInOutages ?? 0) > 0);
  return {
    verdict,
    of: texts.verdict.worstOf(most.name, alike.length),
    reason: isMore ? `${most.reason}; ${texts.verdict.together(together, isEstimate)}` : most.reason,
  };
}

/** Lost, not sent, and estimated of outages. */
function allLostOf({ lostTotal, framesSenderMissed, framesInOutages }: StreamView): number {
  return (lostTotal ?? 0) + (framesSenderMissed ?? 0) + (framesInOutages ?? 0);
}

/** The first of the worst; of rows that are all good there is no worst one. */
export function worstRow(rows: readonly Row[]): Judged | null {
  const judged = countedRows(rows).flatMap((row) =>
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
