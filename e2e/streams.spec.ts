import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { countLog, type LogCount, readCapturedLog } from '../app/engine/faults/captured-log';
import { readNamedRun, type StreamRow } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { expect, killArchive, newestRun, test, typeFormat } from './app';
import { seenWhile } from './passing';
import { readRecordedRows, readRows } from './run-files';

/** The frames of a row as the receiver wrote them down by itself, beside the records that the engine counts. */
function logOf(folder: string, { streamId, firstFrame, lastFrame }: StreamRow): LogCount {
  const log = readCapturedLog(join(folder, `captured-${streamId}.log`));
  return countLog(log, firstFrame ?? 0, lastFrame ?? -1);
}

test('two streams of real NDI are followed frame by frame, through a reload of the window, and removed', async ({
  whiteline,
}) => {
  const { page, runsFolder, captureLogs } = whiteline;
  await typeFormat(page, '640x360@30');
  const strips = page.getByTestId('stream-strip');

  await test.step('add two streams', async () => {
    // What is done for the first stream is seen at once.
    const adding = { '[data-testid="adding"]': /measured without a stream/ };
    await seenWhile(page, [adding], () => page.getByRole('button', { name: 'Add stream' }).click());
    await expect(page.getByTestId('empty')).toHaveCount(0);
    await expect(strips).toHaveCount(1);
    await expect(strips.first().getByTestId('stream-state')).toContainText('Receiving');
    await page.keyboard.press('a');
    await expect(strips).toHaveCount(2);
    await expect(strips.last().getByTestId('stream-state')).toContainText('Receiving');
  });

  await test.step('previews move', async () => {
    for (const strip of await strips.all()) {
      const preview = strip.getByTestId('preview');
      const shown = () => shownFrame(preview);
      await expect.poll(shown).toBeGreaterThan(0);
      await expect.poll(shown).toBeGreaterThan((await shown()) + 10);
      // As wide as it is shown, in steps of 16.
      const surplusPixels = await preview.evaluate(
        (canvas: HTMLCanvasElement) => canvas.width - canvas.clientWidth * devicePixelRatio,
      );
      expect(surplusPixels).toBeGreaterThanOrEqual(0);
      expect(surplusPixels).toBeLessThan(16);
    }
  });

  await test.step('the strip counts; what is not large stands behind Details', async () => {
    await expect(strips.first().locator('[data-metric="lostTotal"]')).toHaveText(/\d/);
    await expect(strips.first().locator('[data-metric="framesSubmitted"]')).toHaveCount(0);
    await page.getByRole('button', { name: 'Details' }).click();
    await expect.poll(() => countIn(strips.first(), 'framesSubmitted')).toBeGreaterThan(60);
  });

  await test.step('latency has a chart', async () => {
    const figures = page.getByTestId('chart-latency').locator('figcaption b');
    // A moment without a new frame has none.
    await expect(async () => {
      const [p50, p99] = await figures.allInnerTexts();
      expect(Number(p50)).toBeGreaterThan(0);
      expect(Number(p99)).toBeGreaterThanOrEqual(Number(p50));
    }).toPass();
  });

  await test.step('each density shows both streams, and is kept over a reload', async () => {
    const look = page.getByRole('group', { name: 'How the streams are shown' });
    const choose = (density: string) => look.getByText(density, { exact: true }).click();
    await choose('Rows');
    await expect(strips.first().locator('[data-metric="latencyP99Ms"]')).toHaveText(/\d/);
    await choose('Grid');
    await expect(page.getByTestId('loss-line')).toHaveCount(2);
    await expect(page.getByTestId('loss-line').first()).toHaveAttribute(
      'aria-label',
      /^Lost in the last 60 s: \d/,
    );
    await choose('Pictures');
    await expect(page.getByTestId('preview')).toHaveCount(2);
    await expect
      .poll(() => page.getByTestId('preview').first().getAttribute('width').then(Number))
      .toBeGreaterThan(256);
    // The tone of a sender with sound comes once a second.
    const meter = page.getByTestId('audio-meter').first();
    await expect.poll(() => meter.getAttribute('title'), { intervals: [80] }).toMatch(/: −(19|20|21) dBFS$/);
    await page.reload();
    await expect(look.getByRole('radio', { name: 'Pictures' })).toBeChecked();
    await expect(strips).toHaveCount(2);
    await choose('Auto');
    await expect(strips.first().locator('[data-metric="framesSubmitted"]')).toHaveText(/\d/);
  });

  const table = page.getByTestId('study-table');
  await test.step('the row of two streams opens once both are over their warm-up', async () => {
    const newest = table.locator('tbody tr').last();
    await expect(newest.locator('th').first()).toHaveText('2');
    await expect(newest).toHaveAttribute('data-provisional');
    await expect.poll(() => countIn(newest, 'framesReceived')).toBeGreaterThan(100);
  });

  const closedRows = () => table.locator('tbody tr:not([data-provisional])').allInnerTexts();
  const before = await closedRows();
  expect(before.length).toBeGreaterThanOrEqual(1);
  await test.step('a window that is reloaded catches up, and nothing is lost', async () => {
    const received = await countIn(strips.first(), 'framesReceived');
    await page.reload();
    await expect.poll(() => countIn(strips.first(), 'framesReceived')).toBeGreaterThan(received);
    await expect.poll(() => shownFrame(page.getByTestId('preview').first())).toBeGreaterThan(0);
    expect(await closedRows()).toEqual(before);
    // What was measured before the reload is drawn too: a chart is as old as its run.
    const load = page.getByTestId('chart-cpu');
    await expect(load.locator('canvas')).toBeVisible();
    await expect(load).not.toContainText('Waiting');
  });

  await test.step('remove both; the table keeps their rows', async () => {
    await page.keyboard.press('r');
    await expect(strips).toHaveCount(1);
    await strips.getByRole('button', { name: 'Remove stream' }).click();
    await expect(strips).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('mode')).toHaveText('Idle');
  });

  const folder = newestRun(runsFolder);
  const rows = readRows(folder);
  const lines = table.locator('tbody tr');
  await expect(lines).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = lines.nth(index).locator('[data-metric="framesReceived"]');
    await expect(cell).toHaveText(row.framesReceived?.toLocaleString('en-US') ?? '—');
  }
  expect((await closedRows()).slice(0, before.length)).toEqual(before);
  // Derived beside the engine, in the Electron of the app.
  const derived = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  expect(derived).toMatchObject({ state: 'finished', rows: readRecordedRows(folder) });
  expect(derived.missing).toBeUndefined();
  expect(rows.map((row) => row.streams)).toContain(0);
  const withTwo = rows.find((row) => row.streams === 2);
  expect(withTwo?.perStream).toHaveLength(2);
  for (const stream of rows.flatMap((row) => row.perStream)) {
    const log = logOf(captureLogs, stream);
    expect(stream.conserved).toBe(true);
    expect(stream.framesScheduled).toBe((stream.framesSubmitted ?? 0) + (stream.framesSenderMissed ?? 0));
    expect(stream.framesSubmitted).toBe((stream.framesReceived ?? 0) + (stream.framesDropped ?? 0));
    expect(stream.framesReceived).toBe(log.seen.size);
    expect(stream.picturesCaptured).toBe(log.pictures);
    expect([...stream.droppedFrames, ...stream.missedFrames].sort((a, b) => a - b)).toEqual(log.lacking);
  }
  for (const stream of withTwo?.perStream ?? []) expect(stream.framesReceived).toBeGreaterThan(40);
});

