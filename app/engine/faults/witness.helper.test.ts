import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultVerbs } from '../../protocol/records';
import { battery, witnessed, witnessProgram } from '../../testing/ndi-witness';
import { isSpoiling } from './expected-counts';

// Thousands of frames of each, at two sizes: witness.witness.test.ts.
test('the program that sends and judges real NDI was built', () => {
  expect(existsSync(witnessProgram)).toBe(true);
});

/** Each picture of a clip once. */
const clipFrames = 60;

test.each(battery)('clean frames of %s over real NDI are whole', async (content) => {
  const { frames, lost, falseAlarms } = await witnessed(content, '640x360', clipFrames);
  expect(frames + lost).toBe(clipFrames);
  expect(frames).toBeGreaterThan(0);
  expect(falseAlarms).toBe(0);
});

/** In which a fault of this kind shows: exchanged chroma where U and V differ, the others in any. */
const contentOf = (verb: string): string => (verb === 'swap-chroma' ? 'orange' : 'noise');

test.each(faultVerbs.filter(isSpoiling))(
  '%s over real NDI is found, and taken for nothing else',
  async (verb) => {
    const { mustFind, found, falseAlarms, otherKind } = await witnessed(
      contentOf(verb),
      '640x360',
      clipFrames,
      verb,
    );
    expect(mustFind).toBeGreaterThan(0);
    expect({ found, falseAlarms, otherKind }).toEqual({ found: mustFind, falseAlarms: 0, otherKind: 0 });
  },
);
