import { counted, frames, pictures } from '../facts/count-words';
import { knownLostFramesOf, lostFramesOf } from '../facts/lost-frames';
import { wordsOf } from '../facts/reason-words';
import { numberOf } from '../facts/row-figures';
import {
  framesCountedAgain,
  type LongestAbsence,
  longestAbsence,
  stallMsOf,
  stallsCountedAgain,
} from './absences';
import { type Counted, figure, found, inSeconds, notMeasured, type Rule, sum } from './finding';
import { anotherShown, byCode, ofPictures, showsOther, unlessInvalid } from './known';
import type { Measurement, Row } from './types';
import { outageTexts, silenceOfSender, unread, unreadIn, unreadOf } from './unseen';

/** What matchers find in what the engine counted and judged; nothing is counted here. */

/** Each that is given has to hold. */
export type LossLimit = { frames: number; perMinute?: number } | { perMinute: number; frames?: number };

/** Remarks of a row beside which a count of losses that is 0 proves nothing. */
const lossesUnknown: ReadonlySet<string> = new Set([
  ...['losses-not-measured', 'sender-silent', 'sender-changed'],
  ...['no-picture', 'no-slot', 'frames-unreported', 'placeholders'],
]);

export function losesNoFrames(): Rule {
  return losesAtMost({ frames: 0 });
}

export function losesAtMost({ frames: most, perMinute }: LossLimit): Rule {
  return unlessInvalid((measured) => {
    const sums = sum(measured, (row) => lostIn(row, measured.method));
    const lost = sums.count - framesCountedAgain(measured);
    const aMinute = perMinute === undefined ? Number.POSITIVE_INFINITY : (perMinute * measured.seconds) / 60;
    const limit = Math.min(most ?? Number.POSITIVE_INFINITY, aMinute);
    const allowed = [
      ...(most === undefined ? [] : [frames(most)]),
      ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ].join(' and ');
    const rate =
      perMinute === undefined ? '' : ` = ${Number(((60 * lost) / measured.seconds).toFixed(1))} a minute`;
    const text = `${measured.source} lost ${sums.atLeast}${frames(lost)} in ${inSeconds(measured)}${rate}`;
    if (lost <= limit && sums.why !== undefined)
      return notMeasured(measured, `its losses were not measured: ${sums.why}`);
    const unknown = measured.rows.flatMap(({ reason }) =>
      reason.filter(({ code }) => lossesUnknown.has(code)),
    );
    if (lost <= limit && unknown.length > 0) return notMeasured(measured, wordsOf(unknown));
    const uncounted = measured.outages.find(({ framesEstimated }) => framesEstimated === null);
    if (lost <= limit && uncounted) return notMeasured(measured, outageTexts([uncounted]).join());
    return found(lost <= limit, text, [
      `at most ${allowed} may be lost`,
      `expected more than ${allowed} to be lost`,
    ]);
  });
}

export function neverStalls(): Rule {
  return unlessInvalid((measured) => {
    const stalls = sum(measured, (row) => figure(row, 'stalls'));
    if (stalls.count === 0 && stalls.why !== undefined)
      return notMeasured(measured, `its stalls were not measured: ${stalls.why}`);
    const unknown = stalls.count === 0 ? (unreadIn(measured) ?? silenceOfSender(measured)) : undefined;
    if (unknown !== undefined)
      return notMeasured(measured, `${unknown}, and whether it stood still then was not seen`);
    const longest = longestGap(measured);
    const times = stalls.count - stallsCountedAgain(measured);
    const text = `${measured.source} stood still ${stalls.atLeast}${counted(times, 'time')} in ${inSeconds(measured)}`;
    return found(stalls.count === 0, longest === null ? text : `${text}; longest gap: ${gapText(longest)}`, [
      'expected to stand still at no time',
      'expected to stand still',
    ]);
  });
}

/** The rule of `whiteline watch --max-duplicates 0`. */
export function repeatsNoFrames(): Rule {
  return ofPictures((measured) => {
    const repeated = sum(measured, (row) => figure(row, 'framesDuplicated'));
    if (repeated.count === 0 && repeated.why !== undefined)
      return notMeasured(measured, `its repeats were not measured: ${repeated.why}`);
    const mixed = measured.rows.reduce((total, row) => total + (numberOf(row, 'picturesMixed') ?? 0), 0);
    const others = measured.rows.reduce((total, row) => total + unreadOf(row), 0);
    const without = mixed > 0 ? `${pictures(mixed)} between two sources` : pictures(others);
    if (repeated.count === 0 && mixed + others > 0)
      return notMeasured(
        measured,
        `${without} had no readable number, and whether one came again is not known`,
      );
    return found(
      repeated.count === 0,
      `${measured.source} repeated ${repeated.atLeast}${frames(repeated.count)} in ${inSeconds(measured)}`,
      ['expected no repeats', 'expected repeats'],
    );
  });
}

