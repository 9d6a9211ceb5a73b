import { counted, frames, pictures } from '../facts/count-words';
import type { Fact } from '../facts/fact';
import { knownLostFramesOf, lostFramesOf } from '../facts/lost-frames';
import { isUnjudged } from '../facts/precedence';
import { wordsOf } from '../facts/reason-words';
import { numberOf } from '../facts/row-figures';
import { defaultThresholds } from '../protocol/thresholds';
import { framesCountedAgain, longestAbsenceMs, stallsCountedAgain } from './absences';
import { areOfOneSender, isNamed, isSent, isSentAs } from './sent-sources';
import type { Cut, Measurement, Row, StreamEvent } from './types';

/** What matchers find in what the engine counted and judged; nothing is counted here. */

/** Of what was not measured neither a rule nor its opposite is true. */
export interface Finding {
  outcome: 'holds' | 'broken' | 'not-measured';
  /** What was found. */
  text: string;
  /** What was expected of it, and by `.not`; nothing of what was not measured. */
  expected?: string;
  expectedNot?: string;
}

/** Each that is given has to hold. */
export type LossLimit = { frames: number; perMinute?: number } | { perMinute: number; frames?: number };

/** The words after which `.not` and its opposite differ. */
type Expectation = readonly [expected: string, expectedNot: string];

/** Remarks of a row beside which a count of losses that is 0 proves nothing. */
const lossesUnknown: ReadonlySet<string> = new Set([
  ...['losses-not-measured', 'sender-silent', 'sender-changed'],
  ...['no-picture', 'no-slot', 'frames-unreported', 'placeholders'],
]);

/** A gap of so many periods is an absence. */
const leastAbsentPeriods = 3;
/** For so long without a readable picture, a picture may have stood still, or a programme cut, and nobody saw it. */
const unreadSeconds = 0.5;

