import { frames } from '../facts/count-words';
import { wordsOf } from '../facts/reason-words';
import { numberOf } from '../facts/row-figures';
import type { Measurement, Outage, Row } from './types';

/** Times in which nothing was seen that a rule could hold of. */

/** For so long without a readable picture, a picture may have stood still, or a programme cut, and nobody saw it. */
const unreadSeconds = 0.5;
export const unread = ['framesUndecodable', 'framesUndecodableUnmatched'] as const;

/** A sentence for each, whole over the ends of rows; what was seen beside it stands in the report. */
export function outageTexts(outages: readonly Outage[]): string[] {
  return [...new Set(outages.map(({ startedAt }) => startedAt))].map((startedAt) => {
    const parts = outages.filter((part) => part.startedAt === startedAt);
    const endedAt = parts.at(-1)?.endedAt ?? null;
    const when =
      endedAt === null ? `since ${timeOf(startedAt)}` : `from ${timeOf(startedAt)} to ${timeOf(endedAt)}`;
    const estimates = parts.map(({ framesEstimated }) => framesEstimated);
    return `no picture ${when} UTC${costOf(estimates)}`;
  });
}

function timeOf(wallTime: string): string {
  return wallTime.slice(11, 23);
}

/** Frames that a number gave are among the losses. */
function costOf(estimates: readonly (number | null)[]): string {
  const known = estimates.filter((part) => part !== null);
  if (known.length < estimates.length) return ': how many frames it cost is not known';
  const total = known.reduce((sum, part) => sum + part, 0);
  return total === 0 ? '' : `: about ${frames(total)} (an estimate)`;
}

/** While none comes, nobody sees whether a programme cuts. */
export function silenceIn(measured: Measurement): string | undefined {
  const what = silenceAtEnd(measured) ?? outageTexts(measured.outages)[0] ?? unreadIn(measured);
  return what && `${what}, and whether it cut then was not seen`;
}

export function silenceAtEnd({ standstill }: Measurement): string | undefined {
  return standstill === null ? undefined : `at the end no picture that can be counted came (${standstill})`;
}

/** Of a sender without our code, which may send only when its picture changes. */
export function silenceOfSender({ rows }: Measurement): string | undefined {
  const silences = rows.flatMap(({ reason }) => reason.filter(({ code }) => code === 'sender-silent'));
  return silences.length === 0 ? undefined : wordsOf(silences.slice(0, 1));
}

/** Pictures that came, and of which nobody knows what they are. */
export function unreadIn({ losses }: Measurement): string | undefined {
  return losses.find(
    ({ stage, startedAt, endedAt }) =>
      stage === 'undecodable' && Date.parse(endedAt) - Date.parse(startedAt) >= unreadSeconds * 1000,
  )?.text;
}

export const noPicture = 'no picture that can be counted came since the mark';

/** Pictures that carry no code that can be read, such as black ones, are none. */
export function showsNothing({ rows }: Measurement): boolean {
  return rows.every((row) => (numberOf(row, 'picturesCaptured') ?? 0) <= unreadOf(row));
}

export function unreadOf(row: Row): number {
  return unread.reduce((total, id) => total + (numberOf(row, id) ?? 0), 0);
}
