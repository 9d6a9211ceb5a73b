import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countLog, readCapturedLog } from '../app/engine/faults/captured-log';
import { expectAccessible } from './accessibility';
import { endRun, expect, newestRun, test, typeFormat } from './app';
import { brightest, startFleetBeside } from './fleet-beside';
import { expectFits } from './layout';
import { readRows } from './run-files';

const clip = fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url));

test('a machine of the fleet is chosen to send: its stream is received and counted here', {
  tag: '@electron',
}, async ({ whiteline }) => {
  const { page, runsFolder, captureLogs } = whiteline;
  // Without a fleet, the window says nothing of one.
  await expect(page.getByTestId('sendOn')).toHaveCount(0);
  const fleet = await startFleetBeside(join(runsFolder, '..', 'user-data', 'fleet'), 'render-1');
  try {
    await typeFormat(page, '640x360@30');
    await page.getByTestId('sendOn').getByText('render-1').click();
    await page.getByRole('button', { name: 'Add stream' }).click();
    const strip = page.getByTestId('stream-strip');
    await expect(strip).toHaveCount(1);
    await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
    const newest = page.getByTestId('study-table').locator('tbody tr').last();
    await expect(newest.locator('th').first()).toHaveText('1');
    await expect(newest.locator('[data-metric="framesReceived"]')).toHaveText(/\d{2}/);
    await page.keyboard.press('r');
    await expect(strip).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('mode')).toHaveText('Idle');
  } finally {
    fleet.stop();
  }
  const row = readRows(newestRun(runsFolder)).find(({ streams }) => streams === 1);
  const [stream] = row?.perStream ?? [];
  const log = readCapturedLog(join(captureLogs, `captured-${stream?.streamId}.log`));
  const { seen } = countLog(log, stream?.firstFrame ?? 0, stream?.lastFrame ?? -1);
  expect(stream?.framesReceived).toBeGreaterThan(0);
  expect(stream?.framesReceived).toBe(seen.size);
  expect(stream?.conserved).toBe(true);
});

test('a movie of an agent is chosen from its list and sent there; two machines receive its streams in turn', {
  tag: '@electron',
}, async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  const movies = join(runsFolder, '..', 'movies');
  mkdirSync(join(movies, 'show'), { recursive: true });
  copyFileSync(clip, join(movies, 'show', 'opening.mov'));
  const fleet = await startFleetBeside(join(runsFolder, '..', 'user-data', 'fleet'), 'render-1', [
    ...['--media', movies],
  ]);
  const sheet = page.getByRole('dialog');
  try {
    await fleet.startAgent('display-1');
    await page.getByTestId('sendOn').getByText('display-1').click();
    await page.getByText('Movie', { exact: true }).click();
    await expect(sheet.getByTestId('no-movies')).toContainText('--media FOLDER');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await page.getByTestId('sendOn').getByText('render-1').click();
    await page.getByRole('button', { name: 'Choose a movie on render-1…' }).click();
    const movie = sheet.getByRole('button', { name: 'show/opening.mov on render-1' });
    await expect(movie).toBeVisible();
    await sheet.getByRole('button', { name: 'Search again' }).click();
    await expectAccessible(page);
    await expectFits(page, 'machine-movies');
    await movie.click();
    await expect(sheet).toHaveCount(0);
    await expect(page.getByTestId('movie')).toHaveText('show/opening.mov');
    await expect(page.getByTestId('movie-format')).toContainText('640×360 @ 30 · Hap · ');
    const receiveOn = page.getByTestId('receiveOn');
    const key = (name: string) => receiveOn.getByRole('button', { name });
    await expect(key('this machine')).toHaveAttribute('aria-pressed', 'true');
    await key('display-1').click();
    await expect(key('this machine')).toHaveAttribute('aria-pressed', 'false');
    await key('this machine').click();
    await expectAccessible(page);
    const strips = page.getByTestId('stream-strip');
    for (const count of [1, 2]) {
      await page.keyboard.press('a');
      await expect(strips).toHaveCount(count);
    }
    for (const strip of await strips.all())
      await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
    await expect(strips.first().getByTestId('stream-way')).toHaveAttribute(
      'title',
      'Sent by render-1, received by display-1',
    );
    await expect(strips.last().getByTestId('stream-way')).toHaveText('from render-1');
    await expect(strips.last()).toContainText('640×360 @ 30');
    await expectFits(page, 'streams-of-a-fleet');
    const newest = page.getByTestId('study-table').locator('tbody tr').last();
    await expect(newest.locator('th').first()).toContainText('2');
    await expect(newest.locator('[data-metric="framesReceived"]')).toHaveText(/\d{2}/);
    await newest.getByRole('button').click();
    await expect(page.getByTestId('stream-table').first()).toContainText('Sent from');
    await page.keyboard.press('Escape');
    await endRun(page);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    // The same list on the form of an experiment.
    await page.keyboard.press('2');
    await page.locator('[data-experiment="stream-load"]').click();
    await page.locator('[data-field="sendOn"]').getByRole('button', { name: 'render-1' }).click();
    const source = page.locator('[data-field="source"]');
    await source.getByRole('button', { name: 'Choose a movie on render-1…' }).click();
    await movie.click();
    await expect(source.getByRole('textbox')).toHaveValue('show/opening.mov');
    await expect(source.getByTestId('field-problem')).toHaveCount(0);
  } finally {
    fleet.stop();
  }
  const row = readRows(newestRun(runsFolder)).find(({ streams }) => streams === 2);
  expect(row?.perStream).toHaveLength(2);
  // On a full machine the sender's records may come after the row was written, which then says so.
  const wrong = row?.perStream.filter(
    ({ conserved, verdict }) => conserved !== true && verdict !== 'INVALID',
  );
  expect(wrong).toEqual([]);
});

