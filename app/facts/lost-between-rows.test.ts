import { expect, test } from 'vitest';
import type { Loss, LossStage } from './loss';
import { SumBetweenRows } from './lost-between-rows';

const at = '2026-11-30T21:25:24.000Z';

function loss(stage: LossStage, frames: number): Loss {
  return {
    stage,
    firstFrame: 0,
    lastFrame: frames - 1,
    frames,
    startedAt: at,
    endedAt: at,
    streamsTogether: 1,
  };
}

test.each<[number, Loss[], string]>([
  [0, [], ''],
  [1, [loss('sender', 1)], 'between rows the sender did not submit 1 frame'],
  [3, [loss('transport', 2), loss('torn', 1)], 'between rows 3 frames were lost'],
  [
    3,
    [loss('transport', 1), loss('sender', 2)],
    'between rows 1 frame was lost, and the sender did not submit 2 frames',
  ],
  // Not all are listed.
  [9, [loss('transport', 1)], 'between rows 1 frame was lost, and 8 frames were lost or not submitted'],
])('of %d frames: what was lost and what was not submitted stand apart', (frames, losses, text) => {
  expect(SumBetweenRows.of([{ frames, losses }]).text).toBe(text);
});
