import type { Page } from '@playwright/test';
import { readCapturedLog } from '../app/engine/faults/captured-log';
import { expect } from './app';

/** Reads the frame number out of every picture that the window uploads, beside the window's own count. */
export async function readUploads(page: Page): Promise<void> {
  await page.evaluate(() => {
    const drawn: number[] = [];
    Object.assign(window, { drawn });
    const upload = WebGL2RenderingContext.prototype.texSubImage2D as (...given: unknown[]) => void;
    WebGL2RenderingContext.prototype.texSubImage2D = function (this: WebGL2RenderingContext, ...given) {
      upload.apply(this, given);
      const pixels = (given as unknown[])[8] as Uint8Array;
      // 640 × 360 UYVY; bytes 4 to 7 of the frame code are columns 32 to 63 of its first row (docs/frame-code.md).
      let frameNumber = 0;
      for (let column = 32; column < 64; column += 1) {
        const luma = pixels[2 * (2 * 640 + column * 10 + 5) + 1] ?? 0;
        frameNumber = frameNumber * 2 + Number(luma > 125);
      }
      drawn.push(frameNumber);
    } as typeof WebGL2RenderingContext.prototype.texSubImage2D;
  });
}

export interface Look {
  firstFrame: number;
  figures: Record<string, number>;
  drawn: number[];
}

/** Figures and what was drawn, of one moment. A figure that is not measured is not a number. */
export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const list = document.querySelector<HTMLElement>('[data-testid="display-figures"]');
    const figures = [...(list?.querySelectorAll<HTMLElement>('[data-metric^="display."]') ?? [])].map(
      ({ dataset, textContent }) => [
        (dataset.metric ?? '').slice('display.'.length),
        Number(textContent?.replace(/,/g, '')),
      ],
    );
    return {
      firstFrame: Number(list?.dataset.firstFrame),
      figures: Object.fromEntries(figures),
      drawn: (window as unknown as { drawn: number[] }).drawn,
    };
  });
}

/**
 * What the figures should be between two looks, by the receiver's own log and the numbers that were read out of the pictures: the
 * window may have drawn some before they were read.
 */
function expected(begin: Look, { firstFrame, figures, drawn }: Look, logPath: string) {
  const captured = [...new Set(readCapturedLog(logPath).map(({ frameNumber }) => frameNumber))]
    .filter((frameNumber) => frameNumber >= firstFrame)
    .slice(begin.figures.captured, figures.captured);
  const seen = new Set(drawn);
  const uploaded = captured.filter((frameNumber) => seen.has(frameNumber)).length;
  return { captured: captured.length, uploaded, missed: captured.length - uploaded };
}

/** Waits until the figures since `begin` agree with the log and with what was drawn, and each adds up. */
export function expectCountsOfPictures(page: Page, begin: Look, logPath: string): Promise<void> {
  return expect(async () => {
    const seen = await look(page);
    const { captured, delivered, uploaded, presented, leftOut } = seen.figures;
    const { missedDelivery, missedUpload, missedPresentation } = seen.figures;
    const known = Number.isNaN(presented) ? { presented: uploaded, missedPresentation: 0 } : {};
    const figuresNow = { presented, missedPresentation, ...known };
    const since = (name: string): number => (seen.figures[name] ?? 0) - (begin.figures[name] ?? 0);
    const notPresented = Number.isNaN(presented) ? 0 : since('missedPresentation');
    expect(expected(begin, seen, logPath)).toEqual({
      captured: since('captured'),
      uploaded: since('uploaded'),
      missed: since('missed') - notPresented,
    });
    expect(leftOut).toBe(0);
    expect(captured).toBe((delivered ?? 0) + (missedDelivery ?? 0));
    expect(delivered).toBe((uploaded ?? 0) + (missedUpload ?? 0));
    expect(uploaded).toBe((figuresNow.presented ?? 0) + (figuresNow.missedPresentation ?? 0));
    expect(uploaded).toBeGreaterThan(20);
  }).toPass({ timeout: 60_000 });
}
