import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { recordRamp } from '../app/testing/recorded-ramp';
import { recordRun } from '../app/testing/recorded-run';
import { expect, test } from './app';
import { seenWhile } from './passing';

const sizes = [
  { width: 1280, height: 720 },
  { width: 2560, height: 1440 },
];

/** How far the page itself can be scrolled: its header would leave then. */
function scrollsBy(page: Page): Promise<number> {
  return page.evaluate(() => {
    const root = document.documentElement;
    window.scrollTo(0, 10_000);
    const scrolled = [root, document.body, document.querySelector('main')?.parentElement];
    for (const element of scrolled) element?.scrollBy(0, 10_000);
    return Math.max(root.scrollHeight - root.clientHeight, ...scrolled.map((each) => each?.scrollTop ?? 0));
  });
}

test('an opened run scrolls in its pane alone', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  recordRamp(join(runsFolder, 'long'), { hour: 10, clean: 20, streams: 24, cpuPerStreamPercent: 3 });
  await page.keyboard.press('3');
  await page.locator('[data-run]').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-verdict')).toBeVisible();
  const room = page.getByRole('region', { name: 'Results' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    await room.focus();
    await page.keyboard.press('End');
    await expect.poll(() => room.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
    expect(await scrollsBy(page), `at ${size.width}×${size.height}`).toBe(0);
  }
});

test('letters of charts grow with the window at once', async ({ whiteline }) => {
  const { page } = whiteline;
  const axis = page.getByTestId('chart-cpu').locator('.u-axis').last();
  // An axis is as wide as its letters need: three times the size of the page's.
  const sizeOfLetters = () =>
    axis.evaluate((element) => Number.parseFloat(getComputedStyle(element).width) / 3);
  const sizeOfPage = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  for (const size of [...sizes, ...sizes]) {
    await page.setViewportSize(size);
    const expected = await sizeOfPage();
    await expect.poll(sizeOfLetters).toBeCloseTo(expected, 0);
  }
  expect(await sizeOfPage()).toBeGreaterThan(15);
});

test('without the engine nothing that is shown looks like now', async ({ whiteline }) => {
  const { app, page } = whiteline;
  const chart = page.getByTestId('chart-cpu').locator('figcaption b').first();
  const footer = page.getByRole('contentinfo').locator('b').first();
  for (const figure of [chart, footer]) await expect(figure).toHaveText(/^\d/);
  await app.evaluate(({ app }) => {
    const engine = app.getAppMetrics().find((metric) => metric.name === 'Whiteline engine');
    if (engine) process.kill(engine.pid, 'SIGKILL');
  });
  await expect(page.getByTestId('engine-crashed')).toBeVisible();
  for (const figure of [chart, footer]) await expect(figure).toHaveText('—');
  await expect(page.getByTestId('charts-silent')).toContainText(
    /Nothing was measured since \d\d:\d\d:\d\d UTC/,
  );
  await page.getByRole('button', { name: 'Restart engine' }).click();
  for (const figure of [chart, footer]) await expect(figure).toHaveText(/^\d/);
  await expect(page.getByTestId('charts-silent')).toHaveCount(0);
});

test('all errors of a ramp stand beside its form while it is typed, and nothing is sent', async ({
  whiteline,
}) => {
  const { app, page } = whiteline;
  await page.setViewportSize({ width: 1280, height: 720 });
  const ramp = page.getByRole('region', { name: 'Ramp' });
  await ramp.getByRole('textbox', { name: /^Streams/ }).fill('500');
  await ramp.getByRole('textbox', { name: /^Hold/ }).fill('abc');
  const problems = ramp.getByTestId('field-problem');
  await expect(problems).toHaveText([/^Streams:.* 64 .*500/, /^Hold:.*abc/]);
  for (const problem of await problems.all())
    expect((await problem.boundingBox())?.width).toBeGreaterThan(250);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Space');
  await expect(problems).toHaveCount(2);
  await expect(page.getByTestId('mode')).toHaveText('Idle');
  await expect(page.getByTestId('alert')).toHaveCount(0);

  await app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
  });
  await page.getByText('Movie', { exact: true }).click();
  await expect(page.getByTestId('source-problem')).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(page.getByTestId('source-problem')).toContainText('No movie is chosen yet');
  await expect(page.getByTestId('alert')).toHaveCount(0);
});

test('an experiment with errors shows all of them and does not come into the plan', async ({ whiteline }) => {
  const { page } = whiteline;
  await page.keyboard.press('2');
  await page.locator('[data-experiment="storage"]').click();
  const field = (name: string) => page.locator(`[data-field="${name}"]`);
  await field('sizeMib').getByRole('textbox').fill('9');
  await field('passes').getByRole('textbox').fill('few');
  for (const name of ['sizeMib', 'passes'])
    await expect(field(name).getByTestId('field-problem')).toBeVisible();
  await page.getByRole('button', { name: 'Add to plan' }).click();
  await expect(field('sizeMib').getByRole('textbox')).toBeFocused();
  await expect(page.getByTestId('plan-step')).toHaveCount(0);
});

test('what is done for the first stream is seen at once', async ({ whiteline }) => {
  const { page } = whiteline;
  const adding = { '[data-testid="adding"]': /measured without a stream/ };
  await seenWhile(page, [adding], () => page.keyboard.press('a'));
  await expect(page.getByTestId('empty')).toHaveCount(0);
  await expect(page.getByTestId('stream-strip')).toBeVisible();
});

test('a baseline that is deleted is said to be one, and pinned again by undo', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  recordRun(join(runsFolder, 'pinned'));
  await page.keyboard.press('3');
  await page.locator('[data-run]').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-verdict')).toBeVisible();
  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: 'Unpin baseline' })).toBeVisible();
  await page.keyboard.press('Delete');
  const toast = page.getByTestId('undo-toast');
  await expect(toast).toContainText('It was the pinned baseline of Stream load');
  await toast.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.locator('[data-run]').first()).toContainText('Baseline');
});
