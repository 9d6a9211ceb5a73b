import { expect, test } from 'vitest';
import type { Loss, LossStage } from './loss';
import { lossText, outageText, outageTimesText } from './loss-words';
import { reasonOf } from './reason-words';

const rows = { first: 3, last: 40 };
const times = { startedAt: '2026-11-21T10:00:05.000Z', endedAt: '2026-11-21T10:00:07.000Z' };
const from5To7 = 'between 10:00:05.000 and 10:00:07.000 UTC';

function wordsFor(of: Partial<Loss> & { stage: LossStage }): string {
  const frames = { firstFrame: 300, lastFrame: 301, frames: 2 };
  return lossText({ ...frames, ...times, streams: 1, streamsTogether: 1, causes: [], ...of });
}

test('frames counted by the number of the next one have no times of their own', () => {
  expect(wordsFor({ stage: 'missing', startedAt: times.endedAt })).toMatch(
    /^2 frames up to 10:00:07\.000 UTC never arrived;/,
  );
});

test('a loss that frames came in the middle of says among how many it is', () => {
  expect(wordsFor({ stage: 'sender', lastFrame: 310, frames: 8 })).toBe(
    `8 of 11 frames ${from5To7} were not submitted`,
  );
});

test.each<[Partial<Loss> & { stage: LossStage }, string]>([
  [{ stage: 'sender' }, 'were not submitted'],
  [
    { stage: 'receiver-queue', queued: 2 },
    'were submitted and not fetched from the transport’s queue in time',
  ],
  [
    { stage: 'receiver-queue', queued: 1 },
    'were submitted and never arrived, 1 of them not fetched from the transport’s queue in time',
  ],
  [{ stage: 'transport' }, 'were submitted and never arrived'],
  [
    { stage: 'transport', queued: 1 },
    'were submitted and never arrived, 1 of them because they were not fetched in time',
  ],
  [
    { stage: 'transport-or-queue' },
    'were submitted and never arrived; the transport does not report whether its receiver’s queue dropped them',
  ],
  [{ stage: 'undecodable' }, 'arrived, but without a code that can be read'],
  [{ stage: 'missing' }, 'never arrived; the sender does not report whether it sent them'],
  [{ stage: 'wrong-size' }, 'arrived in a different size than sent'],
  [{ stage: 'torn', rows }, 'arrived torn, two frames in one picture (picture lines 3 to 40)'],
  [{ stage: 'stale', rows }, 'arrived with lines of another frame (picture lines 3 to 40)'],
  [{ stage: 'damaged', rows }, 'arrived damaged: the white line is absent (picture lines 3 to 40)'],
  [{ stage: 'damaged' }, 'arrived damaged: one of the two strips of the code cannot be read'],
  [{ stage: 'discoloured', rows }, 'arrived with different colours than sent (picture lines 3 to 40)'],
  [{ stage: 'dimmed' }, 'arrived with less than 60 % of their contrast'],
  [{ stage: 'mislabelled' }, 'arrived with the label or the timecode of another frame'],
])('%j', (facts, what) => {
  expect(wordsFor(facts)).toBe(`2 frames ${from5To7} ${what}`);
});

test.each<[LossStage, string]>([
  ['sender', 'was not submitted'],
  ['missing', 'never arrived; the sender does not report whether it sent it'],
  ['dimmed', 'arrived with less than 60 % of its contrast'],
])('one frame of the stage %s', (stage, what) => {
  expect(wordsFor({ stage, lastFrame: 300, frames: 1 })).toBe(`1 frame at 10:00:05.000 UTC ${what}`);
});

test.each<[streams: number, streamsTogether: number, string]>([
  [1, 1, ''],
  [2, 1, '; on this stream alone, the other one lost nothing at that time'],
  [5, 1, '; on this stream alone, the other 4 lost nothing at that time'],
  [5, 3, '; on 3 of 5 streams at once: check what they share'],
  [5, 5, '; on all 5 streams at once: check what they share'],
])('of %i streams, %i lose at once', (streams, streamsTogether, which) => {
  expect(wordsFor({ stage: 'sender', streams, streamsTogether })).toBe(
    `2 frames ${from5To7} were not submitted${which}`,
  );
});

test('of an older version the sentence that it recorded is shown', () => {
  expect(wordsFor({ stage: 'sender', text: 'two frames were lost' })).toBe('two frames were lost');
  const outage = { ...times, seconds: 2, framesEstimated: null };
  expect(outageText({ ...outage, text: 'no new picture' })).toBe('no new picture');
  const fact = reasonOf('outage', { seconds: 2, isOver: true, frames: 120, framesPerSecond: 60 });
  expect(outageText({ ...outage, fact })).toBe(
    'no new picture for 2.0 s: about 120 frames at 60 fps (an estimate)',
  );
});

test('an outage by itself is said with its times, and one that goes on with its beginning', () => {
  const fact = reasonOf('outage', { seconds: 2, isOver: true, frames: 120, framesPerSecond: 60 });
  const outage = { ...times, seconds: 2, framesEstimated: 120, fact };
  expect(outageTimesText(outage)).toBe(
    'from 10:00:05.000 to 10:00:07.000 UTC, no new picture for 2.0 s: about 120 frames at 60 fps (an estimate)',
  );
  expect(outageTimesText({ ...outage, endedAt: null })).toMatch(
    /^since 10:00:05\.000 UTC, no new picture for/,
  );
});
