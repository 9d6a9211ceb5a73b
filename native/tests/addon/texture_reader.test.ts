import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TextureBlocks } from '../../../app/protocol/textures';
import type { ReadTexture, TextureReader, TextureReaderOptions } from '../../addon/index';
import { addon, codeOf, keep, waitFor } from './addon_fixture';

const clips = join(process.cwd(), 'test-content/clips');
const bars = join(process.cwd(), 'test-content/bars-640x360-30-hap.mov');

/** By default of a source that shows its first slot for a long time. */
function openReader(options: Partial<TextureReaderOptions>): TextureReader {
  const reader = new addon.TextureReader({
    path: bars,
    startFrame: 0,
    rateNumerator: 1,
    rateDenominator: 1_000_000,
    startNs: addon.monotonicNs(),
    ...options,
  });
  return keep(reader);
}

function newest(reader: TextureReader, after = 0): Promise<ReadTexture> {
  return waitFor('a texture', () => {
    reader.request();
    return reader.texture(after) ?? undefined;
  });
}

test('the blocks of the frame that is shown, with what stands behind their alpha', async () => {
  const opaque = openReader({ startFrame: 7 });
  const texture = await newest(opaque);
  expect(texture).toMatchObject({ sequence: 1, frame: 7, frames: 30, width: 640, height: 360 });
  expect(texture).toMatchObject({ format: 'bc1-rgb', alphaBlocks: null });
  expect(texture.blocks).toHaveLength((640 / 4) * (360 / 4) * 8);
  expect(opaque.texture(1)).toBeNull();
  expect(opaque.background()).toBeNull();

  const withAlpha = openReader({ path: join(clips, 'hapm-odd-127x71.mov') });
  expect(withAlpha.background()).toBeNull();
  const { format, blocks, alphaBlocks } = await newest(withAlpha);
  expect(format).toBe('bc3-scaled-ycocg');
  expect(blocks).toHaveLength(32 * 18 * 16);
  expect(alphaBlocks).toHaveLength(32 * 18 * 8);
  expect(withAlpha.background()).toHaveLength(127 * 71);
});

test('it goes with the schedule of the source', async () => {
  const framesPerSecond = 30;
  const startNs = addon.monotonicNs() - 1e9;
  const reader = openReader({ rateNumerator: framesPerSecond, rateDenominator: 1, startNs });
  for (let round = 0, after = 0; round < 5; round++) {
    const before = addon.monotonicNs();
    const { frame, sequence } = await newest(reader, after);
    after = sequence;
    const [earliest, latest] = [before, addon.monotonicNs()].map((timeNs) =>
      Math.floor(((timeNs - startNs) * framesPerSecond) / 1e9),
    );
    const possible = [];
    for (let slot = earliest ?? 0; slot <= (latest ?? -1); slot++) possible.push(slot % 30);
    expect(possible).toContain(frame);
  }
});

test('a movie that is cut short is reported with file, frame and byte; what was read before stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-'));
  try {
    const path = join(folder, 'cut.mov');
    await copyFile(bars, path);
    const startNs = addon.monotonicNs();
    const reader = openReader({ path, startNs, rateNumerator: 10, rateDenominator: 1 });
    const { frame } = await newest(reader);
    truncateSync(path, 2000);
    const damage = await waitFor('damage', () => {
      reader.request();
      return reader.damage() || undefined;
    });
    expect(damage).toContain(path);
    expect(damage).toMatch(/frame \d+/i);
    expect(damage).toMatch(/byte \d+/);
    expect(reader.texture(0)?.frame).toBe(frame);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a movie that is not there is reported, not thrown', async () => {
  const reader = openReader({ path: '/nowhere/at/all.mov' });
  const damage = await waitFor('damage', () => {
    reader.request();
    return reader.damage() || undefined;
  });
  expect(damage).toContain('/nowhere/at/all.mov');
  expect(reader.texture(0)).toBeNull();
});

test('a picture of blocks, over the grid where they have alpha', () => {
  const red = [0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0];
  const shape = { frame: 0, width: 3, height: 2, alphaBlocks: null } as const;
  const opaque: TextureBlocks = { ...shape, format: 'bc1-rgb', blocks: new Uint8Array(red) };
  expect([...addon.decodeTexture(opaque)]).toEqual(new Array(6).fill([0, 0, 255, 255]).flat());
  const clear = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, ...red]);
  const picture = addon.decodeTexture({ ...shape, format: 'bc3-rgba', blocks: clear });
  expect(picture).toHaveLength(24);
  expect(picture[0]).toBe(picture[2]);
  expect(picture[3]).toBe(255);
});

test.each([
  ['no path', { path: undefined }, /a text for path/],
  ['a frame before the first', { startFrame: -1 }, /startFrame but received -1/],
  ['no rate', { rateNumerator: 0 }, /rateNumerator but received 0/],
  ['a start that is no number', { startNs: Number.NaN }, /startNs but received NaN/],
])('%s is refused', (_, wrong, message) => {
  const refusal = codeOf(() => openReader(wrong as Partial<TextureReaderOptions>));
  expect(refusal.code).toBe('INVALID_ARGUMENT');
  expect(refusal.message).toMatch(message);
});

test.each([
  ['a format that no one knows', { format: 'bc2' }, /for texture.format but received bc2/],
  ['too few blocks', { blocks: new Uint8Array(7) }, /a Uint8Array of 8 bytes for texture.blocks/],
  ['blocks of another kind', { blocks: new Uint16Array(4) }, /a Uint8Array of 8 bytes/],
  ['a huge picture', { width: 20_000 }, /from 1 to 16384 for texture.width/],
  ['too much alpha', { alphaBlocks: new Uint8Array(9) }, /for texture.alphaBlocks/],
])('%s is not decoded', (_, wrong, message) => {
  const good = {
    frame: 0,
    width: 4,
    height: 4,
    format: 'bc1-rgb',
    blocks: new Uint8Array(8),
    alphaBlocks: null,
  };
  const refusal = codeOf(() => addon.decodeTexture({ ...good, ...wrong } as TextureBlocks));
  expect(refusal.code).toBe('INVALID_ARGUMENT');
  expect(refusal.message).toMatch(message);
});

test('a closed reader says so', () => {
  const reader = openReader({});
  reader.close();
  reader.close();
  for (const call of [() => reader.request(), () => reader.texture(0), () => reader.damage()]) {
    expect(codeOf(call).code).toBe('CLOSED');
  }
});
