import { counted, frames, pictures } from '../facts/count-words';
import { knownLostFramesOf, lostFramesOf } from '../facts/lost-frames';
import { wordsOf } from '../facts/reason-words';
import { numberOf } from '../facts/row-figures';
import { framesCountedAgain, longestAbsenceMs, stallsCountedAgain } from './absences';
import { type Counted, figure, found, inSeconds, notMeasured, type Rule, sum } from './finding';
import { byCode, ofPictures, unlessInvalid } from './known';
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

/** A gap of so many periods is an absence. */
const leastAbsentPeriods = 3;

export function losesNoFrames(): Rule {
  return losesAtMost({ frames: 0 });
}

export function losesAtMost({ frames: most, perMinute }: LossLimit): Rule {
  return unlessInvalid((measured) => {
    const sums = sum(measured, (row) => lostIn(row, measured.method));
    if ('why' in sums) return notMeasured(measured, `its losses were not measured: ${sums.why}`);
    const lost = sums.count - framesCountedAgain(measured);
    const aMinute = perMinute === undefined ? Number.POSITIVE_INFINITY : (perMinute * measured.seconds) / 60;
    const limit = Math.min(most ?? Number.POSITIVE_INFINITY, aMinute);
    const allowed = [
      ...(most === undefined ? [] : [frames(most)]),
      ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ].join(' and ');
    const rate =
      perMinute === undefined ? '' : ` = ${Number(((60 * lost) / measured.seconds).toFixed(1))} a minute`;
    const text = `${measured.source} lost ${frames(lost)} in ${inSeconds(measured)}${rate}`;
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
    if ('why' in stalls) return notMeasured(measured, `its stalls were not measured: ${stalls.why}`);
    const unknown = stalls.count === 0 ? (unreadIn(measured) ?? silenceOfSender(measured)) : undefined;
    if (unknown !== undefined)
      return notMeasured(measured, `${unknown}, and whether it stood still then was not seen`);
    const longest = longestGapMs(measured);
    const times = stalls.count - stallsCountedAgain(measured);
    const text = `${measured.source} stood still ${counted(times, 'time')} in ${inSeconds(measured)}`;
    return found(
      stalls.count === 0,
      longest === null ? text : `${text}; longest gap: ${longest.toFixed(0)} ms`,
      ['expected to stand still at no time', 'expected to stand still'],
    );
  });
}

/** The rule of `whiteline watch --max-duplicates 0`. */
export function repeatsNoFrames(): Rule {
  return ofPictures((measured) => {
    const repeated = sum(measured, (row) => figure(row, 'framesDuplicated'));
    if ('why' in repeated) return notMeasured(measured, `its repeats were not measured: ${repeated.why}`);
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
      `${measured.source} repeated ${frames(repeated.count)} in ${inSeconds(measured)}`,
      ['expected no repeats', 'expected repeats'],
    );
  });
}

/** Of each row: a percentile of all of them together would hide a bad one. */
export function hasLatencyBelow({ p99Ms }: { p99Ms: number }): Rule {
  return byCode('which says when they were released', (measured) => {
    const known = measured.rows.map((row) => figure(row, 'latencyMs.p99'));
    const missing = known.find((one) => 'why' in one);
    if (missing && 'why' in missing)
      return notMeasured(measured, `its latency was not measured: ${missing.why}`);
    const worst = Math.max(...known.map((one) => ('count' in one ? one.count : 0)));
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
    const missing = counts.find((one) => 'why' in one);
    if (missing && 'why' in missing) return notMeasured(measured, missing.why);
    const count = counts.reduce((total, one) => total + ('count' in one ? one.count : 0), 0);
    const reordered = measured.rows.reduce(
      (total, row) => total + (numberOf(row, 'framesReordered') ?? 0),
      0,
    );
    const outOfOrder =
      reordered === 0 ? '' : `, ${reordered === count ? 'out' : `${reordered} of them out`} of order,`;
    return found(
      count === 0,
      `${measured.source} showed ${frames(count)} not as sent${outOfOrder} in ${inSeconds(measured)}`,
      ['expected none', 'expected some'],
    );
  });
}

/**
 * What was never absent cannot come back, and an absence that is not over is no recovery.
 * @param isBack whether pictures came again before the time was over
 */
export function recoversWithin(seconds: number, isBack: boolean): Rule {
  return (measured) => {
    const allowed = `${seconds} s ${seconds === 1 ? 'is' : 'are'} allowed`;
    const expectation = [allowed, `expected more than ${seconds} s`] as const;
    if (!isBack || measured.standstill !== null)
      return found(false, `${measured.source} was not back within ${seconds} s from now`, expectation);
    const longest = longestGapMs(measured);
    if (longest === null) return notMeasured(measured, 'its gaps were not measured');
    if (!wasAbsent(measured))
      return notMeasured(measured, 'its pictures were not absent since the mark, so that none came again');
    const text = `${measured.source} was without a picture for ${(longest / 1000).toFixed(2)} s at most`;
    return found(longest <= seconds * 1000, text, expectation);
  };
}

/** By an outage, a silence, or a gap that some pictures more would have filled. */
function wasAbsent({ rows, outages, silences }: Measurement): boolean {
  const isLong = (row: Row): boolean => {
    const usual = numberOf(row, 'receiveIntervalMs.p50');
    return usual !== null && (numberOf(row, 'longestGapMs') ?? 0) > leastAbsentPeriods * usual;
  };
  const isSilent = outages.length + silences.length > 0;
  return isSilent || rows.some((row) => (numberOf(row, 'stalls') ?? 0) > 0 || isLong(row));
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
  return { why: framesMissing ?? framesDropped ?? framesInOutages ?? 'no frame was counted' };
}

/** Of the stream, not of a row: an absence goes on over the end of one. */
function longestGapMs(measured: Measurement): number | null {
  const known = measured.rows.flatMap((row) => numberOf(row, 'longestGapMs') ?? []);
  return known.length === 0 ? null : Math.max(...known, longestAbsenceMs(measured));
}
