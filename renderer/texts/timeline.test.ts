import { expect, test } from 'vitest';
import { timelineTexts } from './timeline';

const { losses } = timelineTexts;

test('the sums of a timeline are those of the strip, and an estimate says that it is one', () => {
  const sums = { lostFrames: 6, notSentFrames: 1, outageFrames: 330 };
  expect(losses(8, sums)).toBe(
    '≈ 336 frames lost (≈ 330 of them in outages) and 1 not sent, in 8 places since the warm-up.',
  );
  expect(losses(1, { lostFrames: 1, notSentFrames: 0, outageFrames: null })).toBe(
    '1 frame lost and 0 not sent, in 1 place since the warm-up.',
  );
  // A sender without our code does not say what it did not send.
  expect(losses(2, { lostFrames: 5, notSentFrames: null, outageFrames: null })).toBe(
    '5 frames lost, in 2 places since the warm-up.',
  );
  expect(losses(0, { lostFrames: 0, notSentFrames: 0, outageFrames: null })).toBe(
    'No loss since the warm-up.',
  );
});

test('what was not measured is not 0', () => {
  const none = { lostFrames: null, notSentFrames: null, outageFrames: null };
  expect(losses(0, none)).toBe('Lost frames since the warm-up: not measured.');
  expect(losses(1, none)).toBe('Lost frames since the warm-up: not measured, in 1 place.');
});
