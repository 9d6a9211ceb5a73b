import { join } from 'node:path';
import { countLog, type LogCount, readCapturedLog } from '../app/engine/faults/captured-log';
import type { StreamRow } from '../app/protocol/version-1/row';
import { expect, newestRun, test, typeFormat } from './app';
import { readRows } from './run-files';

/** The frames of a row as the receiver wrote them down by itself, beside the records that the engine counts. */
function logOf(folder: string, { streamId, firstFrame, lastFrame }: StreamRow): LogCount {
  const log = readCapturedLog(join(folder, `captured-${streamId}.log`));
  return countLog(log, firstFrame ?? 0, lastFrame ?? -1);
}

test('two streams of real NDI are followed frame by frame, and removed', async ({ whiteline }) => {
  const { page, runsFolder, captureLogs } = whiteline;
  await typeFormat(page, '640x360@30');
  const strips = page.getByTestId('stream-strip');

  await test.step('add two streams', async () => {
    await page.getByRole('button', { name: 'Add stream' }).click();
    await expect(strips).toHaveCount(1);
    await expect(strips.first().getByTestId('stream-state')).toContainText('Receiving');
    await page.keyboard.press('a');
    await expect(strips).toHaveCount(2);
    await expect(strips.last().getByTestId('stream-state')).toContainText('Receiving');
  });

  await test.step('previews move', async () => {
    for (const strip of await strips.all()) {
      const preview = strip.getByTestId('preview');
      await expect
        .poll(async () => Number(await preview.getAttribute('data-frame-number')))
        .toBeGreaterThan(0);
      const before = Number(await preview.getAttribute('data-frame-number'));
      await expect
        .poll(async () => Number(await preview.getAttribute('data-frame-number')))
        .toBeGreaterThan(before + 10);
      // As wide as it is shown, in steps of 16.
      const surplusPixels = await preview.evaluate(
        (canvas: HTMLCanvasElement) => canvas.width - canvas.clientWidth * devicePixelRatio,
      );
      expect(surplusPixels).toBeGreaterThanOrEqual(0);
      expect(surplusPixels).toBeLessThan(16);
    }
  });

  await test.step('the strip counts', async () => {
    const submitted = strips.first().locator('[data-metric="framesSubmitted"]');
    await expect
      .poll(async () => Number((await submitted.innerText()).replace(/\D/g, '')))
      .toBeGreaterThan(60);
  });

  await test.step('latency has a chart', async () => {
    const figures = page.getByTestId('chart-latency').locator('figcaption b');
    // A moment without a new frame has none.
    await expect(async () => {
      const [p50, p99] = await figures.allInnerTexts();
      expect(Number(p50)).toBeGreaterThan(0);
      expect(Number(p99)).toBeGreaterThanOrEqual(Number(p50));
    }).toPass({ timeout: 15_000 });
  });

  await test.step('the row of two streams opens once both are over their warm-up', async () => {
    const newest = page.getByTestId('study-table').locator('tbody tr').last();
    await expect(newest.locator('th').first()).toHaveText('2');
    const received = newest.locator('[data-metric="framesReceived"]');
    await expect
      .poll(async () => Number((await received.innerText()).replace(/\D/g, '')))
      .toBeGreaterThan(100);
  });

  await test.step('remove both; the table keeps their rows', async () => {
    await page.keyboard.press('r');
    await expect(strips).toHaveCount(1);
    await strips.getByRole('button', { name: 'Remove stream' }).click();
    await expect(strips).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('mode')).toHaveText('Idle');
  });

  const rows = readRows(newestRun(runsFolder));
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

for (const { verb, dropped, missed } of [
  { verb: 'skip', dropped: [100, 101, 102, 103, 104], missed: [] },
  { verb: 'miss', dropped: [], missed: [100, 101, 102, 103, 104] },
]) {
  test(`an injected ${verb} shows as what it is`, async ({ whiteline }) => {
    const { page, runsFolder, captureLogs, command } = whiteline;
    const problem = await command({
      name: 'startExperiment',
      experiment: 'stream-load',
      parameters: {
        source: 'white-line',
        format: '640x360@30',
        pixelFormat: 'uyvy',
        name: 'Whiteline',
        maxStreams: 1,
        holdSeconds: 5,
        warmUpSeconds: 1,
        stopOn: ['sender-miss'],
        inject: `${verb}:100-104`,
        audio: true,
      },
    });
    expect(problem).toBeNull();
    await expect(page.getByTestId('mode')).toHaveText('Ramp');
    await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 40_000 });

    const [stream] = readRows(newestRun(runsFolder)).find((row) => row.streams === 1)?.perStream ?? [];
    if (!stream) throw new Error('the ramp left no row with a stream');
    const first = stream.firstFrame ?? 0;
    const injected = new Set([...dropped, ...missed].map((frame) => frame + first));
    // On a busy machine other frames may be lost too: what the receiver's own log lacks is what may be missing.
    const { lacking: absent } = logOf(captureLogs, stream);
    for (const frame of injected) expect(absent).toContain(frame);
    expect([...stream.droppedFrames, ...stream.missedFrames].sort((a, b) => a - b)).toEqual(absent);
    for (const frame of dropped) expect(stream.droppedFrames).toContain(frame + first);
    for (const frame of missed) expect(stream.missedFrames).toContain(frame + first);
    for (const frame of dropped) expect(stream.missedFrames).not.toContain(frame + first);
    for (const frame of missed) expect(stream.droppedFrames).not.toContain(frame + first);
    expect(stream.conserved).toBe(true);
  });
}
