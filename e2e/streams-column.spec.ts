import type { Locator } from '@playwright/test';
import { expect, killArchive, test } from './app';

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not shown');
  return box;
}

test('an alert and errors make the settings scroll; tools and verdict stay in sight below them', async ({
  whiteline,
}) => {
  const { page, command } = whiteline;
  // A table and a verdict with a reason take the most room.
  await command({
    name: 'startExperiment',
    experiment: 'stream-load',
    parameters: {
      ...{ source: 'white-line', format: '640x360@30', name: 'Whiteline', maxStreams: 2 },
      ...{ holdSeconds: 1, warmUpSeconds: 0.5, stopOn: [], inject: 'miss:10-14' },
    },
  });
  await expect(page.getByTestId('verdict-tile')).toHaveAttribute('data-verdict', /./, { timeout: 60_000 });
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });
  await page.keyboard.press('3');
  await killArchive(whiteline);
  await expect(page.getByTestId('alert').filter({ hasText: 'was started again' })).toBeVisible();
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
    const tile = await boxOf(page.getByTestId('verdict-tile'));
    const tools = await boxOf(freeze);
    expect(tools.y + tools.height).toBeLessThanOrEqual(tile.y);
    // Scrolling shows every error, whole and above the tools.
    const problem = page.getByTestId('field-problem').last();
    await problem.scrollIntoViewIfNeeded();
    await page.screenshot({ path: test.info().outputPath(`column-${size.width}.png`) });
    const scrolled = await boxOf(problem);
    expect(scrolled.y + scrolled.height).toBeLessThanOrEqual(tools.y);
    // No click of the test goes through what lies above it.
    await freeze.click();
    await freeze.click();
  }
});
