import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { recordRun } from '../app/testing/recorded-run';
import { expectAccessible } from './accessibility';
import { endRun, expect, test } from './app';
import { expectAllUsed, watchControls } from './controls';
import { expectFits } from './layout';
import { openedBySystem, standInForSystem } from './system';

const clip = fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url));

/** Buttons and keys that another test uses, or that look to something outside of this test. */
const elsewhere = [
  // controls-streams.spec.ts, controls-nmos.spec.ts.
  /^(bar|Streams|NMOS): /,
  // experiments.spec.ts writes and opens plans, ramp.spec.ts and sessions.spec.ts export, settings.spec.ts restarts.
  /^Experiments: (Save as YAML|Open…|key Control\+Shift\+Enter)/,
  /^sheet: (Report|Run|Rows|Everything) /,
  /^Settings: Restart engine/,
  'Sessions: Import a run folder…',
  /^sheet: Keep( measuring)?$/,
  // Of a verdict that is longer than its tile: streams.spec.ts.
  /: Full text$/,
  // movie.spec.ts.
  /^Sessions: (Run again|key R$)/,
  /^Sessions: Mark .+: Marked as/,
  // Of steps and fields, one stands for all.
  /^Experiments: Advanced .+ changed$/,
  /^Experiments: (0\. |(Move|Remove|Reset) .+ (up|down|from the plan|to its default))/,
];

/** Folder of the run that has the focus. */
function focusedRun(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-run') ?? null);
}