test('injected faults show as what they are; beside an alert and errors the settings scroll', async ({
  whiteline,
}) => {
  const { page, runsFolder, captureLogs, command } = whiteline;
  const injected = { dropped: [60, 61, 62, 63, 64], missed: [80, 81, 82, 83, 84] };
  const problem = await command({
    name: 'startExperiment',
    experiment: 'stream-load',
    parameters: {
      ...{ source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy', name: 'Whiteline', audio: true },
      ...{ maxStreams: 1, holdSeconds: 3, warmUpSeconds: 0.5, invalidRetries: 0 },
      ...{ stopOn: ['sender-miss'], inject: 'skip:60-64; miss:80-84' },
    },
  });
  expect(problem).toBeNull();
  await expect(page.getByTestId('mode')).toHaveText('Ramp');
  await expect(page.getByTestId('verdict-tile')).toHaveAttribute('data-verdict', /./);
  await expect(page.getByTestId('mode')).toHaveText('Idle');

  const [stream] = readRows(newestRun(runsFolder)).find((row) => row.streams === 1)?.perStream ?? [];
  if (!stream) throw new Error('the ramp left no row with a stream');
  const first = stream.firstFrame ?? 0;
  // On a busy machine other frames may be lost too: what the receiver's own log lacks is what may be missing.
  const { lacking: absent } = logOf(captureLogs, stream);
  expect([...stream.droppedFrames, ...stream.missedFrames].sort((a, b) => a - b)).toEqual(absent);
  const dropped = injected.dropped.map((slot) => slot + first);
  for (const frame of dropped) expect(absent).toContain(frame);
  // A sender that was late itself has nothing to drop there.
  const isLate = (stream.framesSenderMissed ?? 0) > injected.missed.length;
  const notDropped = dropped.filter((frame) => !stream.droppedFrames.includes(frame));
  expect(isLate ? [] : notDropped).toEqual([]);
  for (const frame of notDropped) expect(stream.missedFrames).toContain(frame);
  for (const frame of injected.missed.map((slot) => slot + first)) {
    expect(absent).toContain(frame);
    expect(stream.missedFrames).toContain(frame);
    expect(stream.droppedFrames).not.toContain(frame);
  }
  expect(stream.conserved).toBe(true);

  await test.step('all of the sentence of a verdict is one click away where it has no room', async () => {
    // The least window: a short sentence has no room there either.
    await page.setViewportSize({ width: 1024, height: 640 });
    await page.getByRole('button', { name: 'Full text' }).click();
    await expect(page.getByRole('dialog')).toContainText(readNamedRun(newestRun(runsFolder)).reason);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1600, height: 1000 });
  });

  await test.step('tools and verdict stay in sight below the settings', async () => {
    await page.keyboard.press('3');
    await killArchive(whiteline);
    await expect(page.getByTestId('alert').filter({ hasText: 'was restarted' })).toBeVisible();
    await page.keyboard.press('1');
    const ramp = page.getByRole('region', { name: 'Ramp' });
    for (const field of [0, 1]) await ramp.getByRole('textbox').nth(field).fill('nothing');
    await page.getByRole('button', { name: 'Start ramp' }).click();
    await expect(page.getByTestId('field-problem')).toHaveCount(2);
    for (const size of [
      { width: 1280, height: 720 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      const freeze = page.getByRole('button', { name: 'Freeze' });
      const spareOf = async () => {
        const [tools, tile] = [await boxOf(freeze), await boxOf(page.getByTestId('verdict-tile'))];
        return tile.y - tools.y - tools.height;
      };
      // The tile takes the lines that fit, which moves the column once more after the window.
      await expect.poll(spareOf).toBeGreaterThanOrEqual(0);
      const tools = await boxOf(freeze);
      // Scrolling shows every error, whole and above the tools.
      const error = page.getByTestId('field-problem').last();
      await error.scrollIntoViewIfNeeded();
      await page.screenshot({ path: test.info().outputPath(`column-${size.width}.png`) });
      const scrolled = await boxOf(error);
      expect(scrolled.y + scrolled.height).toBeLessThanOrEqual(tools.y);
      // No click of the test goes through what lies above it.
      await freeze.click();
      await freeze.click();
    }
  });
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not shown');
  return box;
}

async function countIn(place: Locator, metric: string): Promise<number> {
  return Number((await place.locator(`[data-metric="${metric}"]`).innerText()).replace(/\D/g, ''));
}

async function shownFrame(preview: Locator): Promise<number> {
  return Number(await preview.getAttribute('data-frame-number'));
}
