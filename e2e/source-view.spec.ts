import { execFileSync } from 'node:child_process';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import type { Command } from '../app/protocol/console-commands';
import { loadAddon } from '../native/addon/index';
import { type Console, expect, killHost, test } from './app';
import { differenceOf } from './gpu-pictures';
import { textureOf } from './native-texture';

const barsClip = fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url));

async function addStream(whiteline: Console, source: string): Promise<Locator> {
  const parameters = { source, format: '640x360@30', pixelFormat: 'uyvy' } as const;
  expect(await whiteline.command({ name: 'addStream', parameters } satisfies Command)).toBeNull();
  const strip = whiteline.page.getByTestId('stream-strip').last();
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
  return strip;
}

function viewOf(page: Page) {
  const view = page.getByTestId('source-view');
  return {
    view,
    how: view.getByTestId('source-how'),
    figures: view.getByTestId('source-figures'),
    blocks: view.getByRole('img', { name: /the source/ }),
    preview: view.getByRole('img', { name: /Live picture/ }),
  };
}

/** Frame numbers of the next pictures drawn, until so many differ, however slow the display. */
function framesDrawn(figures: Locator, count: number): Promise<number[]> {
  return figures.evaluate(
    (caption, count) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const watch = new MutationObserver(() => {
          const [, number] = /Frame ([\d,]+)/.exec(caption.textContent) ?? [];
          frames.push(Number(number?.replace(/,/g, '')));
          if (new Set(frames).size < count) return;
          watch.disconnect();
          resolve(frames);
        });
        watch.observe(caption, { childList: true });
      }),
    count,
  );
}

/** What a window may lack for blocks. Each is taken away from the page, one after the other. */
const lacks = [
  {
    reason: 'the GPU lacks WEBGL_compressed_texture_s3tc',
    breakGpu: () => {
      const { prototype } = WebGL2RenderingContext;
      prototype.getExtension = new Proxy(prototype.getExtension, {
        apply: (getExtension, gl, given) =>
          String(given[0]).includes('s3tc') ? null : Reflect.apply(getExtension, gl, given),
      });
    },
  },
  {
    reason: 'this window has no WebGL2',
    breakGpu: () => {
      HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
        apply: (getContext, canvas, given) =>
          given[0] === 'webgl2' ? null : Reflect.apply(getContext, canvas, given),
      });
    },
  },
];

