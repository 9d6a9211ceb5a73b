import { expect, test } from 'vitest';
import { shownAs } from './shown-as';

const full = {
  ...{ frameNumber: 1, sourceId: 1, streamWidth: 1920, streamHeight: 1080, width: 1920, height: 1080 },
  isField: false,
  ...{ rateNumerator: 60, rateDenominator: 1, reducedBy: 1, everyNth: 1, pixelFormat: 'uyvy' as const },
};

test('up to 1920×1080 at 60 it is full size and full rate', () => {
  expect(shownAs(full)).toEqual({
    text: '1920×1080 @ 60, shown in full size and at full rate',
    isReduced: false,
  });
});

test('above it says by how much it is reduced', () => {
  const large = { ...full, streamWidth: 3840, streamHeight: 2160, reducedBy: 2 };
  expect(shownAs(large)).toEqual({ text: '3840×2160 @ 60, reduced to 1920×1080', isReduced: true });
  const fast = { ...large, rateNumerator: 120_000, rateDenominator: 1001, everyNth: 2 };
  expect(shownAs(fast).text).toBe('3840×2160 @ 119.88, reduced to 1920×1080, one frame in 2 shown');
  expect(shownAs({ ...full, rateNumerator: 150, everyNth: 3 })).toEqual({
    text: '1920×1080 @ 150, one frame in 3 shown',
    isReduced: true,
  });
});

test('a field is named by the size of its frame', () => {
  expect(shownAs({ ...full, streamHeight: 540, height: 540, isField: true }).text).toBe(
    '1920×1080 @ 60, shown in full size and at full rate',
  );
});
