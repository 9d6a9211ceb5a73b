import { expect, test } from 'vitest';
import { fittedSize } from './fitted-size';

test.each([
  [640, 360, 1280, 720, 1280, 720],
  [3840, 2160, 1280, 720, 1280, 720],
  [3840, 2160, 2560, 1440, 2560, 1440],
  [127, 71, 1280, 720, 1280, 716],
  [100, 400, 1280, 720, 180, 720],
  [16384, 16, 1000, 1000, 1000, 1],
  [1920, 1080, 0, 0, 1, 1],
])('%i×%i in %i×%i is %i×%i', (width, height, areaWidth, areaHeight, fittedWidth, fittedHeight) => {
  expect(fittedSize({ width, height }, { width: areaWidth, height: areaHeight })).toEqual({
    width: fittedWidth,
    height: fittedHeight,
  });
});