test('machines that receive are chosen on the form of an experiment, in their order', {
  tag: '@electron',
}, async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  await page.keyboard.press('2');
  await page.locator('[data-experiment="receiver-fan-out"]').click();
  const field = page.locator('[data-field="receiveOn"]');
  await expect(field.getByRole('button')).toHaveCount(0);
  const fleet = await startFleetBeside(join(runsFolder, '..', 'user-data', 'fleet'), 'display-1');
  try {
    const text = field.getByRole('textbox');
    await field.getByRole('button', { name: 'display-1' }).click();
    await field.getByRole('button', { name: 'this machine' }).click();
    await expect(text).toHaveValue('display-1,this machine');
    await expect(field.getByTestId('field-problem')).toHaveCount(0);
    await expectAccessible(page);
    await text.fill('display-1,display-1');
    await expect(field.getByTestId('field-problem')).toContainText('each machine once');
    await text.fill('display-1,this machine');
    await field.getByRole('button', { name: 'display-1' }).click();
    await expect(text).toHaveValue('this machine');
    await page.locator('[data-field="sendOn"]').getByRole('button', { name: 'display-1' }).click();
    await expect(page.locator('[data-field="sendOn"]').getByRole('textbox')).toHaveValue('display-1');
    // An experiment of one machine is measured on several by the same keys.
    await page.locator('[data-experiment="quiet"]').click();
    const on = page.locator('[data-field="on"]');
    await on.getByRole('button', { name: 'this machine' }).click();
    await on.getByRole('button', { name: 'display-1' }).click();
    await expect(on.getByRole('textbox')).toHaveValue('this machine,display-1');
  } finally {
    fleet.stop();
  }
});

test('a stream that a machine of the fleet receives shows small pictures from there, and says so', {
  tag: '@electron',
}, async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  const fleet = await startFleetBeside(join(runsFolder, '..', 'user-data', 'fleet'), 'render-1');
  try {
    await typeFormat(page, '640x360@30');
    // Both ends: with the machine both of its processes are lost at once.
    for (const end of ['sendOn', 'receiveOn']) await page.getByTestId(end).getByText('render-1').click();
    await page.getByRole('button', { name: 'Add stream' }).click();
    const strip = page.getByTestId('stream-strip');
    const note = strip.getByTestId('stream-picture');
    const canvas = strip.getByTestId('preview');
    await expect(note).toHaveText('Picture from render-1, at most 2 a second');
    await expect(strip.getByTestId('no-picture')).toHaveCount(0);
    await expect.poll(() => brightest(canvas)).toBeGreaterThan(200);
    // New ones follow.
    const first = (await canvas.getAttribute('data-frame-number')) ?? '';
    await expect(canvas).not.toHaveAttribute('data-frame-number', first);
    const why = 'render-1 receives this stream: this machine gets only small pictures of it';
    for (const button of [
      strip.getByRole('button', { name: /source/ }),
      page.getByRole('button', { name: 'Display' }),
    ]) {
      await expect(button).toBeDisabled();
      await expect(button).toHaveAttribute('title', why);
    }
    await page.keyboard.press('v');
    await page.keyboard.press('d');
    await expect(page.getByTestId('source-view')).toHaveCount(0);
    expect(whiteline.app.windows()).toHaveLength(1);
    fleet.stopAgent();
    const gone = 'render-1 is gone: this is its last picture';
    await expect(note).toHaveText(gone);
    await expect(strip.getByTestId('no-picture')).toHaveText(gone);
    await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  } finally {
    fleet.stop();
  }
});
