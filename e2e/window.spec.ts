import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { recordRamp } from '../app/testing/recorded-ramp';
import { expect, test, typeFormat } from './app';

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

test('a recorded run scrolls in its pane alone; as a baseline it is deleted and pinned again by undo', async ({
  whiteline,
}) => {
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

  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: 'Unpin baseline' })).toBeVisible();
  await page.keyboard.press('Delete');
  const toast = page.getByTestId('undo-toast');
  await expect(toast).toContainText('It was the pinned baseline of Stream load');
  await toast.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.locator('[data-run]').first()).toContainText('Baseline');
});

test('all errors of a form stand beside it while it is typed, and nothing is sent; letters grow with the window', {
  tag: '@electron',
}, async ({ whiteline, folder }) => {
  const { app, page, command } = whiteline;
  await test.step('letters of charts grow with the window at once', async () => {
    const axis = page.getByTestId('chart-cpu').locator('.u-axis').last();
    // An axis is as wide as its letters need; they have 0.72 of the size of the page's, and 12 px at least.
    const sizeOfLetters = () =>
      axis.evaluate((element) => Number.parseFloat(getComputedStyle(element).width) / 4.2);
    const sizeOfPage = () =>
      page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    for (const size of [...sizes, ...sizes]) {
      await page.setViewportSize(size);
      const expected = Math.max(12, Math.round(0.72 * (await sizeOfPage())));
      await expect.poll(sizeOfLetters).toBeCloseTo(expected, 0);
    }
    expect(await sizeOfPage()).toBeGreaterThan(15);
  });

  await test.step('a ramp', async () => {
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
    await expect(page.getByTestId('source-problem')).toContainText('Choose a movie first');
    await expect(page.getByTestId('alert')).toHaveCount(0);
  });

  await test.step('a format is refused with its value, and what is no movie with the field and the remedy', async () => {
    await page.getByText('White line', { exact: true }).last().click();
    for (const format of ['0x0@60', '641x360@30', '300x100@30', '99999x99999@1']) {
      await typeFormat(page, format);
      await expect(page.getByTestId('field-problem').filter({ hasText: format })).toBeVisible();
    }
    const notAMovie = join(folder, 'notes.mov');
    writeFileSync(notAMovie, 'not a movie');
    const problem = await command({
      name: 'addStream',
      parameters: { source: notAMovie, format: '640x360@30', pixelFormat: 'uyvy' },
    });
    expect(problem).toMatchObject({ code: 'MOVIE_UNREADABLE', field: 'source', value: notAMovie });
    expect(problem?.remedy).toContain('movie');
    await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  });

  await test.step('an experiment with errors shows all of them and does not come into the plan', async () => {
    await page.keyboard.press('2');
    await page.locator('[data-experiment="storage"]').click();
    const field = (name: string) => page.locator(`[data-field="${name}"]`);
    await field('folders').getByRole('textbox').fill(folder);
    await field('sizeMib').getByRole('textbox').fill('9');
    await page.getByRole('button', { name: 'Advanced' }).click();
    await field('repeats').getByRole('textbox').fill('few');
    for (const name of ['sizeMib', 'repeats'])
      await expect(field(name).getByTestId('field-problem')).toBeVisible();
    await page.getByRole('button', { name: 'Add to plan' }).click();
    await expect(field('sizeMib').getByRole('textbox')).toBeFocused();
    await expect(page.getByTestId('plan-step')).toHaveCount(0);
  });
});
