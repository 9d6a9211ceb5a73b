import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Alert, StreamView } from '../app/protocol/console';
import { stateOf } from '../renderer/testing/engine-state';
import { streamView } from '../renderer/testing/fixtures';
import { lossRows } from '../renderer/testing/trouble';
import { expect, test } from './app';
import { dropOnto } from './drop';
import { say } from './engine-said';
import { shoot, shootAll, tightSizes } from './pictures';

/** Pictures of the window in error, and what does not fit in them: test-results/e2e/screens. */

test('a damaged movie and its alert; wrong values of a ramp', async ({ whiteline, folder }) => {
  const { page } = whiteline;
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  const broken = join(folder, 'autumn-detail-and-motion-2160p60-hap-q-second-take.mov');
  writeFileSync(broken, 'no movie');
  await dropOnto(page, broken);
  await expect(page.getByRole('region', { name: 'Source' }).getByRole('alert')).toContainText(broken);
  await page.keyboard.press('a');
  await expect(page.getByTestId('alert')).toContainText(broken);
  await shootAll(whiteline, 'errors-movie');
  const ramp = page.getByRole('region', { name: 'Ramp' });
  await ramp.getByRole('textbox', { name: /^Streams/ }).fill('500');
  await ramp.getByRole('textbox', { name: /^Hold/ }).fill('abc');
  await ramp.getByRole('textbox', { name: /^Warm-up/ }).fill('nothing');
  await expect(ramp.getByTestId('field-problem')).toHaveCount(3);
  await shootAll(whiteline, 'errors-ramp');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Presets' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Start ramp' }).click();
  await expect(ramp.getByRole('textbox', { name: /^Streams/ })).toBeFocused();
  await expect(ramp.getByTestId('field-problem').first()).toBeInViewport({ ratio: 1 });
  await shoot(page, 'errors-ramp-refused');
});

const names = ['Stage left', 'Stage right', 'DISPLAY-WALL-NORTH-3 (Autumn, detail and motion)'];
const sinceMs = Date.parse('2026-11-21T19:00:05.000Z');

const alerts: Alert[] = [
  ...names.map(
    (stream, index): Alert => ({
      ...{ key: `outage-${index}`, severity: 'warning', code: 'NO_VIDEO', cause: 'outage', stream, sinceMs },
      ...{ message: `${stream}: pictures again after 12 s`, untilMs: sinceMs + 12_000 },
      remedy: 'The stream’s strip and the rows say what it cost',
    }),
  ),
  {
    ...{ key: 'disk', severity: 'error', code: 'DISK_FULL', sinceMs },
    message: 'The disk of /media/measurements/2026/autumn/control-room-2 is full',
    remedy: 'Free some space, or choose another folder in the settings',
    details: 'ENOSPC: no space left on device, write',
  },
  {
    ...{ key: 'host-receiving', severity: 'warning', code: 'HOST_DIED', sinceMs, untilMs: sinceMs + 1300 },
    message: 'The receiving process was killed by SIGKILL',
    remedy: 'It is started again; the open row is INVALID',
  },
];

/** Figures as wide as they become: a stream that lost much, one in an outage, one that is given up. */
const streams: StreamView[] = [
  {
    ...({ verdict: 'FAIL', reason: '12,345 frames lost (rule: at most 1 in any 2 s)' } as const),
    ...{ lostTotal: 12_345, lostNow: 60, framesSenderMissed: 4321, framesLateSource: 1234 },
    ...{ latencyP50Ms: 123.45, latencyP99Ms: 1234.5, longestGapMs: 12_345, bitrateMbps: 9876.5 },
    ...{ latencyUncertaintyMs: 12.3 },
  },
  {
    ...({ verdict: 'INVALID', reason: 'our receiving process was killed' } as const),
    ...({
      state: 'stalled',
      stateText: 'No picture for 5.4 s',
      remedy: 'Check the sender and the way to it',
    } as const),
    ...{ lostTotal: 7, lostNow: 0, lostNowInOutage: 60, framesInOutages: 324 },
    ...({ lastLossStage: 'outage', lastOutageMs: 12_345_600 } as const),
    lastLoss:
      'since 16:05:13.612 UTC, no new picture for 12345.6 s, not over: about 740,736 frames at 60 fps (an estimate)',
  },
  {
    ...({ state: 'sender-gone', remedy: 'Check that the sender runs, and the way to its machine' } as const),
    ...({ verdict: 'INVALID', reason: 'the sender went away' } as const),
    stateText: 'No connection to the sender, and discovery no longer lists it',
    ...{ deliveredFps: null, latencyP50Ms: null, latencyP99Ms: null, longestGapMs: null },
  },
].map((change, index) => streamView(index + 1, { name: names[index] ?? '', ...change }));

