import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextureFormat } from '../app/protocol/textures';
import { loadAddon } from '../native/addon/index';
import { expect, test } from './app';
import { differenceOf, GpuPictures } from './gpu-pictures';
import { textureOf } from './native-texture';

const clipFolder = fileURLToPath(new URL('../test-content/clips', import.meta.url));

/** Clips with every mode of their blocks, and such whose size is no multiple of 4. */
const clips = readdirSync(clipFolder)
  .filter((name) => /-(all-modes|odd-127x71|ffmpeg)\.mov$/.test(name))
  .map((name) => join(clipFolder, name));

/**
 * In how many steps of 255 a GPU's picture may be off: as measured with SwiftShader, which cuts where the native core
 * rounds to the nearest. In YCoCg the errors of luma, orange and green add up.
 */
const mostSteps: Readonly<Record<TextureFormat, number>> = {
  'bc1-rgb': 1,
  'bc3-rgba': 2,
  'bc3-scaled-ycocg': 4,
  'bc4-alpha': 1,
  'bc7-rgba': 1,
  'bc6h-unsigned': 1,
  'bc6h-signed': 1,
};

/** So far off may only so few bytes be. */
const farSteps = 3;
const mostFarShare = 0.001;

test('the GPU makes the same pictures of compressed blocks as the native core', async ({ whiteline }) => {
  const addon = loadAddon();
  const gpu = await GpuPictures.in(whiteline.page);
  expect(clips.length).toBeGreaterThanOrEqual(16);
  for (const path of clips) {
    const name = basename(path);
    const { frames } = (await textureOf(addon, path, 0)).texture;
    for (let frame = 0; frame < frames; frame++) {
      const { texture, background } = await textureOf(addon, path, frame);
      const picture = await gpu.pictureOf(texture, background);
      const { largest, shareFrom } = differenceOf(picture, addon.decodeTexture(texture));
      expect(largest, `${name}, frame ${frame}`).toBeLessThanOrEqual(mostSteps[texture.format]);
      expect(shareFrom(farSteps), `${name}, frame ${frame}`).toBeLessThanOrEqual(mostFarShare);
    }
  }
});