/** Of each row: a percentile of all of them together would hide a bad one. */
export function hasLatencyBelow({ p99Ms }: { p99Ms: number }): Rule {
  return byCode('which says when they were released', (measured) => {
    const known = measured.rows.map((row) => figure(row, 'latencyMs.p99'));
    const worst = Math.max(0, ...known.map((one) => ('count' in one ? one.count : 0)));
    const missing = known.find((one) => 'why' in one);
    if (worst < p99Ms && missing && 'why' in missing)
      return notMeasured(measured, `its latency is not known: ${missing.why}`);
    return found(
      worst < p99Ms,
      `${measured.source} has a p99 latency of ${worst.toFixed(1)} ms in its worst row of ${inSeconds(measured)}`,
      [`the limit is ${p99Ms} ms`, `expected ${p99Ms} ms or more`],
    );
  });
}

const notAsSent = ['framesSpoilt', ...unread, 'framesReordered'] as const;

export function isWhole(): Rule {
  return byCode('so that nobody can say whether they are whole', (measured) => {
    const counts = notAsSent.map((id) => sum(measured, (row) => figure(row, id)));
    const count = counts.reduce((total, one) => total + one.count, 0);
    const missing = counts.find(({ why }) => why !== undefined);
    if (count === 0 && missing?.why !== undefined) return notMeasured(measured, missing.why);
    const reordered = measured.rows.reduce(
      (total, row) => total + (numberOf(row, 'framesReordered') ?? 0),
      0,
    );
    const outOfOrder =
      reordered === 0 ? '' : `, ${reordered === count ? 'out' : `${reordered} of them out`} of order,`;
    return found(
      count === 0,
      `${measured.source} showed ${missing?.atLeast ?? ''}${frames(count)} not as sent${outOfOrder} in ${inSeconds(measured)}`,
      ['expected none', 'expected some'],
    );
  });
}

/**
 * What was never absent for as long as a stall cannot come back, and an absence that is not over is no recovery.
 * @param isBack whether pictures came again before the time was over
 */
export function recoversWithin(seconds: number, isBack: boolean): Rule {
  return (measured) => {
    const allowed = `${seconds} s ${seconds === 1 ? 'is' : 'are'} allowed`;
    const expectation = [allowed, `expected more than ${seconds} s`] as const;
    if (!isBack || measured.standstill !== null)
      return showsOther(measured)
        ? notMeasured(measured, anotherShown)
        : found(false, `${measured.source} was not back within ${seconds} s from now`, expectation);
    const longest = longestGap(measured);
    if (longest === null) return notMeasured(measured, 'its gaps were not measured');
    const stallMs = stallMsOf(measured);
    if (longest.ms < stallMs && measured.rows.every((row) => (numberOf(row, 'stalls') ?? 0) === 0))
      return notMeasured(
        measured,
        `it was without a picture for ${longest.ms.toFixed(0)} ms at most since the mark, and less than ${stallMs.toFixed(0)} ms is no absence that it could recover from`,
      );
    const text = `${measured.source} was without a picture for ${(longest.ms / 1000).toFixed(2)} s at most`;
    return found(longest.ms <= seconds * 1000, `${text}${beforeMark(longest)}`, expectation);
  };
}

/**
 * Frames that were due and did not arrive as they were sent: lost, spoilt, missed by the sender, and by an estimate those that an outage
 * cost.
 */
function lostIn(row: Row, method: Measurement['method']): Counted {
  const lost = method === 'frame-code' ? lostFramesOf(row) : knownLostFramesOf(row);
  const others = (numberOf(row, 'framesInOutages') ?? 0) + (numberOf(row, 'framesSenderMissed') ?? 0);
  if (lost !== null || others > 0) return { count: (lost ?? 0) + others };
  const { framesMissing, framesDropped, framesInOutages } = row.notMeasured;
  // Of frames with our code, framesMissing says only that framesDropped has the number.
  const counts = method === 'frame-code' ? [framesDropped, framesMissing] : [framesMissing, framesDropped];
  return { why: counts.find((why) => why !== undefined) ?? framesInOutages ?? 'no frame was counted' };
}

/** Of the stream, not of a row: an absence goes on over the end of one, and begins before the mark. */
function longestGap(measured: Measurement): LongestAbsence | null {
  const known = measured.rows.flatMap((row) => numberOf(row, 'longestGapMs') ?? []);
  if (known.length === 0) return null;
  const inRow = { ms: Math.max(...known), beforeMarkMs: 0 };
  const absence = longestAbsence(measured);
  return absence !== null && absence.ms > inRow.ms ? absence : inRow;
}

function gapText(longest: LongestAbsence): string {
  return `${longest.ms.toFixed(0)} ms${beforeMark(longest)}`;
}

function beforeMark({ beforeMarkMs }: LongestAbsence): string {
  return beforeMarkMs > 0 ? `, of which ${beforeMarkMs.toFixed(0)} ms before the mark` : '';
}
