import { appendFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSamples } from '../app/engine/sessions/read-run';
import { samplesComeAtOnce } from '../app/testing/fresh-samples';
import { readNamedRun } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { endRun, expect, killHost, launchConsole, newestRun, test, typeFormat, utilityProcess } from './app';
import { expectFits } from './layout';

test('in a live run a host that dies is an event, and the stream goes on; an engine that dies is started again', async ({
  whiteline,
}) => {
  const { app, page, runsFolder } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.getByRole('button', { name: 'Add stream' }).click();
  const state = page.getByTestId('stream-strip').getByTestId('stream-state');
  await expect(state).toContainText('Receiving');
  // The row of one stream is open for some seconds; the baseline is written once it is.
  const newest = page.getByTestId('study-table').locator('tbody tr').last();
  await expect(newest.locator('th').first()).toHaveText('1');

  const rows = () => readNamedRun(newestRun(runsFolder), { running: true }).rows;
  await test.step('the receiving host is killed', async () => {
    await killHost(whiteline, 'receiving');
    // Where the host is not back soon, the outage is an alert of its own.
    await expect(page.locator('[data-testid="alert"][data-key="host-receiving"]')).toContainText(
      'receiving process',
    );
    const shown = async () => Number(await page.getByTestId('preview').getAttribute('data-frame-number'));
    const before = await shown();
    await expect.poll(shown).toBeGreaterThan(before + 30);
    await expect(page.getByTestId('stream-verdict')).toHaveText(
      /^INVALID since its start: .*our (sending|receiving) process (was killed|ended)/,
    );
    await expect
      .poll(() => rows().some((row) => row.verdict === 'INVALID' && row.reason.includes('died')))
      .toBe(true);
    await endRun(page);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await expect.poll(() => readNamedRun(newestRun(runsFolder), { running: true }).state).toBe('finished');
  });

  await test.step('the engine is killed: the window says so and starts it again', async () => {
    await page.getByRole('button', { name: 'Add stream' }).click();
    await expect(state).toContainText('Receiving');
    await expect.poll(() => rows().length).toBeGreaterThan(0);
    const samples = await samplesComeAtOnce(newestRun(runsFolder));
    process.kill(await utilityProcess(app, 'Whiteline engine'), 'SIGKILL');
    await expect(page.getByTestId('engine-crashed')).toBeVisible();
    const folder = newestRun(runsFolder);
    const run = readNamedRun(folder);
    expect(run.state).toBe('interrupted');
    expect(run.rows.length).toBeGreaterThanOrEqual(1);
    expect(readSamples(folder).length).toBeGreaterThanOrEqual(samples);

    await page.getByRole('button', { name: 'Restart engine' }).click();
    await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
    await page.getByRole('button', { name: 'Add stream' }).click();
    await expect(state).toContainText('Receiving');
  });
});

test('the engine killed on each screen: it is reported there, nothing looks like now, and each goes on with the next engine', async ({
  whiteline,
}) => {
  const { app, page } = whiteline;
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  const charts = page.getByTestId('chart-cpu').locator('figcaption b');
  const footer = page.getByRole('contentinfo').locator('b').first();
  const screens = page.getByRole('navigation', { name: 'Screens' }).getByRole('button');
  for (const screen of await screens.all()) {
    await screen.click();
    const name = await screen.innerText();
    const figures = name === 'Streams' ? [charts.first(), footer] : [footer];
    for (const figure of figures) await expect(figure).toHaveText(/^\d/);
    process.kill(await utilityProcess(app, 'Whiteline engine'), 'SIGKILL');
    const reported = page.getByTestId('engine-crashed');
    await expect(reported).toBeVisible();
    await expect(page.getByTestId('engine-state')).toHaveText('Engine stopped');
    for (const figure of figures) await expect(figure).toHaveText('—');
    if (name === 'Streams')
      await expect(page.getByTestId('charts-silent')).toContainText(
        /Nothing was measured since \d\d:\d\d:\d\d UTC/,
      );
    await expectAccessible(page);
    await expectFits(page, `crashed-${name.toLowerCase()}`);
    await reported.getByRole('button').click();
    await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
    await expect(screen, name).toHaveAttribute('aria-current', 'page');
    await expect(reported).toHaveCount(0);
    for (const figure of figures) await expect(figure).toHaveText(/^\d/);
    await expect(page.getByTestId('charts-silent')).toHaveCount(0);
  }
  expect(faults).toEqual([]);
});

