import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clipFacts } from './clip-facts.mjs';
import { assembleClip } from './clip-file.mjs';
import { clipList } from './clip-list.mjs';
import { readClipList } from './clip-list-file.mjs';
import { randomBytes } from './random-bytes.mjs';
import { snappyCompress } from './snappy.mjs';

const folder = new URL('../../test-content/clips/', import.meta.url);
const entries = new Map(readClipList(new URL('clips.json', folder)).map((entry) => [entry.file, entry]));
// Their blocks are made without FFmpeg, whose versions may encode a little differently.
const ownVariants = ['hapa', 'hap7', 'haph', 'haph-signed'];

describe('the test clips', () => {
  it('are those of the list', () => {
    expect([...entries.keys()]).toEqual(clipList().map(({ name }) => `${name}.mov`));
  });

  it.each(clipList().filter(({ variant }) => ownVariants.includes(variant)))(
    'are made again byte by byte: $name',
    (clip) => {
      const { bytes, sampleBytes } = assembleClip(clip);
      expect(bytes.equals(readFileSync(new URL(`${clip.name}.mov`, folder)))).toBe(true);
      expect(entries.get(`${clip.name}.mov`)).toMatchObject(clipFacts(clip, sampleBytes));
    },
  );

  it('have a hash for every decoded frame', () => {
    for (const { startTicks, uyvy, bgra } of entries.values()) {
      expect([uyvy, bgra]).toEqual(
        [uyvy, bgra].map(() => startTicks.map(() => expect.stringMatching(/^[0-9a-f]{16}$/))),
      );
    }
  });
});

describe('snappyCompress', () => {
  const repeated = Uint8Array.from({ length: 100_000 }, (_, index) => (index >> 5) % 7);
  const cases = {
    nothing: new Uint8Array(0),
    'three bytes': Uint8Array.of(1, 2, 3),
    'one byte many times': new Uint8Array(5000).fill(9),
    'noise of a little length': randomBytes(61, 1),
    'noise of some length': randomBytes(300, 2),
    'noise of great length': randomBytes(70_000, 3),
    repetition: repeated,
    'noise that comes again from afar': Uint8Array.from([
      ...randomBytes(60_000, 4),
      ...randomBytes(60_000, 4),
    ]),
  };

  it.each(Object.entries(cases))('can be expanded again: %s', (_name, bytes) => {
    expect(Buffer.from(expand(snappyCompress(bytes))).equals(Buffer.from(bytes))).toBe(true);
  });

  it('makes repetition small', () => {
    expect(snappyCompress(repeated).length).toBeLessThan(repeated.length / 10);
  });
});

/** As the format's description says, and no more: it trusts its input. */
function expand(block) {
  let position = 0;
  const number = (count) => {
    let value = 0;
    for (let byte = 0; byte < count; byte++) value += block[position++] * 256 ** byte;
    return value;
  };
  while (block[position] >= 128) position++;
  position++;
  const output = [];
  while (position < block.length) {
    const tag = block[position++];
    const length = tag >> 2;
    if ((tag & 3) === 0) {
      const count = (length < 60 ? length : number(length - 59)) + 1;
      for (const byte of block.subarray(position, position + count)) output.push(byte);
      position += count;
      continue;
    }
    const isNear = (tag & 3) === 1;
    const count = isNear ? (length & 7) + 4 : length + 1;
    const offset = isNear ? ((tag >> 5) << 8) | block[position++] : number(2);
    for (let copied = 0; copied < count; copied++) output.push(output[output.length - offset]);
  }
  return output;
}
