import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordRamp } from '../app/testing/recorded-ramp';
import { recordRun } from '../app/testing/recorded-run';
import { expect, killArchive, launchConsole, test, typeFormat } from './app';
import { picturedSizes, shoot, shootAll } from './pictures';
import { sendBeside } from './sender';

/** Pictures of the screens, for people to view, and what does not fit in them: test-results/e2e/screens. */

test('sources of the network: none yet, chosen, followed, lost', async ({ whiteline }) => {
  const { page } = whiteline;
  await page.getByRole('radio', { name: 'Live NDI' }).check({ force: true });
  await expect(page.locator('[data-testid="live-none"][data-late]')).toBeVisible();
  await shootAll(whiteline, 'live-sources-none');
  const sender = await sendBeside('Whiteline', 3);
  try {
    for (const number of [1, 2]) {
      const source = page.getByTestId('live-source').filter({ hasText: `Whiteline ${number}` });
      await source.getByRole('radio').check({ force: true });
      await page.keyboard.press('a');
      await expect(source).toHaveAttribute('data-followed', 'true');
    }
    await page.waitForTimeout(6000);
    await shootAll(whiteline, 'live-sources');
  } finally {
    sender.kill('SIGTERM');
  }
  await page.waitForTimeout(6000);
  await shootAll(whiteline, 'live-sources-lost');
});

test('empty, sheets, live streams, a ramp with a red row', async ({ whiteline }) => {
  const { page, command } = whiteline;
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeEnabled();
  await shootAll(whiteline, 'empty');
  await page.keyboard.press('?');
  await shoot(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Presets' }).click();
  await shootAll(whiteline, 'presets');
  await page.keyboard.press('Escape');
  await page.getByText('Test clip', { exact: true }).click();
  await expect(page.getByTestId('battery')).toBeVisible();
  await shootAll(whiteline, 'battery');
  await page.keyboard.press('Escape');
  await page.locator('label', { hasText: 'White line' }).click();

  await typeFormat(page, '640x360@30');
  for (const count of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Add stream' }).click();
    await expect(page.getByTestId('stream-strip')).toHaveCount(count);
    await page.waitForTimeout(5000);
    await page.keyboard.press('m');
  }
  await page.keyboard.press('n');
  await shootAll(whiteline, 'note');
  await page.keyboard.press('Escape');
  await shootAll(whiteline, 'live');
  await page.keyboard.press('Escape');
  await shootAll(whiteline, 'end-run');
  await page.getByRole('button', { name: 'End the run' }).click();
  await expect(page.getByTestId('ended-strip')).toHaveCount(3);
  await shootAll(whiteline, 'stopped');
  await expect(page.getByTestId('mode')).toHaveText('Idle');

  const base = {
    source: 'white-line',
    format: '640x360@30',
    pixelFormat: 'uyvy' as const,
    name: 'Whiteline',
  };
  await command({
    name: 'startExperiment',
    experiment: 'stream-load',
    parameters: {
      ...base,
      maxStreams: 3,
      holdSeconds: 3,
      warmUpSeconds: 1,
      stopOn: ['sender-miss'],
      inject: 'miss:20-24; skip:40-41',
      audio: true,
    },
  });
  await expect(page.getByTestId('mode')).toHaveText('Ramp');
  await page.waitForTimeout(3000);
  await shoot(page, 'ramp-running');
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });
  await shootAll(whiteline, 'ramp-over');
  const details = page.getByTestId('study-table').getByRole('button');
  await details.last().press('Enter');
  await expect(page.getByTestId('row-detail').getByTestId('losses')).toBeVisible();
  await shootAll(whiteline, 'row-detail');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('row-detail')).toHaveCount(0);
});

test('engine crashed', async ({ whiteline }) => {
  const { app, page } = whiteline;
  await app.evaluate(({ app }) => {
    const engine = app.getAppMetrics().find((metric) => metric.name === 'Whiteline engine');
    if (engine) process.kill(engine.pid, 'SIGKILL');
  });
  await expect(page.getByTestId('engine-crashed')).toBeVisible();
  await shootAll(whiteline, 'engine-crashed');
});

test('no NDI', async ({ folder: own }) => {
  const whiteline = await launchConsole(own, { environment: { WHITELINE_NDI_PATH: join(own, 'nowhere') } });
  await expect(whiteline.page.getByTestId('ndi-version')).toHaveText('NDI not found');
  await shootAll(whiteline, 'no-ndi');
  await whiteline.app.close();
});

test('the source of a stream, in its own blocks and as received', async ({ whiteline }) => {
  const { page, command } = whiteline;
  const play = async (source: string) => {
    const parameters = { source, format: '1280x720@30', pixelFormat: 'uyvy' } as const;
    await command({ name: 'addStream', parameters });
    await expect(page.getByTestId('stream-state')).toHaveText('Receiving');
    await page.keyboard.press('v');
    await page.waitForTimeout(1500);
  };
  await play(fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url)));
  await shootAll(whiteline, 'source-blocks');
  await command({ name: 'stop' });
  await expect(page.getByTestId('picture-notice')).toContainText('has ended');
  await shoot(page, 'source-ended');
  await page.keyboard.press('Escape');
  await play('white-line');
  await shootAll(whiteline, 'source-as-received');
});

