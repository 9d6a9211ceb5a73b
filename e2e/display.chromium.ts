import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parseRate } from '../app/protocol/format';
import { whiteLineAt } from '../app/protocol/white-line';
import { test as base, expect } from './app';
import { BrowserConsole } from './browser-console';
import { bundledForPage } from './bundled-for-page';
import { expectCountsOfPictures, look, readUploads } from './display-look';

/** What only Electron opens windows for: the display window and the white line, in a browser with the bridge of a served page. */

const test = base.extend<{ console: BrowserConsole; openWindow(name: string): Promise<Page> }>({
  console: async ({ folder, launchOptions }, use) => {
    const opened = await BrowserConsole.open(folder, launchOptions);
    await use(opened);
    await opened.close();
  },
  openWindow: async ({ console: { page, served } }, use) => {
    const bridge = await bundledForPage('bridge');
    await use(async (name) => {
      const window = await page.context().newPage();
      await window.addInitScript(
        `${bridge}; window.whiteline = bridge.socketBridge(${JSON.stringify(served.token)});`,
      );
      await window.goto(`http://${served.host}/#${name}`);
      return window;
    });
  },
});

interface DrawnLine {
  frameNumber: number;
  left: number;
  width: number;
}

/** After each picture that is drawn: what its frame code says, and where the line stands in a row that has nothing else as bright. */
async function readLines(page: Page): Promise<void> {
  await page.evaluate(() => {
    const lines: DrawnLine[] = [];
    const { drawn } = Object.assign(window as unknown as { drawn: number[] }, { lines });
    const draw = WebGL2RenderingContext.prototype.drawArrays;
    WebGL2RenderingContext.prototype.drawArrays = function (...given) {
      draw.apply(this, given);
      const { drawingBufferWidth, drawingBufferHeight } = this;
      const row = new Uint8Array(drawingBufferWidth * 4);
      this.readPixels(0, drawingBufferHeight / 4, drawingBufferWidth, 1, this.RGBA, this.UNSIGNED_BYTE, row);
      const bright = [...row.keys()].filter((at) => at % 4 === 0 && (row[at] ?? 0) > 190).map((at) => at / 4);
      const [left = Number.NaN] = bright;
      lines.push({ frameNumber: drawn.at(-1) ?? Number.NaN, left, width: bright.length });
    };
  });
}

test('the display window draws what was captured, and counts what it did not draw', async ({
  console: whiteline,
  openWindow,
}) => {
  const parameters = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' } as const;
  expect(await whiteline.command({ name: 'addStream', parameters })).toBeNull();
  const window = await openWindow('display=1');
  await expect(window.getByTestId('display-shape')).toHaveText(
    '640×360 @ 30, shown in full size and at full rate',
  );
  await expect(window.getByTestId('display-feedback')).not.toContainText('is being tried');

  await readUploads(window);
  await readLines(window);
  await expect.poll(async () => (await look(window)).drawn.length).toBeGreaterThan(60);
  const begin = await look(window);
  await window.evaluate(() => {
    const untilMs = performance.now() + 700;
    while (performance.now() < untilMs);
  });
  await expect.poll(async () => (await look(window)).figures.missedDelivery).toBeGreaterThan(8);
  await expectCountsOfPictures(window, begin, join(whiteline.captureLogs, 'captured-1.log'));

  const lines = await window.evaluate(() => (globalThis as unknown as { lines: DrawnLine[] }).lines);
  expect(lines.length).toBeGreaterThan(60);
  for (const { frameNumber, left, width } of lines) {
    const line = whiteLineAt(frameNumber, 640, parseRate('30'));
    // The codec may blur an edge. The line of the next frame stands 10 columns further.
    expect(Math.abs(left - line.left), `frame ${frameNumber}`).toBeLessThanOrEqual(2);
    expect(Math.abs(width - line.width), `frame ${frameNumber}`).toBeLessThanOrEqual(2);
  }
});

/** Of one moment: where the line stands, and of which frame and rate. */
function whiteLineOf(page: Page) {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[data-testid="white-line"]');
    const hz = document.querySelector('[data-metric="refreshHz"]')?.textContent;
    if (!canvas) throw new Error('no line is shown');
    const { width } = canvas;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, width, 1) ?? { data: [] };
    const bright = Array.from({ length: width }, (_, column) => column).filter(
      (column) => (data[column * 4] ?? 0) > 125,
    );
    return {
      ...{ frameNumber: Number(canvas.dataset.frameNumber), canvasWidth: width, hz: Number(hz) },
      line: { left: bright[0], width: bright.length },
    };
  });
}

test('a field is drawn in the shape and the colours of its frame', async ({ openWindow }) => {
  const page = await openWindow('display');
  await page.evaluate(`${await bundledForPage('painter')}; window.painter = painter;`);
  const drawn = await page.evaluate(() => {
    const { painter } = window as unknown as { painter: typeof import('./painter') };
    const canvas = document.createElement('canvas');
    const gl = canvas.getContext('webgl2', { alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error('this page has no WebGL2');
    const display = new painter.DisplayPainter(gl);
    /** Each row of its own colour; its rows from the top, RGBA of the first pixel. */
    const rowsOf = (height: number, rowsOfColour: number, isField: boolean): number[][] => {
      const colours = Array.from({ length: height }, (_, row) => Math.floor(row / rowsOfColour));
      const pixels = Uint8Array.from(
        colours.flatMap((colour) => [90 + (colour % 50), 60 + (colour % 150), 170, 120, 90, 60, 170, 120]),
      );
      display.draw({
        ...{ frameNumber: null, sourceId: 0, streamWidth: 4, streamHeight: height, isField },
        ...{ rateNumerator: 30, rateDenominator: 1, width: 4, height, reducedBy: 1, everyNth: 1 },
        ...{ pixelFormat: 'uyvy', pixels },
      });
      const read = new Uint8Array(canvas.height * 4);
      gl.readPixels(0, 0, 1, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, read);
      return Array.from({ length: canvas.height }, (_, row) => [
        ...read.slice(row * 4, row * 4 + 4),
      ]).reverse();
    };
    return { frame: rowsOf(720, 2, false), field: rowsOf(360, 1, true) };
  });
  expect(drawn.field).toEqual(drawn.frame);
  expect(new Set(drawn.field.map(String)).size).toBeGreaterThan(100);
});

test('the white line stands where its frame says, and its refreshes are counted', async ({ openWindow }) => {
  const window = await openWindow('white-line');
  const hz = window.locator('[data-metric="refreshHz"]');
  await expect.poll(async () => Number(await hz.textContent())).toBeGreaterThan(0);
  const frameNumbers = new Set<number>();
  while (frameNumbers.size < 10) {
    const { frameNumber, canvasWidth, hz, line } = await whiteLineOf(window);
    // The rate is shown in hundredths, and drawn in whole numbers of what it was before.
    const drawn = [hz - 0.005, hz + 0.005].map((rate) =>
      whiteLineAt(frameNumber, canvasWidth, parseRate(String(Math.max(1, Math.round(rate))))),
    );
    expect(drawn).toContainEqual(line);
    frameNumbers.add(frameNumber);
  }
});
