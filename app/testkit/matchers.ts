import { machineClock } from '../engine/clock';
import { frames } from '../facts/count-words';
import { WhitelineError } from '../protocol/errors';
import { framesCountedAgain } from './absences';
import { cutsTo, hasCuts, isOf } from './cut-rules';
import { secondsOf } from './duration';
import type { Finding } from './finding';
import { checkCount, checkNoMore, checkOptions, checkSource, optionsOf, secondsWithin } from './options';
import { worded } from './problems';
import {
  hasLatencyBelow,
  isWhole,
  type LossLimit,
  losesAtMost,
  losesNoFrames,
  neverStalls,
  recoversWithin,
  repeatsNoFrames,
} from './rules';
import { isNamed, senderDeathsIn } from './sent-sources';
import type { Cut, Duration, Measurement, MeasureOptions, WatchedStream } from './types';
import { outageTexts } from './unseen';
import { cutSettlesSeconds } from './watched-stream';

/** The matchers of Vitest and of Playwright: each takes what `watch` gave. */

export interface MatcherContext {
  /** Vitest leaves it out where it is false. */
  isNot?: boolean;
}

export interface MatcherResult {
  pass: boolean;
  message(): string;
}

type Matcher<Parameters extends unknown[]> = (
  this: MatcherContext,
  stream: WatchedStream,
  ...parameters: Parameters
) => Promise<MatcherResult>;

/** What a test runner does when a matcher fails, while the test still runs. */
export const onFailure = new WeakMap<WatchedStream, () => Promise<void>>();

const mostLines = 20;
/** Matchers that take something before their options. */
const takeTwo: ReadonlySet<string> = new Set(['toCutTo', 'toHaveCuts']);

export const matchers = {
  toLoseNoFrames: matcher('toLoseNoFrames', (stream, options: MeasureOptions = {}) => {
    checkOptions(optionsOf.toLoseNoFrames, options, 'toLoseNoFrames');
    return judged(stream, losesNoFrames(), options);
  }),
  toLoseAtMost: matcher('toLoseAtMost', (stream, options: LossLimit & MeasureOptions) => {
    checkOptions(optionsOf.toLoseAtMost, options, 'toLoseAtMost');
    const { for: length, ...limit } = options;
    return judged(stream, losesAtMost(limit), { for: length });
  }),
  toStallNever: matcher('toStallNever', (stream, options: MeasureOptions = {}) => {
    checkOptions(optionsOf.toStallNever, options, 'toStallNever');
    return judged(stream, neverStalls(), options);
  }),
  toRepeatNoFrames: matcher('toRepeatNoFrames', (stream, options: MeasureOptions = {}) => {
    checkOptions(optionsOf.toRepeatNoFrames, options, 'toRepeatNoFrames');
    return judged(stream, repeatsNoFrames(), options);
  }),
  toHaveLatencyBelow: matcher('toHaveLatencyBelow', (stream, options: { p99Ms: number } & MeasureOptions) => {
    checkOptions(optionsOf.toHaveLatencyBelow, options, 'toHaveLatencyBelow');
    const { for: length, ...limit } = options;
    return judged(stream, hasLatencyBelow(limit), { for: length });
  }),
  toBeWhole: matcher('toBeWhole', (stream, options: MeasureOptions = {}) => {
    checkOptions(optionsOf.toBeWhole, options, 'toBeWhole');
    return judged(stream, isWhole(), options);
  }),
  toRecoverWithin: matcher('toRecoverWithin', async (stream, within: Duration) => {
    const seconds = checkedSeconds(within);
    const isBack = await stream.recovers(within);
    return judged(stream, recoversWithin(seconds, isBack));
  }),
  toCutTo: matcher('toCutTo', async (stream, source: string, options: { within?: Duration } = {}) => {
    checkSource(source, stream);
    checkOptions(optionsOf.toCutTo, options, 'toCutTo');
    const { within = 1 } = options;
    const askedAtMs = machineClock.wallMs();
    const isThere = (found: readonly Cut[]): boolean => found.slice(-1).some((cut) => isOf(cut, source));
    const cuts = await stream.cuts(within, isThere);
    const known = cuts === null || isThere(cuts) ? cuts : await stream.cuts(0, () => true);
    const late = known?.slice(cuts?.length).find((cut) => isOf(cut, source));
    const lateSeconds = late === undefined ? null : (Date.parse(late.at) - askedAtMs) / 1000;
    const isKnown = stream.sources.some((known) => isNamed(known, source));
    return judged(stream, cutsTo(source, secondsOf(within, 'within'), cuts, lateSeconds, isKnown));
  }),
  toHaveCuts: matcher('toHaveCuts', async (stream, count: number, options: MeasureOptions = {}) => {
    checkCount(count, 'toHaveCuts');
    checkOptions(optionsOf.toHaveCuts, options, 'toHaveCuts');
    // Those count too that come while it waits for the older ones to be certain.
    const seconds = secondsOf(options.for ?? 0, 'for') + cutSettlesSeconds;
    const untilNs = machineClock.monotonicNs() + seconds * 1e9;
    const cuts = await stream.cuts(seconds, () => machineClock.monotonicNs() >= untilNs);
    return judged(stream, hasCuts(count, cuts));
  }),
};

