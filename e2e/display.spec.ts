import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readCapturedLog } from '../app/engine/faults/captured-log';
import { readEvents } from '../app/engine/sessions/read-run';
import { isOfNamedStreams, type Row, readNamedRun } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { expect, newestRun, test, typeFormat } from './app';
import { expectCountsOfPictures, look, readUploads } from './display-look';

function rowsOf(runsFolder: string): Row[] {
  return readNamedRun(newestRun(runsFolder)).rows.filter(isOfNamedStreams);
}

test('every picture of a stream is shown, and what is not is counted by its number', {
  tag: '@machine',
}, async ({ whiteline }) => {
  const { app, page, captureLogs } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');

  const opened = app.waitForEvent('window');
  await page.getByRole('button', { name: 'Display' }).click();
  const window = await opened;
  await readUploads(window);
  const figures = window.getByTestId('display-figures');
  await expect(window.getByTestId('display-shape')).toHaveText(
    '640×360 @ 30, shown in full size and at full rate',
  );
  await expect(window.getByTestId('display-feedback')).not.toContainText('is being tried');

  await test.step('counts agree with the numbers in the pictures, through a window that stands still', async () => {
    // Two seconds of them: figures that are older than the first of these are no longer shown.
    await expect.poll(async () => (await look(window)).drawn.length).toBeGreaterThan(60);
    const begin = await look(window);
    await window.evaluate(() => {
      const untilMs = performance.now() + 700;
      while (performance.now() < untilMs);
    });
    await expect.poll(async () => (await look(window)).figures.missedDelivery).toBeGreaterThan(8);
    await expectCountsOfPictures(window, begin, join(captureLogs, 'captured-1.log'));
  });

  /** Its row is open for two seconds. */
  const rowOf = (streams: string) =>
    expect(page.getByTestId('study-table').locator('tbody tr').last().locator('th').first()).toHaveText(
      streams,
    );
  async function closedRow(): Promise<Row | undefined> {
    const before = rowsOf(whiteline.runsFolder).length;
    await page.keyboard.press('r');
    await expect.poll(() => rowsOf(whiteline.runsFolder).length).toBeGreaterThan(before);
    return rowsOf(whiteline.runsFolder)[before];
  }

  await test.step('a row in which it showed a stream tells what became of each frame', async () => {
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Details' }).click();
    const shown = page.getByTestId('stream-strip').locator('[data-metric="framesDisplayMissed"]');
    await rowOf('2');
    // In the strip of the stream that is shown, and in no other.
    await expect(shown).toHaveText(/^[\d,]+$/);
    const row = await closedRow();
    const [stream, other] = row?.perStream ?? [];
    const { firstFrame, lastFrame } = stream ?? {};
    const isInRow = (frameNumber: number): boolean =>
      frameNumber >= (firstFrame ?? Infinity) && frameNumber <= (lastFrame ?? 0);
    const logged = readCapturedLog(join(captureLogs, 'captured-1.log')).map(({ frameNumber }) => frameNumber);
    const captured = new Set(logged.filter(isInRow));
    const uploaded = new Set((await look(window)).drawn.filter((frame) => captured.has(frame)));
    const unpresented = stream?.framesDisplayMissedPresentation ?? 0;
    expect(captured.size).toBeGreaterThan(20);
    expect(stream).toMatchObject({
      framesReceived: captured.size,
      framesDisplayShown: uploaded.size - unpresented,
      framesDisplayMissed: captured.size - uploaded.size + unpresented,
    });
    expect(row?.framesDisplayShown).toBe(stream?.framesDisplayShown);
    expect(other?.notMeasured.framesDisplayMissed).toBe('no display window showed the stream');
    const cells = page.getByTestId('study-table').locator('[data-metric="framesDisplayMissed"]');
    await expect(cells.nth(row?.row ?? 0)).toHaveText(String(row?.framesDisplayMissed));
  });

  await test.step('F leaves the full screen, and comes back to it', async () => {
    const isFullScreen = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find(({ webContents }) => webContents.getURL().includes('#display'))
          ?.isFullScreen(),
      );
    for (const expected of [false, true]) {
      await window.keyboard.press('f');
      await expect.poll(isFullScreen).toBe(expected);
    }
  });

  await test.step('no violation of accessibility', () => expectAccessible(window));

  await test.step('by keys: the figures hidden and shown', async () => {
    await window.keyboard.press('h');
    await expect(figures).toBeHidden();
    await window.keyboard.press('h');
    await expect(figures).toBeVisible();
  });

  await test.step('a window that crashes is gone, and the row does not tell what it did not hear', async () => {
    await rowOf('1');
    const windows = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    expect(await windows()).toBe(2);
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL().includes('#display'))
        ?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(windows).toBe(1);
    const events = () =>
      readEvents(newestRun(whiteline.runsFolder)).filter(({ kind }) => kind.startsWith('display-'));
    await expect
      .poll(() =>
        events()
          .slice(-2)
          .map(({ kind, text }) => `${kind} ${text}`),
      )
      .toEqual([
        'display-shown Whiteline 1: a display window shows it',
        expect.stringMatching(
          /^display-ended Whiteline 1: no display window shows it any more; of \d+ frames /,
        ),
      ]);
    const row = await closedRow();
    expect(row?.perStream[0]?.framesDisplayMissed).toBeNull();
    expect(row?.notMeasured.framesDisplayMissed).toMatch(
      /^Whiteline 1: a display window reported what became of \d+ of \d+ frames, not of all$/,
    );
  });

  await test.step('without a stream it says so, and closes by Escape', async () => {
    const reopened = app.waitForEvent('window');
    await page.keyboard.press('d');
    const empty = await reopened;
    await expect(empty.getByTestId('picture-notice')).toContainText('No stream to show');
    const closed = empty.waitForEvent('close');
    // It closes before the key goes up.
    await empty.keyboard.press('Escape').catch(() => undefined);
    await closed;
    await expect(page.getByTestId('stream-strip')).toHaveCount(0);
  });
});

test('a slow window and the white line on one display count refreshes by one rate', {
  tag: '@machine',
}, async ({ whiteline }) => {
  const { app, page } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  const open = async (key: string): Promise<Page> => {
    const opened = app.waitForEvent('window');
    await page.keyboard.press(key);
    return opened;
  };
  const hz = async (window: Page, metric: string): Promise<number> =>
    Number(await window.locator(`[data-metric="${metric}"]`).textContent());
  const whiteLine = await open('f');
  await expect.poll(() => hz(whiteLine, 'refreshHz')).toBeGreaterThan(0);
  const display = await open('d');
  await expect(display.getByTestId('display-shape')).toBeVisible();
  await display.evaluate(() => {
    requestAnimationFrame(function holdUp() {
      const untilMs = performance.now() + 60;
      while (performance.now() < untilMs);
      requestAnimationFrame(holdUp);
    });
  });
  const missed = () => hz(display, 'display.compositorTicksMissed');
  const before = await missed();
  // By its own ticks alone the slow window would see a slower display by then, however long they take.
  await expect.poll(missed, { timeout: 60_000 }).toBeGreaterThan(before + 200);
  // Each window writes its rate at a time of its own.
  const difference = async (): Promise<number> =>
    Math.abs((await hz(display, 'display.refreshHz')) / (await hz(whiteLine, 'refreshHz')) - 1);
  // A rate is that of 120 ticks: where one takes a fifth of a second, those before both knew the display's stay in it for 24 s.
  await expect.poll(difference, { timeout: 60_000 }).toBeLessThan(0.05);
});
