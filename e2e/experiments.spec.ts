import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { declarations } from '../app/experiments/declarations';
import { expectAccessible } from './accessibility';
import { expect, test } from './app';
import { seenWhile } from './passing';
import { openedBySystem, standInForSystem } from './system';

const fieldOf = (page: Page, name: string): Locator => page.locator(`[data-field="${name}"]`);

/** The smallest measurement of a disk that there is: one test, one pass of a second. */
async function fillStorage(page: Page, folder: string): Promise<void> {
  await page.locator('[data-experiment="storage"]').click();
  await fieldOf(page, 'folders').getByRole('textbox').fill(folder);
  await fieldOf(page, 'sizeMib').getByRole('textbox').fill('16');
  await fieldOf(page, 'holdSeconds').getByRole('textbox').fill('1');
  await expect(fieldOf(page, 'repeats')).toHaveCount(0);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await fieldOf(page, 'repeats').getByRole('textbox').fill('1');
  for (const name of ['SEQ1M-Q8T1', 'RND4K-Q32T16', 'RND4K-Q1T1'])
    await fieldOf(page, 'tests').getByRole('checkbox', { name }).uncheck();
  await fieldOf(page, 'operations').getByRole('checkbox', { name: 'write' }).uncheck();
}

test('an experiment by its form, and a plan of two, by drag and by keys', async ({ whiteline, folder }) => {
  const { app, page, runsFolder } = whiteline;
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  await page.keyboard.press('2');
  const detail = page.getByTestId('experiment-detail');
  await expect(page.locator('[data-experiment]')).toHaveCount(declarations.length);

  await test.step('a run that another window started stays to be seen once it is over', async () => {
    const parameters = { ratesHz: [1000], holdSeconds: 0.5 };
    const running = { '[data-testid="mode"]': /^Experiment$/, '[data-testid="run-view"]': /Quiet machine/ };
    const started = { name: 'startExperiment', experiment: 'quiet', parameters } as const;
    await seenWhile(page, [running], async () => {
      expect(await whiteline.command(started)).toBeNull();
    });
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await expect(page.getByTestId('run-view').getByTestId('first-chart')).toBeVisible();
    await page.getByText('Set up', { exact: true }).click();
  });

  await test.step('the form says what is wrong while it is typed, and how long it will take', async () => {
    await fillStorage(page, disk);
    await expect(page.getByTestId('expected-time')).toHaveText('About 1 s');
    const size = fieldOf(page, 'sizeMib');
    await size.getByRole('textbox').fill('9');
    await expect(size.getByTestId('field-problem')).toContainText(
      'Expected a whole number from 16 to 1048576 MiB for “Test file size” but received 9',
    );
    await expect(page.getByTestId('expected-time')).toHaveText('Fix “Test file size”');
    await size.getByRole('button', { name: 'Reset Test file size' }).click();
    await expect(size.getByRole('textbox')).toHaveValue('1024');
    await expect(size.getByTestId('field-problem')).toHaveCount(0);
    await size.getByRole('textbox').fill('16');
    await expect(page.getByTestId('field-help')).toContainText('at most a tenth of the free space');
    await expectAccessible(page);
  });

  await test.step('a start with errors opens what is folded, and leads to the first of them', async () => {
    const advanced = page.getByRole('button', { name: 'Advanced' });
    await expect(advanced).toContainText('5 settings, 3 changed');
    const repeats = fieldOf(page, 'repeats').getByRole('textbox');
    await repeats.fill('51');
    await expect(fieldOf(page, 'repeats').getByTestId('field-problem')).toBeVisible();
    await detail.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(repeats).toBeFocused();
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    // What was wrong before is not where it leads, and what is wrong is said a moment after it was typed.
    const size = fieldOf(page, 'sizeMib').getByRole('textbox');
    await size.fill('9');
    await repeats.fill('1');
    await page.keyboard.press('Control+Enter');
    await expect(size).toBeFocused();
    await size.fill('16');
    await expect(page.getByTestId('expected-time')).toHaveText('About 1 s');
  });

  await test.step('a run shows its row and its verdict', async () => {
    await expect(detail.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
    const running = { '[data-testid="mode"]': /^Experiment$/, '[data-testid="run-progress"]': /\w/ };
    await seenWhile(page, [running], () => page.keyboard.press('Control+Enter'));
    await expect(page.getByTestId('verdict-tile')).toHaveAttribute('data-verdict', /.+/);
    const row = page.getByTestId('study-table').first().locator('tbody tr');
    await expect(row).toHaveCount(1);
    await expect(row.locator('[data-metric="storage.medianMBps"]')).toHaveText(/^[\d,.]+$/);
    await standInForSystem(whiteline);
    await page.getByRole('button', { name: 'Open report' }).click();
    await expect
      .poll(() => openedBySystem(whiteline))
      .toEqual([expect.stringMatching(/-storage[/\\]report\.html$/)]);
  });

  await test.step('the plan is put together, ordered and saved', async () => {
    const plan = page.getByTestId('plan');
    const steps = plan.getByTestId('plan-step');
    const storage = page.locator('[data-experiment="storage"]');
    await storage.click();
    await storage.dragTo(plan);
    await expect(steps).toHaveCount(1);
    await expect(steps).toContainText('Test file size 16 MiB');
    await page.locator('[data-experiment="preflight"]').click();
    await fieldOf(page, 'durationSeconds').getByRole('textbox').fill('0.5');
    await page.keyboard.press('Alt+Enter');
    await expect(steps).toHaveCount(2);
    await steps.nth(1).getByRole('button').first().focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(steps.first()).toContainText('Preflight');
    await expect(steps.first().getByRole('button').first()).toBeFocused();
    await steps
      .nth(1)
      .getByRole('button')
      .first()
      .dragTo(steps.first(), { targetPosition: { x: 40, y: 4 } });
    await expect(steps.first()).toContainText('Storage');
    await page.keyboard.press('Alt+Enter');
    await expect(steps).toHaveCount(3);
    await steps.nth(2).getByRole('button').first().focus();
    await page.keyboard.press('Delete');
    await expect(steps).toHaveCount(2);
    await expectAccessible(page);
    await page.reload();
    // The same screen is shown again, with what was put together on it.
    await expect(steps).toHaveCount(2);

    const file = join(folder, 'evening.yaml');
    await plan.getByRole('textbox', { name: 'Name of the plan' }).fill('Evening');
    await app.evaluate(({ dialog }, place) => {
      // Under the name that the dialog proposes.
      dialog.showSaveDialog = async (...given: unknown[]) => {
        const { defaultPath = '' } = given[given.length - 1] as { defaultPath?: string };
        return { canceled: false, filePath: `${place}/${defaultPath.split('/').pop()}` };
      };
    }, folder);
    await plan.getByRole('button', { name: 'Save as YAML…' }).click();
    await expect(page.getByTestId('alert').filter({ hasText: file })).toBeVisible();
    expect(readFileSync(file, 'utf8')).toMatch(
      /name: Evening[\s\S]*experiment: storage[\s\S]*experiment: preflight/,
    );
    await plan.getByRole('button', { name: 'Clear plan' }).click();
    await expect(steps).toHaveCount(0);
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
    }, file);
    await plan.getByRole('button', { name: 'Open…' }).click();
    await expect(steps).toHaveText([/Storage.*Test file size 16 MiB/, /Preflight.*Listening time 0.5 s/]);
  });

  await test.step('the plan runs as a whole', async () => {
    const runs = page.getByTestId('plan-runs');
    const running = [/Run\s\d\sof\s2/, /\d+\ss\sleft/].map((words) => ({
      '[data-testid="plan-runs"]': words,
    }));
    await seenWhile(page, running, () => page.keyboard.press('Control+Shift+Enter'));
    await expect(runs.getByTestId('planned-run').nth(1)).toHaveAttribute('data-state', 'finished');
    await expect(runs).toContainText('2 runs:');
    await expectAccessible(page);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await page.getByRole('button', { name: '1. storage' }).click();
    await expect(page.getByRole('button', { name: 'Sessions' })).toHaveAttribute('aria-current', 'page');
    const session = readdirSync(runsFolder).find((name) => name.endsWith('-evening')) ?? '';
    expect(readdirSync(join(runsFolder, session))).toEqual(
      expect.arrayContaining(['01-storage', '02-preflight', 'plan.yaml', 'session.json']),
    );
  });
});