test('each button and key of Experiments', async ({ whiteline, folder }) => {
  const { page } = whiteline;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const field = (name: string) => page.locator(`[data-field="${name}"]`).getByRole('textbox');
  await standInForSystem(whiteline, clip);
  await page.keyboard.press('2');
  const detail = page.getByTestId('experiment-detail');
  await expect(detail).toBeVisible();
  await watchControls(page);

  await test.step('each experiment opens with its form', async () => {
    const experiments = page.locator('[data-experiment]');
    for (const experiment of await experiments.all()) {
      await experiment.click();
      await expect(experiment).toHaveAttribute('aria-current', /.+/);
      const look = detail.getByRole('button', { name: 'Check again' });
      if (await look.isVisible()) await look.click();
      const id = await experiment.getAttribute('data-experiment');
      await expectFits(page, `experiment-${id}`);
      const advanced = detail.getByRole('button', { name: 'Advanced' });
      if (await advanced.isVisible()) {
        await advanced.click();
        await expect(advanced).toHaveAttribute('aria-expanded', 'true');
        await expectFits(page, `experiment-${id}-advanced`);
      }
      for (const choose of await detail.getByRole('button', { name: /^Choose an? .+…$/ }).all())
        await choose.click();
    }
  });

  await test.step('a movie is chosen, and everything set back', async () => {
    await page.locator('[data-experiment="stream-load"]').click();
    await expect(field('source')).toHaveValue(clip);
    await button('Reset Source').click();
    await expect(field('source')).toHaveValue('white-line');
    await field('maxStreams').fill('2');
    await button('Reset all').click();
    await expect(field('maxStreams')).not.toHaveValue('2');
  });

  await test.step('a plan by its buttons', async () => {
    const steps = page.getByTestId('plan-step');
    await page.locator('[data-experiment="storage"]').click();
    await field('folders').fill(folder);
    await button('Add to plan').click();
    await page.locator('[data-experiment="preflight"]').click();
    await button('Add to plan').click();
    await expect(steps).toHaveText([/Storage/, /Preflight/]);
    await button('Move Preflight up').click();
    await expect(steps).toHaveText([/Preflight/, /Storage/]);
    await button('Move Preflight down').click();
    await expect(steps).toHaveText([/Storage/, /Preflight/]);
    await page.getByRole('textbox', { name: 'How many runs of Storage' }).fill('3');
    await button(/^1\. Storage/).click();
    await page.getByRole('textbox', { name: 'Name of this step' }).fill('Scratch disk');
    await expect(steps.first()).toContainText('1. Scratch disk');
    await expectAccessible(page);
    await expectFits(page, 'plan');
    await button('Back to the experiment').click();
    await button(/^2\. Preflight/).focus();
    for (const key of ['Alt+ArrowUp', 'Alt+ArrowDown', 'Delete']) await page.keyboard.press(key);
    await expect(steps).toHaveCount(1);
    await button('Remove Scratch disk from the plan').click();
    await expect(steps).toHaveCount(0);
    await page.keyboard.press('Alt+Enter');
    await button('Clear plan').click();
    await expect(steps).toHaveCount(0);
  });

  await test.step('a run and a plan, each stopped by another button', async () => {
    const mode = page.getByTestId('mode');
    const run = page.getByTestId('run-view');
    await page.locator('[data-experiment="storage"]').click();
    await field('folders').fill(folder);
    await field('sizeMib').fill('16');
    await field('holdSeconds').fill('1');
    await button('Add to plan').click();
    await detail.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(mode).toHaveText('Experiment');
    // Only a run with a row has a report.
    await expect(run.locator('tbody tr')).not.toHaveCount(0);
    await run.getByRole('button', { name: 'Stop' }).click();
    await expect(mode).toHaveText('Idle');
    const folded = run.getByRole('button', { expanded: false });
    for (let left = await folded.count(); left > 0; left--) await folded.first().click();
    await run.getByRole('button', { name: 'Open report' }).click();
    await expect.poll(() => openedBySystem(whiteline)).toEqual([expect.stringMatching(/report\.html$/)]);
    await run.getByRole('button', { name: 'Export…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expectFits(page, 'experiment-stopped');

    await page.getByText('Set up', { exact: true }).click();
    await button('Run plan').click();
    await expect(page.getByTestId('plan-runs')).toBeVisible();
    await expect(mode).toHaveText('Experiment');
    await endRun(page);
    await expect(mode).toHaveText('Idle');
    await expectFits(page, 'plan-stopped');
    await page.getByTestId('plan-runs').getByRole('button').first().click();
    await expect(button('Sessions')).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('2');
    await page.getByText('Set up', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await expect(mode).toHaveText('Experiment');
    await endRun(page);
    await expect(mode).toHaveText('Idle');
  });

  await expectAllUsed(page, [...elsewhere, /^Sessions: /]);
});

test('each button and key of Sessions, Preflight, Settings and About', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const sheet = page.getByRole('dialog');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  recordRun(join(runsFolder, 'run-100'), { startedAt: '2026-11-20T10:00:00.000Z', host: 'first' });
  // A page of the list holds 100 runs.
  for (let number = 101; number < 202; number += 1)
    cpSync(join(runsFolder, 'run-100'), join(runsFolder, `run-${number}`), { recursive: true });
  recordRun(join(runsFolder, 'newest'), { startedAt: '2026-11-21T10:00:00.000Z', verdict: 'FAIL' });
  await standInForSystem(whiteline, '');
  await press('3');
  const lines = page.locator('[data-run]');
  await expect(lines).toHaveCount(100);
  await watchControls(page);

  await test.step('the list, page by page and by its keys', async () => {
    await expectFits(page, 'sessions');
    await button(/^Older/).click();
    await expect(lines).toHaveCount(3);
    await button(/^Newer/).click();
    await expect(lines).toHaveCount(100);
    await lines.first().focus();
    for (const [key, at] of [
      ['End', 99],
      ['PageUp', 89],
      ['ArrowUp', 88],
      ['Home', 0],
      ['PageDown', 10],
      ['ArrowDown', 11],
    ] as const) {
      await press(key);
      expect(await focusedRun(page), key).toBe(await lines.nth(at).getAttribute('data-run'));
    }
    await page.getByRole('combobox', { name: 'Experiment' }).selectOption({ index: 1 });
    await press('/');
    await page.keyboard.type('first');
    await expect(page.getByRole('status').filter({ hasText: '102 of 103 runs' })).toBeVisible();
    await button('Clear filters').click();
    await expect(lines.first()).toHaveAttribute('data-run', 'newest');
  });

  await test.step('runs are marked and compared', async () => {
    await button(/^Mark /)
      .first()
      .click();
    await button('Unmark').click();
    await expect(button('Unmark')).toHaveCount(0);
    await lines.first().focus();
    await press(' ', 'ArrowDown', ' ');
    await button('Report of the marked…').click();
    await press('Escape');
    await button('Compare A and B').click();
    await expect(page.getByTestId('compared-run')).toHaveCount(2);
    await page.getByText('All figures', { exact: true }).click();
    await expectFits(page, 'comparison');
    await page.getByRole('button', { name: 'What changed between the runs' }).click();
    await page.getByText('Charts', { exact: true }).click();
    await expectAccessible(page);
    await button(/^Swap/).click();
    await page.getByTestId('compared-run').first().getByRole('button').click();
    await expect(page.getByTestId('run-verdict')).toBeVisible();
    await button('Comparison').click();
    await button('History').click();
    await press('c', 'x', 'Escape');
    await expect(lines).toHaveCount(100);
  });

  await test.step('a run and all that is done with it', async () => {
    await lines.first().focus();
    await press('Enter');
    await expect(page.getByTestId('run-verdict')).toContainText('FAIL');
    for (const part of ['Streams and losses', 'Notes and events', 'Conditions', 'Results']) {
      await page.getByText(part, { exact: true }).click();
      await expect(page.getByRole('region', { name: part })).toBeVisible();
    }
    await expectFits(page, 'run');
    await button('Report').click();
    await button('Folder').click();
    await expect
      .poll(() => openedBySystem(whiteline))
      .toEqual([expect.stringMatching(/report\.html$/), expect.stringMatching(/newest\/events\.jsonl$/)]);
    await page.getByTestId('study-table').first().getByRole('button').first().click();
    await expect(sheet.getByTestId('row-detail')).toBeVisible();
    await press('Escape');
    for (const [name, key] of [
      ['Rename', 'F2'],
      ['Note', 'n'],
      ['Export', 'e'],
    ] as const) {
      await page.locator('main').getByRole('button', { name }).first().click();
      await expect(sheet).toBeVisible();
      await expectAccessible(page);
      await expectFits(page, `sessions-${name.toLowerCase()}`);
      await sheet.getByRole('button', { name: 'Close' }).click();
      await expect(sheet).toHaveCount(0);
      await press(key);
      await expect(sheet).toBeVisible();
      if (name === 'Rename') await sheet.getByRole('button', { name: 'Save' }).click();
      else await press('Escape');
      await expect(sheet).toHaveCount(0);
    }
    await button('Picture…').click();
    await button('Pin as baseline').click();
    await expect(button('Unpin baseline')).toBeVisible();
    await press('b');
    await expect(button('Pin as baseline')).toBeVisible();
    await press('b');
    await button('Unpin baseline').click();
    await button('Pin as baseline').click();
    await expect(button('Unpin baseline')).toBeVisible();
    await button('Compare with…').click();
    await expect(button('Unmark')).toBeVisible();
    await lines.nth(2).click();
    await button('Compare with baseline').click();
    await expect(page.getByTestId('compared-run')).toHaveCount(2);
    await button('← Run').click();
    await expect(page.getByTestId('run-verdict')).toBeVisible();
    await press('Escape');
  });

  await test.step('another session is named', async () => {
    await button('New session…').click();
    await expectAccessible(page);
    await sheet.getByRole('textbox').fill('Hall 3');
    await sheet.getByRole('button', { name: 'Begin' }).click();
    await expect(page.getByTestId('open-session')).toHaveText('Session: Hall 3');
  });

  await test.step('runs are deleted, brought back and erased', async () => {
    await lines.nth(1).click();
    await button('Delete').click();
    const toast = page.getByTestId('undo-toast');
    await toast.getByRole('button', { name: /^Undo/ }).click();
    await expect(toast).toHaveCount(0);
    await lines.nth(1).click();
    await expect(button('Delete')).toBeVisible();
    await press('Delete');
    await toast.getByRole('button', { name: /^Dismiss/ }).click();
    await expect(toast).toHaveCount(0);
    await button('Deleted runs').click();
    await expectAccessible(page);
    await expectFits(page, 'sessions-deleted');
    await sheet.getByRole('button', { name: /^Restore/ }).click();
    await expect(sheet).toContainText('No deleted runs');
    await press('Escape');
    await lines.nth(1).focus();
    await press('Delete');
    await button('Deleted runs').click();
    await sheet.getByRole('button', { name: /^Erase .* for good/ }).click();
    await sheet.getByRole('button', { name: /no undo/ }).click();
    await expect(sheet).toContainText('No deleted runs');
    await sheet.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a look that is stopped', async () => {
    await press('4');
    await expectFits(page, 'preflight');
    await button('Choose a movie…').click();
    await button('Check now').click();
    await page.getByTestId('preflight-progress').getByRole('button', { name: 'Stop' }).click();
    await expect(button('Check again')).toBeEnabled();
    await button('Check again').click();
    await expect(page.getByTestId('preflight-progress')).toBeVisible();
    await endRun(page);
    await expect(page.getByTestId('preflight-summary')).toContainText('Stopped before its end');
    await expectFits(page, 'preflight-stopped');
  });

  await test.step('settings: the theme, thresholds and paths', async () => {
    await press('7');
    const isDark = () => whiteline.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors);
    await page.getByText('Light', { exact: true }).click();
    await expect.poll(isDark).toBe(false);
    await page.getByText('Dark', { exact: true }).click();
    await expect.poll(isDark).toBe(true);
    await page.getByText('Own file…', { exact: true }).click();
    await button('Runtime: Choose…').click();
    await button('Folder of the runs: Choose…').click();
    await button('Logo: Choose…').click();
    await page.getByText('Letter', { exact: true }).click();
    await button('ndi.video').first().click();
    await standInForSystem(whiteline, runsFolder);
    await button('Runtime: Choose…').click();
    await button('Runtime: Use the usual one').click();
    await button('Folder of the runs: Choose…').click();
    await expectFits(page, 'settings');
    await button('Folder of the runs: Use the usual one').click();
    await expect(button(/Use the usual one/)).toHaveCount(0);
  });

  await test.step('about: each notice, the link and the folder', async () => {
    await press('8');
    for (const notice of ['Licence', 'Notices', 'Libraries', 'NDI runtime']) {
      await page.getByText(notice, { exact: true }).click();
      await expect(page.getByTestId('notice-text')).not.toBeEmpty();
    }
    await expectFits(page, 'about');
    await page.locator('main').getByRole('button', { name: 'ndi.video' }).click();
    await button('Open the runs folder').click();
    await expect.poll(() => openedBySystem(whiteline)).toEqual(['https://ndi.video', runsFolder]);
  });

  await expectAllUsed(page, elsewhere);
});
