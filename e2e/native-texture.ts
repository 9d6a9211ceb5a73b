import { expect } from '@playwright/test';
import type { Addon, ReadTexture } from '../native/addon/index';

/** So slow that the start frame is the one that is shown. */
const still = { rateNumerator: 1, rateDenominator: 1_000_000 };

/** A frame of a movie as the native core hands it to a GPU. */
export async function textureOf(
  addon: Addon,
  path: string,
  startFrame: number,
): Promise<{ texture: ReadTexture; background: Uint8Array | null }> {
  const reader = new addon.TextureReader({ path, startFrame, ...still, startNs: addon.monotonicNs() });
  await expect
    .poll(() => {
      reader.request();
      return reader.texture(0)?.frame ?? reader.damage();
    })
    .toBe(startFrame);
  const texture = reader.texture(0);
  const background = reader.background();
  reader.close();
  if (!texture) throw new Error(`${path} gave no texture`);
  return { texture, background };
}
