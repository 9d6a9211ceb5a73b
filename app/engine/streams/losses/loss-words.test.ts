import { expect, test } from 'vitest';
import type { LossStage } from '../../../facts/loss';
import { type LossTextFacts, lossText } from './loss-words';

const clock = (ns: number): string => `${ns / 1e9}`;
const rows = { first: 3, last: 40 };

function wordsFor(facts: Partial<LossTextFacts> & { stage: LossStage }): string {
  const place = { frames: 2, queued: 0, rows: null, fromNs: 5e9, toNs: 7e9, streams: 1, streamsTogether: 1 };
  return lossText({ ...place, ...facts }, [], clock);
}

test.each<[Partial<LossTextFacts> & { stage: LossStage }, string]>([
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
    'were submitted and never arrived, 1 of them since they were not fetched in time',
  ],
  [
    { stage: 'transport-or-queue' },
    'were submitted and never arrived; the transport does not report whether its receiver’s queue dropped them',
  ],
  [{ stage: 'undecodable' }, 'arrived, but without a code that can be read'],
  [{ stage: 'missing' }, 'never arrived; the sender does not report whether it sent them'],
  [{ stage: 'wrong-size' }, 'arrived in another size than sent'],
  [{ stage: 'torn', rows }, 'arrived torn, two frames in one picture (picture rows 3 to 40)'],
  [{ stage: 'stale', rows }, 'arrived with rows of another frame (picture rows 3 to 40)'],
  [{ stage: 'damaged', rows }, 'arrived damaged: the white line is absent (picture rows 3 to 40)'],
  [{ stage: 'damaged' }, 'arrived damaged: one of the two strips of the code cannot be read'],
  [{ stage: 'discoloured', rows }, 'arrived with other colours than sent (picture rows 3 to 40)'],
  [{ stage: 'dimmed' }, 'arrived with less than 60 % of their contrast'],
  [{ stage: 'mislabelled' }, 'arrived with the label or the timecode of another frame'],
])('%j', (facts, what) => {
  expect(wordsFor(facts)).toBe(`2 frames between 5 and 7 UTC ${what}`);
});

test.each<[LossStage, string]>([
  ['sender', 'was not submitted'],
  ['missing', 'never arrived; the sender does not report whether it sent it'],
  ['dimmed', 'arrived with less than 60 % of its contrast'],
])('one frame of the stage %s', (stage, what) => {
  expect(wordsFor({ stage, frames: 1 })).toBe(`1 frame at 5 UTC ${what}`);
});

test.each<[streams: number, streamsTogether: number, string]>([
  [1, 1, ''],
  [2, 1, '; on this stream alone, the other one lost nothing then'],
  [5, 1, '; on this stream alone, the other 4 lost nothing then'],
  [5, 3, '; on 3 of 5 streams at once: check what they share'],
  [5, 5, '; on all 5 streams at once: check what they share'],
])('of %i streams, %i lose at once', (streams, streamsTogether, which) => {
  expect(wordsFor({ stage: 'sender', streams, streamsTogether })).toBe(
    `2 frames between 5 and 7 UTC were not submitted${which}`,
  );
});
