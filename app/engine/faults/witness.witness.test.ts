import { expect, test } from 'vitest';
import { faultVerbs } from '../../protocol/records';
import { battery, witnessed } from '../../testing/ndi-witness';
import { isSpoiling } from './expected-counts';

// A few frames of each, on any machine: witness.helper.test.ts.

test.each(battery)('2,000 clean frames of %s over real NDI are whole', async (content) => {
  const { frames, lost, falseAlarms } = await witnessed(content, '640x360', 2000);
  expect(falseAlarms).toBe(0);
  expect(frames + lost).toBe(2000);
  expect(frames).toBeGreaterThan(1000);
});

const verbs = faultVerbs.filter(isSpoiling);
const spoiltPictures = [
  ...verbs.flatMap((verb) => ['noise', 'flares', 'white-line'].map((content) => [verb, content, '640x360'])),
  ...(['tear-middle', 'stale-band', 'green'] as const).flatMap((verb) =>
    ['noise', 'flares', 'white-line'].map((content) => [verb, content, '1920x1080']),
  ),
  ['swap-chroma', 'orange', '640x360'],
];

test.each(spoiltPictures)(
  '%s in %s at %s over real NDI is found',
  async (verb = '', content = '', size = '') => {
    const { mustFind, found, falseAlarms, otherKind } = await witnessed(
      content,
      size,
      size === '640x360' ? 200 : 60,
      verb,
    );
    expect({ found, falseAlarms, otherKind }).toEqual({ found: mustFind, falseAlarms: 0, otherKind: 0 });
    // Exchanged chroma shows where U and V differ.
    if (verb !== 'swap-chroma' || content === 'orange') expect(mustFind).toBeGreaterThan(0);
  },
);
