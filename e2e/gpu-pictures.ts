import type { Page } from '@playwright/test';
import type { TextureBlocks } from '../app/protocol/textures';
import { bundledForPage } from './bundled-for-page';

/** The view's own painter in a page of the real Electron, on a canvas of each picture's own size. */
export class GpuPictures {
  private constructor(private readonly page: Page) {}

  static async in(page: Page): Promise<GpuPictures> {
    // As a script of Playwright it is not held up by the window's security policy.
    await page.evaluate(`${await bundledForPage('painter')}; window.painter = painter;`);
    return new GpuPictures(page);
  }

  /** BGRA, rows packed, top row first: as the native core decodes. */
  async pictureOf(texture: TextureBlocks, background: Uint8Array | null): Promise<Uint8Array> {
    const { blocks, alphaBlocks, ...shape } = texture;
    const answer = await this.page.evaluate(paintInPage, {
      shape,
      blocks: textOf(blocks),
      alphaBlocks: alphaBlocks && textOf(alphaBlocks),
      background: background && textOf(background),
    });
    const rgba = Buffer.from(answer, 'base64');
    const { width, height } = shape;
    const bgra = new Uint8Array(rgba.length);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        // What WebGL reads begins with the bottom row.
        const from = ((height - 1 - y) * width + x) * 4;
        const to = (y * width + x) * 4;
        for (let channel = 0; channel < 3; channel++) bgra[to + channel] = rgba[from + 2 - channel] ?? 0;
        bgra[to + 3] = rgba[from + 3] ?? 0;
      }
    }
    return bgra;
  }
}

/** By how many steps the bytes of two pictures differ. */
export interface Difference {
  largest: number;
  /** Bytes that are so many steps off or more, as a share of all. */
  shareFrom(steps: number): number;
}

export function differenceOf(one: Uint8Array, other: Uint8Array): Difference {
  if (one.length !== other.length) throw new Error(`${one.length} bytes against ${other.length}`);
  const counts = new Array<number>(256).fill(0);
  for (const [index, byte] of one.entries()) {
    const steps = Math.abs(byte - (other[index] ?? 0));
    counts[steps] = (counts[steps] ?? 0) + 1;
  }
  return {
    largest: counts.reduce((largest, count, steps) => (count > 0 ? steps : largest), 0),
    shareFrom: (steps) => counts.slice(steps).reduce((sum, count) => sum + count, 0) / one.length,
  };
}

interface PaintOrder {
  shape: Omit<TextureBlocks, 'blocks' | 'alphaBlocks'>;
  blocks: string;
  alphaBlocks: string | null;
  background: string | null;
}

type Painter = typeof import('./painter');

/** Runs in the page. */
function paintInPage({ shape, blocks, alphaBlocks, background }: PaintOrder): string {
  const { painter } = window as unknown as { painter: Painter };
  const bytesOf = (text: string): Uint8Array =>
    Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const canvas = document.createElement('canvas');
  canvas.width = shape.width;
  canvas.height = shape.height;
  const gl = canvas.getContext('webgl2', { alpha: false });
  if (!gl) throw new Error('this page has no WebGL2');
  const lack = painter.lackFor(painter.probeGpu(gl), { ...shape, hasAlphaBlocks: alphaBlocks !== null });
  if (lack) throw new Error(`this GPU lacks ${JSON.stringify(lack)}`);
  const picture = new painter.HapTexture(gl);
  const texture = {
    ...shape,
    blocks: bytesOf(blocks),
    alphaBlocks: alphaBlocks ? bytesOf(alphaBlocks) : null,
  };
  picture.upload(texture, background ? bytesOf(background) : null);
  picture.draw();
  const pixels = new Uint8Array(shape.width * shape.height * 4);
  gl.readPixels(0, 0, shape.width, shape.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  picture.close();
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  let text = '';
  for (let at = 0; at < pixels.length; at += 4096)
    text += String.fromCharCode(...pixels.subarray(at, at + 4096));
  return btoa(text);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