export type Matchers = typeof matchers;

interface Judged {
  finding: Finding;
  measured: Measurement;
}

async function judged(
  stream: WatchedStream,
  rule: (measured: Measurement) => Finding,
  options?: MeasureOptions,
): Promise<Judged> {
  const measured = await stream.measure(options);
  return { finding: rule(measured), measured };
}

function checkedSeconds(within: unknown): number {
  try {
    return secondsWithin(within);
  } catch (error) {
    throw worded(error);
  }
}

function matcher<Parameters extends unknown[]>(
  name: string,
  judge: (stream: WatchedStream, ...parameters: Parameters) => Promise<Judged>,
): Matcher<Parameters> {
  return async function (stream, ...parameters) {
    const isNot = this.isNot === true;
    if (typeof stream?.measure !== 'function')
      return {
        pass: isNot,
        message: () => `${name}: Expected what watch() gave, but received ${other(stream)}`,
      };
    checkNoMore(parameters, takeTwo.has(name) ? 2 : 1, name);
    const { finding, measured } = await judge(stream, ...parameters).catch((error) => {
      throw endedEarly(error, name);
    });
    const pass = finding.outcome === 'not-measured' ? isNot : finding.outcome === 'holds';
    if (pass === isNot) await onFailure.get(stream)?.();
    return { pass, message: () => failureText(finding, isNot, measured, stream.folder) };
  };
}

function other(given: unknown): string {
  return given instanceof Promise ? 'its promise: write await before watch' : 'something else';
}

/** A test that does not wait for a matcher ends what that measures. */
function endedEarly(error: unknown, name: string): unknown {
  if (!(error instanceof WhitelineError) || error.code !== 'ABORTED') return error;
  const message = `${error.message} before ${name} was done: write await before expect, or end the watch later`;
  return new WhitelineError({ code: 'ABORTED', message });
}

/** Without it the list adds up to more than the matcher says. */
export function countedAgainTexts(measured: Measurement): string[] {
  const again = framesCountedAgain(measured);
  return again === 0
    ? []
    : [
        `${frames(again)} of these were estimated and counted, and count once: the list adds up to so many more`,
      ];
}

/** What was found, each loss and outage with its time and cause, and where all of it is recorded. */
function failureText(
  { text, expected, expectedNot }: Finding,
  isNot: boolean,
  measured: Measurement,
  folder: string | null,
): string {
  const { losses, outages } = measured;
  const limit = isNot ? expectedNot : expected;
  const details = [
    ...senderDeathsIn(measured),
    ...losses.map((one) => one.text),
    ...outageTexts(outages),
    ...countedAgainTexts(measured),
  ].map((line) => `  ${line}`);
  const left = details.length - mostLines;
  return [
    limit === undefined ? text : `${text}, ${limit}`,
    ...details.slice(0, mostLines),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(folder === null ? [] : [`Run: ${folder}`]),
  ].join('\n');
}
