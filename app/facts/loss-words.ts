import { causesText } from './cause-words';
import { frames } from './count-words';
import type { Loss, LossStage, Outage } from './loss';
import { wordsOf } from './reason-words';

/** What happened, its causes, and which streams, as one sentence. */
export function lossText(loss: Loss): string {
  if (loss.text !== undefined) return loss.text;
  return [lossCauseText(loss), together(loss)].filter(Boolean).join('; ');
}

/** The same without which streams, where a column says that. */
export function lossCauseText(loss: Loss): string {
  if (loss.text !== undefined) return loss.text;
  return [whatHappened(loss), causesText([loss.causes ?? []])].filter(Boolean).join('; ');
}

/** How long and what it must have cost, as half a sentence. */
export function outageText({ fact, text = '' }: Outage): string {
  return fact ? wordsOf([fact]) : text;
}

/** The same with when it was, as one sentence. */
export function outageTimesText(outage: Outage): string {
  const { startedAt, endedAt } = outage;
  const when =
    endedAt === null ? `since ${clock(startedAt)}` : `from ${clock(startedAt)} to ${clock(endedAt)}`;
  return `${when} UTC, ${outageText(outage)}`;
}

/** Of some frames, and of one. */
const stageWords: Record<LossStage, (of: Placed, isOne: boolean) => string> = {
  sender: (_, isOne) => `${were(isOne)} not submitted`,
  'receiver-queue': ({ queued, frames }, isOne) =>
    queued < frames
      ? `${were(isOne)} submitted and never arrived, ${queued} of them not fetched from the transport’s queue in time`
      : `${were(isOne)} submitted and not fetched from the transport’s queue in time`,
  transport: ({ queued }, isOne) => {
    const queuedToo = queued > 0 ? `, ${queued} of them because they were not fetched in time` : '';
    return `${were(isOne)} submitted and never arrived${queuedToo}`;
  },
  'transport-or-queue': (_, isOne) =>
    `${were(isOne)} submitted and never arrived; the transport does not report whether its receiver’s queue dropped ${isOne ? 'it' : 'them'}`,
  undecodable: () => 'arrived, but without a code that can be read',
  missing: (_, isOne) => `never arrived; the sender does not report whether it sent ${isOne ? 'it' : 'them'}`,
  'wrong-size': () => 'arrived in a different size than sent',
  torn: ({ where }) => `arrived torn, two frames in one picture${where}`,
  stale: ({ where }) => `arrived with lines of another frame${where}`,
  damaged: ({ where }) =>
    `arrived damaged: ${where === '' ? 'one of the two strips of the code cannot be read' : `the white line is absent${where}`}`,
  discoloured: ({ where }) => `arrived with different colours than sent${where}`,
  dimmed: (_, isOne) => `arrived with less than 60 % of ${isOne ? 'its' : 'their'} contrast`,
  mislabelled: () => 'arrived with the label or the timecode of another frame',
};

interface Placed {
  frames: number;
  queued: number;
  /** Where in the picture; empty if that is not known. */
  where: string;
}

function whatHappened({ stage, rows, startedAt, endedAt, queued = 0, ...loss }: Loss): string {
  const isOne = loss.frames === 1;
  // Counted by the number of the next frame that came: when each was due is not known.
  const isMoment = !isOne && startedAt === endedAt;
  const between = isMoment ? `up to ${clock(endedAt)}` : `between ${clock(startedAt)} and ${clock(endedAt)}`;
  const when = isOne ? `at ${clock(startedAt)}` : between;
  const where = rows ? ` (picture lines ${rows.first} to ${rows.last})` : '';
  const what = stageWords[stage]({ frames: loss.frames, queued, where }, isOne);
  return `${amongText(loss)} ${when} UTC ${what}`;
}

/** Frames that came may lie among those of one loss. */
function amongText({
  frames: lost,
  firstFrame,
  lastFrame,
}: Pick<Loss, 'frames' | 'firstFrame' | 'lastFrame'>) {
  const all = lastFrame - firstFrame + 1;
  return lost < all ? `${lost} of ${frames(all)}` : frames(lost);
}

function were(isOne: boolean): string {
  return isOne ? 'was' : 'were';
}

/** Of a moment of wall time, the time of the day. */
function clock(wallTime: string): string {
  return wallTime.slice(11, 23);
}

function together({ streams = 1, streamsTogether }: Loss): string {
  if (streams < 2) return '';
  if (streamsTogether === 1)
    return `on this stream alone, ${streams === 2 ? 'the other one' : `the other ${streams - 1}`} lost nothing at that time`;
  const which = streamsTogether === streams ? `all ${streams}` : `${streamsTogether} of ${streams}`;
  return `on ${which} streams at once: check what they share`;
}
