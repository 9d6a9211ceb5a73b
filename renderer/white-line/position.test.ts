import { expect, test } from 'vitest';
import { parseRate } from '../../app/protocol/format';
import vectors from '../../native/tests/data/frame-code-vectors.json';
import { whiteLineAt } from './position';

test('stands where the test vectors of the frame code say', () => {
  expect(vectors.whiteLine.length).toBeGreaterThan(30);
  for (const { frameNumber, width, rate, left, lineWidth } of vectors.whiteLine) {
    expect(
      whiteLineAt(frameNumber, width, parseRate(rate)),
      `frame ${frameNumber} of ${width} at ${rate}`,
    ).toEqual({
      left,
      width: lineWidth,
    });
  }
});