test('the process of the window is killed: the window is loaded again and shows the run, which goes on', async ({
  whiteline,
}) => {
  const { app, page, runsFolder } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.getByRole('button', { name: 'Add stream' }).click();
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  // Playwright gives up a page whose process is gone: what the window shows is asked of Electron, which gives no answer of a page
  // that goes.
  const shown = (selector: string) =>
    app.evaluate(({ BrowserWindow }, ask) => {
      const script = `document.querySelector(${JSON.stringify(ask)})?.textContent ?? ''`;
      const none = new Promise<string>((resolve) => setTimeout(resolve, 1000, ''));
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return Promise.race<string>([contents?.executeJavaScript(script) ?? none, none]);
    }, selector);
  const windowProcess = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  // Process 0 would be the tests themselves.
  if (!windowProcess) throw new Error('there is no window');
  process.kill(windowProcess, 'SIGKILL');
  await expect.poll(() => shown('[data-testid="stream-state"]')).toContain('Receiving');
  expect(await shown('[data-testid="alert"]')).toContain('This window crashed and was loaded again');
  expect(readNamedRun(newestRun(runsFolder), { running: true }).state).toBe('running');
});

test('without NDI the window says what is missing, and everything else works', async ({ folder }) => {
  const whiteline = await launchConsole(folder, {
    environment: { WHITELINE_NDI_PATH: join(folder, 'nowhere') },
  });
  const { page, app } = whiteline;
  await expect(page.getByTestId('ndi-version')).toHaveText('NDI not found');
  await expect(page.locator('body')).toContainText('Install the NDI runtime');
  await expect(page.getByRole('button', { name: 'Add stream' })).toBeDisabled();
  await expectAccessible(page);
  await expectFits(page, 'no-ndi');
  await page.keyboard.press('2');
  await page.locator('[data-experiment="stream-load"]').click();
  const needs = page.getByRole('region', { name: 'Needs' });
  await expect(needs).toContainText('Missing');
  await expect(needs).toContainText('ndi.video');
  await expectFits(page, 'experiments-no-ndi');
  const window = app.waitForEvent('window');
  await page.keyboard.press('f');
  await (await window).getByText('ticks missed').waitFor();
  await app.close();
});

const smallDisk = process.env.WHITELINE_SMALL_DISK;
// Only root can have one: scripts/test/small-disk.mjs.
if (smallDisk) {
  test('a disk that is full in the middle of a run: it is reported, the run ends, what was written stays', async ({
    folder,
  }) => {
    const { app, page, runsFolder } = await launchConsole(folder, { runsFolder: join(smallDisk, 'runs') });
    await typeFormat(page, '640x360@30');
    await page.keyboard.press('a');
    await expect(page.getByTestId('stream-state')).toContainText('Receiving');
    const newest = page.getByTestId('study-table').locator('tbody tr').last();
    await expect(newest.locator('th')).toHaveText('1');

    const recorded = newestRun(runsFolder);
    const ballast = join(smallDisk, 'ballast');
    fillDisk(ballast);
    const alert = page.getByTestId('alert').filter({ hasText: 'is full' });
    await expect(alert).toContainText('Free some space');
    // What cannot be recorded is not measured on.
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    await page.keyboard.press('a');
    // The next run is refused: its alert names another folder.
    await expect(alert.filter({ hasNotText: basename(recorded) })).toBeVisible();
    await expect(alert).toHaveCount(1);
    await expect(page.getByTestId('mode')).toHaveText('Idle');
    expect(newestRun(runsFolder)).toBe(recorded);
    await expectAccessible(page);
    const run = readNamedRun(recorded);
    expect(run.rows.map(({ row }) => row)).toEqual(run.rows.map((_, index) => index));
    expect(run.rows.length).toBeGreaterThanOrEqual(1);
    expect(run.state).not.toBe('running');

    rmSync(ballast);
    await page.keyboard.press('a');
    await expect(page.getByTestId('stream-state')).toContainText('Receiving');
    await expect(alert).toHaveCount(0);
    await app.close();
  });
}

/** Takes all that is free, to the last byte. */
function fillDisk(path: string): void {
  for (const bytes of [64 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
}
