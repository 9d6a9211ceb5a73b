import { expect, test } from 'vitest';
import vectors from '../../native/tests/data/frame-code-vectors.json';
import { parseRate } from './format';
import { whiteLineAt } from './white-line';

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
