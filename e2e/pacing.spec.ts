import type { Locator, Page } from '@playwright/test';
import { readRun } from '../app/engine/sessions/read-run';
import { numberOf } from '../app/facts/row-figures';
import { expectAccessible } from './accessibility';
import { expect, newestRun, test } from './app';
import { seenWhile } from './passing';

const fieldOf = (page: Page, name: string): Locator => page.locator(`[data-field="${name}"]`);

test('packets are paced from the window: charts while it runs, then the result', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  await page.keyboard.press('2');
  await page.locator('[data-experiment="pacing"]').click();
  for (const method of ['txtime', 'burst'])
    await fieldOf(page, 'methods').getByRole('checkbox', { name: method }).uncheck();
  await fieldOf(page, 'holdSeconds').getByRole('textbox').fill('2');
  await page.getByRole('button', { name: 'Advanced' }).click();
  // Datagrams need no right.
  await fieldOf(page, 'path').getByRole('radio', { name: 'udp' }).check({ force: true });
  await expect(page.getByTestId('expected-time')).toHaveText('About 8 s');

  await test.step('each row’s distribution is drawn while the run goes on', async () => {
    const running = { '[data-testid="mode"]': /^Experiment$/ };
    const phases = ['timer', 'spin'].map((phase) => ({
      ...running,
      [`[data-testid="run-progress"][data-phase="${phase}"]`]: /\w/,
    }));
    const anything = /(?:)/;
    const drawn = {
      ...running,
      '[data-series="pacing.interval.curve"][data-row="0"]': anything,
    };
    await seenWhile(page, [...phases, drawn], () => page.keyboard.press('Control+Enter'));
  });

  await test.step('the table, the verdict and what was recorded agree', async () => {
    const rows = page.getByTestId('study-table').first().locator('tbody tr');
    await expect(rows).toHaveCount(2);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await expect(page.getByTestId('verdict-tile')).toHaveAttribute('data-verdict', /.+/);
    for (const method of ['timer', 'spin'])
      await expect(rows.filter({ hasText: method }).first()).toBeVisible();
    await expect(page.locator('[data-series="pacing.interval.curve"]')).toHaveCount(2);
    await page.getByRole('button', { name: 'More charts' }).click();
    await expect(page.locator('[data-series="pacing.interval.longestUs"][data-row="0"]')).toHaveCount(1);
    await expect(page.locator('[data-histogram="pacing.interval.histogram"]').first()).toBeVisible();
    const { state, rows: recorded } = readRun(newestRun(runsFolder));
    expect(state).toBe('finished');
    for (const row of recorded) {
      expect(numberOf(row, 'pacing.packetsSent')).toBe(16_000);
      const lost = numberOf(row, 'pacing.packetsLost');
      expect(lost).toBeLessThan(16_000);
      expect(lost).toBeGreaterThanOrEqual(numberOf(row, 'pacing.overflowed') ?? 0);
    }
    await expectAccessible(page);
  });
});