test('the source of a Hap movie in its own blocks, with and without a GPU, until its stream ends', async ({
  whiteline,
}) => {
  const { page, command } = whiteline;
  const strip = await addStream(whiteline, barsClip);
  const { view, how, figures, blocks, preview } = viewOf(page);

  await test.step('it is opened and closed by hand and by key', async () => {
    await strip.getByRole('button', { name: 'View the source of stream 1' }).click();
    await expect(how).toContainText(/compressed blocks/i);
    await expect(how).toContainText('BC1');
    await expect(blocks).toBeVisible();
    await expect(preview).toBeHidden();
    for (const frame of await framesDrawn(figures, 8)) expect(frame).toBeLessThan(30);
    await expect(figures).toContainText('640×360');
    await expect(figures).toContainText(/[\d.]+ pictures\/s/);

    // Esc closes the view and leaves the run alone, wherever the focus is.
    await blocks.click();
    await page.keyboard.press('Escape');
    await expect(view).toHaveCount(0);
    await expect(page.getByTestId('mode')).toHaveText('Live');
    await page.keyboard.press('v');
    await expect(how).toContainText(/compressed blocks/i);
    await page.keyboard.press('v');
    await expect(view).toHaveCount(0);
    await expect(page.getByTestId('stream-strip')).toHaveCount(1);
  });

  await test.step('a lost GPU: the received picture takes its place, and gives it back', async () => {
    await page.keyboard.press('v');
    await expect(how).toContainText(/compressed blocks/i);
    const lost = await blocks.evaluateHandle((canvas: HTMLCanvasElement) =>
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context'),
    );
    await lost.evaluate((extension) => extension?.loseContext());
    await expect(how).toContainText('the GPU was lost');
    await expect(preview).toBeVisible();
    await framesDrawn(figures, 3);
    await lost.evaluate((extension) => extension?.restoreContext());
    await expect(how).toContainText(/compressed blocks/i);
    await expect(blocks).toBeVisible();
    await framesDrawn(figures, 3);
  });

  await test.step('a sending host that dies: the view goes on with the next one', async () => {
    const before = await whiteline.processOf('sending');
    await killHost(whiteline, 'sending');
    await expect.poll(() => whiteline.processOf('sending')).not.toBe(before);
    await expect.poll(() => whiteline.processOf('sending')).not.toBeNull();
    // The first may have been on its way.
    await framesDrawn(figures, 5);
    await expect(how).toContainText(/compressed blocks/i);
    await expect(view).toHaveCount(1);
    await page.keyboard.press('v');
    await expect(view).toHaveCount(0);
  });

  for (const { reason, breakGpu } of lacks) {
    await test.step(`the received picture is shown, and why: ${reason}`, async () => {
      await page.evaluate(breakGpu);
      await page.keyboard.press('v');
      await expect(how).toContainText('Native preview');
      await expect(how).toContainText(reason);
      await expect(preview).toBeVisible();
      await framesDrawn(figures, 3);
      await expect(figures).toContainText('640×360');
      expect(await preview.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(640);
      await page.keyboard.press('v');
      await expect(view).toHaveCount(0);
    });
  }

  await test.step('the end of its stream is reported', async () => {
    await page.keyboard.press('v');
    expect(await command({ name: 'removeStream' })).toBeNull();
    await expect(view.getByTestId('picture-notice')).toContainText('has ended');
    await page.keyboard.press('Escape');
    await expect(view).toHaveCount(0);
  });
});

test('what the window shows is the movie, to the pixel; one that is cut short plays on as far as it goes', async ({
  whiteline,
  folder,
}) => {
  const { page } = whiteline;
  const clip = join(folder, 'still.mov');
  // Ten frames with one picture.
  const still = 'testsrc2=s=1024x640:r=25,noise=alls=30:all_seed=7,trim=end_frame=1,loop=9:1';
  const encode = ['-c:v', 'hap', '-format', 'hap_q', '-chunks', '4'];
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', still, ...encode, clip]);
  const addon = loadAddon();
  const wanted = addon.decodeTexture((await textureOf(addon, clip, 0)).texture);
  await whiteline.resize(1024, 640);
  await addStream(whiteline, clip);
  await page.keyboard.press('v');
  const { view, figures } = viewOf(page);
  // Caption and button go away when the mouse rests.
  await expect(view.locator('[data-quiet]')).toHaveCount(1);
  const shown = await pixelsOf(page, await page.screenshot());
  // How far a GPU may be off is measured in source-pixels.spec.ts.
  expect(differenceOf(shown, wanted).largest).toBeLessThanOrEqual(4);

  truncateSync(clip, statSync(clip).size / 2);
  const alert = view.getByRole('alert');
  await expect(alert).toContainText(clip);
  await expect(alert).toContainText(/frame \d+/i);
  // The first may have been on its way.
  const [, ...drawn] = await framesDrawn(figures, 3);
  for (const frame of drawn) expect(frame).toBeLessThan(6);
  await expect(alert).toBeVisible();
});

/** A screenshot's BGRA, by the page's own decoder. */
async function pixelsOf(page: Page, png: Buffer): Promise<Buffer> {
  const text = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let characters = '';
      for (let at = 0; at < data.length; at += 4096) {
        characters += String.fromCharCode(...data.subarray(at, at + 4096));
      }
      return btoa(characters);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  const pixels = Buffer.from(text, 'base64');
  for (let at = 0; at < pixels.length; at += 4) pixels.subarray(at, at + 3).reverse();
  return pixels;
}
