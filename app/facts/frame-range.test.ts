import { expect, test } from 'vitest';
import { LostRuns } from '../engine/streams/counting/lost-runs';
import { frameRangeText } from './frame-range';

test.each([
  [624, 624, 1, 'frame 624'],
  [624, 625, 2, 'frames 624 and 625'],
  [624, 626, 2, 'frames 624 and 626'],
  [624, 626, 3, 'frames 624 to 626'],
  [624, 627, 3, '3 of the frames 624 to 627'],
])('%i to %i, %i lost: %s', (firstFrame, lastFrame, frames, text) => {
  expect(frameRangeText({ firstFrame, lastFrame, frames })).toBe(text);
});

/** Frames that a text names, without those of which it says that only some are meant. */
function countIn(text: string): number {
  const [, some, first = '', between, last = first] =
    /^(?:(\d+) of the )?frames? (\d+)(?: (and|to) (\d+))?$/.exec(text) ?? [];
  if (some !== undefined) return Number(some);
  return between === 'to' ? Number(last) - Number(first) + 1 : new Set([first, last]).size;
}

test('what a text names are as many frames as were lost, whichever of nine are', () => {
  for (let lost = 1; lost < 512; lost++) {
    const runs = new LostRuns();
    for (let frame = 0; frame < 9; frame++) if (lost & (1 << frame)) runs.add(frame, 'dropped');
    for (const { first, last, frames } of runs.listed) {
      const text = frameRangeText({ firstFrame: first, lastFrame: last, frames });
      expect(countIn(text), text).toBe(frames);
      expect(text.startsWith(`${frames} of`)).toBe(frames > 2 && frames < last - first + 1);
    }
  }
});