test('streams that lose frames, stand still and are given up, with alerts of several streams', async ({
  whiteline,
}) => {
  const { page } = whiteline;
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  await say(whiteline, [
    { type: 'state', state: stateOf({ streams, state: { mode: 'live', alerts } }) },
    { type: 'rows', from: 0, rows: lossRows, provisional: lossRows.length - 1 },
  ]);
  await expect(page.getByTestId('stream-strip')).toHaveCount(streams.length);
  for (const density of ['Strips', 'Rows', 'Grid', 'Pictures']) {
    await page.getByText(density, { exact: true }).click();
    await shootAll(whiteline, `errors-streams-${density.toLowerCase()}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('w');
  await expect(page.getByTestId('alert').first()).toBeVisible();
  await shootAll(whiteline, 'errors-alerts');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('w');
  await page.getByText('Strips', { exact: true }).click();
  const table = page.getByTestId('study-table');
  // All columns find room in the smallest window.
  await expect(table.getByTestId('more-columns')).toHaveCount(0);
  const pane = table.locator('xpath=ancestor::section');
  await pane.evaluate((element) => element.style.setProperty('max-width', '50rem'));
  await expect(table.getByTestId('more-columns')).toHaveText(/^\d+ more →$/);
  await expect(table.getByTestId('more-columns-left')).toHaveCount(0);
  await pane.evaluate((element) => element.scrollTo({ left: 1e6 }));
  await expect(table.getByTestId('more-columns-left')).toHaveText(/^← \d+ more$/);
  await expect(table.getByTestId('more-columns')).toHaveCount(0);
  await shoot(page, 'errors-alerts-scrolled');
});

const longReason =
  'the sender missed 1 frame while the transport’s send call had not returned (sdk-send-blocked), not judged: ' +
  'our engine process waited for a processor for 0.406 s (limit 0.25 s); other programs took 87.2 % of the CPU (limit 25 %)';

/** Of the same name but for its end, as those that a console numbers. */
const numbered = [1, 2, 3, 4, 5, 6].map((id) =>
  streamView(id, {
    ...{ name: `CONTROL-ROOM-2 (Stage camera ${id})`, lostTotal: 12 * id, lostNow: 3, longestGapMs: 1234 },
    ...({ verdict: 'INVALID', reason: longReason } as const),
  }),
);

const run = { id: '1', folder: '/runs/1', title: 'Live', experiment: 'live', verdict: null, reason: '' };

/** All of a row, in the app's oldest window too. */
async function expectOneLine(page: Page): Promise<void> {
  const tops = await page
    .getByTestId('stream-strip')
    .first()
    .evaluate((row) => [...row.querySelectorAll('dd')].map((figure) => figure.getBoundingClientRect().top));
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12);
}

test('alerts beside one stream, four and six', async ({ whiteline }) => {
  const { page } = whiteline;
  const format = page.getByRole('region', { name: 'Source' }).getByRole('textbox', { name: 'Format' });
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  for (const count of [1, 4, 6]) {
    const shown = numbered.slice(0, count);
    const alone = shown.map((stream) => ({ ...stream, bitrateMbps: count === 1 ? 123.4 : null }));
    await say(whiteline, [
      { type: 'state', state: stateOf({ streams: alone, state: { mode: 'live', alerts, run } }) },
      { type: 'rows', from: 0, rows: lossRows, provisional: lossRows.length - 1 },
    ]);
    await expect(page.getByTestId('stream-strip')).toHaveCount(count);
    if (count === 6) await expectOneLine(page);
    await shootAll(whiteline, `errors-alerts-beside-${count}`, tightSizes);
    // The verdict, whose sentence had much room in the larger window, gives it back.
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect(format).toBeInViewport({ ratio: 1 });
  }
});

test('a run that measured nothing, and a form of which much is changed', async ({ whiteline }) => {
  const { page } = whiteline;
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  await page.keyboard.press('2');
  const topOf = (field: string) =>
    page
      .locator(`[data-field="${field}"]`)
      .getByRole('textbox')
      .evaluate((input) => input.getBoundingClientRect().top);
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.locator('[data-field="holdSeconds"]').getByRole('textbox').fill('7');
  await page.locator('[data-field="maxStreams"]').getByRole('textbox').fill('7');
  await expect(page.locator('[data-field][data-changed]')).toHaveCount(2);
  expect(await topOf('holdSeconds')).toBe(await topOf('sendOn'));
  await shootAll(whiteline, 'errors-form-changed', tightSizes);
  const refused = {
    ...run,
    experiment: 'stream-load',
    title: 'Stream load',
    reason: 'No fleet is set up on this machine',
  };
  await say(whiteline, [
    { type: 'state', state: stateOf({ streams: [], state: { run: refused } }) },
    { type: 'rows', from: 0, rows: [], provisional: null },
  ]);
  await page.getByText('Results', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Open report' })).toBeDisabled();
  await expect(page.getByTestId('run-view').getByRole('button', { name: /^Export/ })).toBeDisabled();
  await expect(page.getByTestId('run-view')).not.toContainText('The first row appears');
  await shootAll(whiteline, 'errors-run-of-nothing', tightSizes);
});