/** A number of a row, or why there is none. */
type Counted = { count: number } | { why: string };
type Rule = (measured: Measurement) => Finding;

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
  return unlessInvalid((measured) => {
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

const unread = ['framesUndecodable', 'framesUndecodableUnmatched'] as const;
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

/** By an outage, or by a gap that some pictures more would have filled. */
function wasAbsent({ rows, outages }: Measurement): boolean {
  const isLong = (row: Row): boolean => {
    const usual = numberOf(row, 'receiveIntervalMs.p50');
    return usual !== null && (numberOf(row, 'longestGapMs') ?? 0) > leastAbsentPeriods * usual;
  };
  return outages.length > 0 || rows.some((row) => (numberOf(row, 'stalls') ?? 0) > 0 || isLong(row));
}

/**
 * The newest cut is the one that counts.
 * @param cuts since the mark; null: they were not looked for
 * @param lateSeconds so long after it was asked for, a cut to the source came; null: none did so far
 * @param isKnown whether the source is one of the stream's
 */
export function cutsTo(
  source: string,
  seconds: number,
  cuts: readonly Cut[] | null,
  lateSeconds: number | null = null,
  isKnown = true,
): Rule {
  const isSeen = (known: readonly Cut[]): boolean =>
    lateSeconds !== null || known.slice(-1).some((cut) => isOf(cut, source));
  return ofProgramme(cuts, isSeen, (measured, known) => {
    const expectation = [`expected ${source}`, `expected no cut to ${source}`] as const;
    const newest = known.at(-1);
    if (!isKnown)
      return notMeasured(
        measured,
        `${source} is no source that this test sent or watches: name it in the option sources of watch`,
      );
    if (lateSeconds !== null) {
      const late = `it came after ${lateSeconds.toFixed(1)} s`;
      return found(
        false,
        `${measured.source} did not cut to ${source} within ${seconds} s: ${late}`,
        expectation,
      );
    }
    if (!newest)
      return found(
        false,
        `${measured.source} did not cut within ${seconds} s${before(measured)}`,
        expectation,
      );
    if (isOf(newest, source))
      return found(true, `${measured.source} cut to ${source} at ${newest.at}`, expectation);
    if (newest.to.name === null && !isSent(source))
      return notMeasured(
        measured,
        `it cut to source ${newest.to.sourceId}, whose name is not known: name it in the option sources of watch`,
      );
    return found(false, `${measured.source} cut to ${shownName(newest)}`, expectation);
  });
}

/** A mark that is made after a cut hides it. */
function before({ cutBefore }: Measurement): string {
  return cutBefore === null
    ? ''
    : `: its last cut, to ${shownName(cutBefore)} at ${cutBefore.at}, came before the mark`;
}

function shownName({ to }: Cut): string {
  return to.name ?? `source ${to.sourceId}`;
}

export function isOf({ to }: Cut, source: string): boolean {
  if (isSentAs(to.sourceId, source)) return true;
  return to.name !== null && isNamed(to.name, source);
}

export function hasCuts(count: number, cuts: readonly Cut[] | null): Rule {
  return ofProgramme(
    cuts,
    (known) => known.length > count,
    (measured, known) => {
      const names = known.map((cut) => `${cut.at} to ${shownName(cut)}`).join(', ');
      const had = `${measured.source} had ${counted(known.length, 'cut')}`;
      const text = known.length < count ? `${had}${before(measured)}` : had;
      return found(known.length === count, names === '' ? text : `${text}: ${names}`, [
        `expected ${count}`,
        `expected another number than ${count}`,
      ]);
    },
  );
}

/** @param isSeen whether the cuts that came decide it, whatever came of the programme then */
function ofProgramme(
  cuts: readonly Cut[] | null,
  isSeen: (known: readonly Cut[]) => boolean,
  judge: (measured: Measurement, known: readonly Cut[]) => Finding,
): Rule {
  return (measured) => {
    if (measured.method === 'timestamps')
      return notMeasured(measured, 'its cuts cannot be seen: the source has no frame code');
    if (cuts === null)
      return notMeasured(measured, 'its cuts were not looked for: watch it with the option programme');
    if (showsNothing(measured)) return notMeasured(measured, noPicture);
    const silence = isSeen(cuts) ? undefined : silenceIn(measured);
    return silence === undefined ? judge(measured, cuts) : notMeasured(measured, silence);
  };
}

/** While none comes, nobody sees whether a programme cuts. */
function silenceIn(measured: Measurement): string | undefined {
  const what = silenceAtEnd(measured) ?? measured.outages[0]?.text ?? unreadIn(measured);
  return what && `${what}, and whether it cut then was not seen`;
}

function silenceAtEnd({ standstill }: Measurement): string | undefined {
  return standstill === null ? undefined : `at the end no picture that can be counted came (${standstill})`;
}

/** Of a sender without our code, which may send only when its picture changes. */
function silenceOfSender({ rows }: Measurement): string | undefined {
  const silences = rows.flatMap(({ reason }) => reason.filter(({ code }) => code === 'sender-silent'));
  return silences.length === 0 ? undefined : wordsOf(silences.slice(0, 1));
}

/** Pictures that came, and of which nobody knows what they are. */
function unreadIn({ losses }: Measurement): string | undefined {
  return losses.find(
    ({ stage, startedAt, endedAt }) =>
      stage === 'undecodable' && Date.parse(endedAt) - Date.parse(startedAt) >= unreadSeconds * 1000,
  )?.text;
}

const noPicture = 'no picture that can be counted came since the mark';

/** Pictures that carry no code that can be read, such as black ones, are none. */
function showsNothing({ rows }: Measurement): boolean {
  return rows.every((row) => (numberOf(row, 'picturesCaptured') ?? 0) <= unreadOf(row));
}

function unreadOf(row: Row): number {
  return unread.reduce((total, id) => total + (numberOf(row, id) ?? 0), 0);
}

/** What is found is not known where the machine was busy, and what holds of no picture, or of those of one source of several, is none. */
function unlessInvalid(rule: Rule): Rule {
  return (measured) => {
    const finding = rule(measured);
    if (showsOther(measured))
      return notMeasured(measured, 'another of our sources was shown: watch a mixer with programme: true');
    if (finding.outcome !== 'broken' && showsNothing(measured)) return notMeasured(measured, noPicture);
    const invalid = measured.rows.find(({ verdict }) => verdict === 'INVALID');
    if (invalid) return invalidFinding(measured, finding, invalid.reason);
    if (finding.outcome !== 'holds') return finding;
    const silence = silenceAtEnd(measured);
    if (silence !== undefined) return notMeasured(measured, silence);
    const others = measured.rows.flatMap(({ reason }) =>
      reason.filter(({ code }) => code === 'other-source'),
    );
    return others.length === 0
      ? finding
      : notMeasured(measured, `${wordsOf(others)}: watch a mixer with programme: true`);
  };
}

/** Another source followed without a break; a sender of this test that was started again has another id, and is the same. */
function showsOther({ source, events }: Measurement): boolean {
  return events.some((event) => event.text.startsWith(`${source}:`) && isOfTwo(event));
}

function isOfTwo({ kind, details: { sourceIds } }: StreamEvent): boolean {
  if (kind !== 'sender-restarted' || !Array.isArray(sourceIds)) return false;
  const [from, to] = sourceIds;
  return typeof from === 'number' && typeof to === 'number' && !areOfOneSender(from, to);
}

/** What only the code in the pictures says is not known of others, whatever the machine did. */
function byCode(why: string, rule: Rule): Rule {
  const judge = unlessInvalid(rule);
  return (measured) =>
    measured.method === 'timestamps'
      ? notMeasured(measured, `its pictures carry no frame code, ${why}`)
      : judge(measured);
}

function invalidFinding(measured: Measurement, { outcome, text }: Finding, reason: readonly Fact[]): Finding {
  // One of each is enough for a message; the report has all.
  const unjudged = reason.filter(isUnjudged).slice(0, 1);
  const why = reason.filter((fact) => !isUnjudged(fact)).slice(0, 1);
  return notMeasured(
    measured,
    outcome === 'broken'
      ? `INVALID: ${text}, but ${wordsOf(why)}, so the cause is unknown${why.some(isOfLimit) ? wider : ''}`
      : `INVALID: ${wordsOf([...unjudged, ...why])}`,
  );
}

const wider = '. On a busy machine set thresholds of watch to a file with wider limits';
const { maxOthersPercent, maxStealPercent, maxStandstillSeconds } = defaultThresholds;
/** What a machine may do to a row, by the limit in the fact, as long as nobody set another one. */
const limitOf: Readonly<Record<string, Fact['data']>> = {
  'others-busy': { limitPercent: maxOthersPercent },
  'cpu-stolen': { limitPercent: maxStealPercent },
  'process-stopped': { limitSeconds: maxStandstillSeconds },
  'process-starved': { limitSeconds: maxStandstillSeconds },
};

function isOfLimit({ code, data }: Fact): boolean {
  const limit = limitOf[code];
  return limit !== undefined && Object.entries(limit).every(([name, value]) => data[name] === value);
}

function found(holds: boolean, text: string, [expected, expectedNot]: Expectation): Finding {
  return { outcome: holds ? 'holds' : 'broken', text, expected, expectedNot };
}

function notMeasured({ source }: Measurement, why: string): Finding {
  return { outcome: 'not-measured', text: `${source} was not measured: ${why}` };
}

function inSeconds({ seconds, method }: Measurement): string {
  return `${seconds.toFixed(1)} s (by ${method === 'frame-code' ? 'the frame code' : 'its timestamps'})`;
}

/** Of all rows together; the first row that lacks it says why. */
function sum({ rows }: Measurement, countOf: (row: Row) => Counted): Counted {
  let total = 0;
  for (const row of rows) {
    const one = countOf(row);
    if ('why' in one) return one;
    total += one.count;
  }
  return { count: total };
}

function figure(row: Row, id: string): Counted {
  const count = numberOf(row, id);
  return count === null ? { why: row.notMeasured[id] ?? `${id} is absent` } : { count };
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