test('experiments: a form, a plan, a run and a plan that is run', async ({ whiteline, folder: own }) => {
  const { page } = whiteline;
  await page.keyboard.press('2');
  await expect(page.getByTestId('experiment-detail')).toBeVisible();
  await shootAll(whiteline, 'experiments');
  await page.locator('[data-experiment="link"]').click();
  await page.keyboard.press('Alt+Enter');
  await page.locator('[data-experiment="storage"]').click();
  const fill = (name: string, text: string) =>
    page.locator(`[data-field="${name}"]`).getByRole('textbox').fill(text);
  await fill('folders', own);
  await fill('sizeMib', '16');
  await page.getByRole('button', { name: 'Advanced' }).click();
  await fill('repeats', '1');
  await fill('holdSeconds', '1');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.press('Alt+Enter');
  await fill('sizeMib', '9');
  await expect(page.getByTestId('field-problem')).toBeVisible();
  await shootAll(whiteline, 'experiments-plan');
  await page.getByTestId('plan-step').first().getByRole('button').first().press('Delete');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByTestId('study-table').first().locator('tbody tr')).toHaveCount(3);
  await shootAll(whiteline, 'experiments-running');
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });
  await shootAll(whiteline, 'experiments-over');
});

test('the display window: empty, in full size, reduced', async ({ whiteline }) => {
  const { app, page, command } = whiteline;
  const opened = app.waitForEvent('window');
  await page.keyboard.press('d');
  const display = await opened;
  await expect(display.getByTestId('picture-notice')).toBeVisible();
  await shoot(display, 'display-empty');
  for (const [name, format] of [
    ['full', '1280x720@30'],
    ['reduced', '2560x1440@5'],
  ] as const) {
    await command({ name: 'addStream', parameters: { source: 'white-line', format, pixelFormat: 'uyvy' } });
    await expect(display.getByTestId('display-shape')).toContainText(name);
    await expect(display.getByTestId('display-feedback')).not.toContainText('is being tried');
    for (const size of picturedSizes) {
      await display.setViewportSize(size);
      await display.waitForTimeout(1500);
      await shoot(display, `display-${name}-${size.width}`);
    }
    await display.keyboard.press('h');
    await display.waitForTimeout(3500);
    await shoot(display, `display-${name}-hidden`);
    await display.keyboard.press('h');
    await command({ name: 'stop' });
    await expect(page.getByTestId('mode')).toHaveText('Idle');
  }
});

test('sessions: the history, a run, a comparison', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  await page.getByRole('navigation').getByRole('button', { name: 'Sessions' }).click();
  await expect(page.getByTestId('sessions-empty')).toBeVisible();
  await shootAll(whiteline, 'sessions-empty');
  for (const ramp of [
    { hour: 10, clean: 4, streams: 4, cpuPerStreamPercent: 16 },
    { hour: 11, clean: 6, streams: 6, cpuPerStreamPercent: 13 },
    { hour: 12, clean: 2, streams: 3, cpuPerStreamPercent: 30 },
  ])
    recordRamp(join(runsFolder, `run-${ramp.hour}`), ramp);
  await page.keyboard.press('1');
  await page.keyboard.press('3');
  await expect(page.locator('[data-run]')).toHaveCount(3);
  await page.locator('[data-run]').first().focus();
  for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await shootAll(whiteline, 'sessions');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('run-verdict')).toBeVisible();
  await shootAll(whiteline, 'sessions-run');
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await expect(page.getByTestId('compared-table')).toBeVisible();
  await shootAll(whiteline, 'sessions-comparison');
  await page.keyboard.press('Escape');
  await page.locator('[data-run="run-10"]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('c');
  await expect(page.getByTestId('compared-run')).toHaveCount(3);
  await shootAll(whiteline, 'sessions-comparison-three');
  await page.getByText('Charts', { exact: true }).click();
  await shootAll(whiteline, 'sessions-comparison-charts');
  await page.keyboard.press('Escape');
  await page.locator('[data-run="run-10"]').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Deleted runs' }).click();
  await page.getByRole('button', { name: /^Erase .* for good$/ }).click();
  await shootAll(whiteline, 'sessions-deleted');
  await page.keyboard.press('Escape');
});

test('sessions: an archive that is gone', async ({ whiteline }) => {
  const { page, runsFolder } = whiteline;
  recordRun(join(runsFolder, 'run'), { rows: 4 });
  await page.keyboard.press('3');
  await expect(page.locator('[data-run]')).toHaveCount(1);
  await killArchive(whiteline);
  await expect(page.getByTestId('alert').filter({ hasText: 'was restarted' })).toBeVisible();
  await killArchive(whiteline);
  await expect(page.getByTestId('archive-gone')).toBeVisible();
  await shootAll(whiteline, 'sessions-archive-gone');
});

test('preflight, NMOS, settings, about', async ({ whiteline }) => {
  const { page } = whiteline;
  const show = (screen: string) => page.getByRole('navigation').getByRole('button', { name: screen }).click();
  await show('Preflight');
  await shootAll(whiteline, 'preflight-empty');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 });
  await shootAll(whiteline, 'preflight');
  await show('NMOS');
  await shootAll(whiteline, 'nmos-empty');
  await page.getByText('Doctor', { exact: true }).click();
  await page.getByRole('button', { name: 'Examine' }).click();
  await expect(page.getByRole('button', { name: 'Examine again' })).toBeEnabled({ timeout: 30_000 });
  await shootAll(whiteline, 'nmos-doctor');
  await show('Settings');
  await page.getByRole('textbox', { name: 'Discovery servers' }).fill('192.0.2.5');
  await page.getByRole('textbox', { name: 'Extra addresses' }).fill('192.0.2.7, --help');
  await expect(page.getByTestId('field-problem')).toBeVisible();
  await expect(page.getByTestId('restart-notice')).toBeVisible();
  await shootAll(whiteline, 'settings');
  await show('About');
  await shootAll(whiteline, 'about');
});
