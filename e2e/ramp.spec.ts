import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElectronApplication } from '@playwright/test';
import { archiveServiceName } from '../app/protocol/archive-process';
import { readNamedRun } from '../app/testing/named-rows';
import { expectAccessible } from './accessibility';
import { expect, newestRun, test, typeFormat } from './app';
import { expectFits } from './layout';
import { expectReport } from './report-page';
import { readRows } from './run-files';
import { openedBySystem, standInForSystem } from './system';

test('a ramp grows the table row by row, through a reload of its window; its report is exported and opened', async ({
  whiteline,
  folder,
}) => {
  const { app, page, runsFolder } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.getByRole('textbox', { name: 'Streams' }).fill('2');
  await page.getByLabel(/^Hold/).fill('2');
  await page.getByLabel(/^Warm-up/).fill('0.5');
  await page.getByLabel(/^Warm-up/).press('Escape');
  await expect(page.getByRole('button', { name: 'Start ramp' })).toBeEnabled();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  // The field that was left goes: Space is to start the next ramp, and so nothing takes the focus.
  await expect(page.locator(':focus')).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  const table = page.getByTestId('study-table');
  const closed = table.locator('tbody tr:not([data-provisional])');
  await expect(closed).not.toHaveCount(0);
  const before = await closed.allInnerTexts();
  await page.reload();
  await expect(page.getByTestId('mode')).toHaveText('Idle');
  expect((await closed.allInnerTexts()).slice(0, before.length)).toEqual(before);

  const rows = readRows(newestRun(runsFolder));
  await expect(table.locator('tbody tr')).toHaveCount(rows.length);
  // The ramp repeats an INVALID row itself.
  const counted = rows.filter(({ label }) => !label.startsWith('replaced by row'));
  expect(counted.map(({ streams }) => streams)).toEqual([0, 1, 2].slice(0, counted.length));
  // Only a row that is bad, as on a full machine, ends the ramp early.
  if (counted.length < 3) expect(counted.at(-1)?.verdict).not.toBe('PASS');
  await expect(page.getByTestId('verdict-tile')).toContainText(
    readNamedRun(newestRun(runsFolder)).verdict ?? '',
  );

  const result = page.getByTestId('ramp-result');
  await expectAccessible(page);
  for (const fold of await result.getByRole('button', { expanded: false }).all()) await fold.click();
  for (const part of readNamedRun(newestRun(runsFolder)).reason.split('; '))
    await expect(result).toContainText(part);
  await expectAccessible(page);
  await expectFits(page, 'ramp-result');
  await standInForSystem(whiteline);
  await result.getByRole('button', { name: 'Report' }).click();
  await expect.poll(() => openedBySystem(whiteline)).toEqual([expect.stringMatching(/report\.html$/)]);
  await result.getByRole('button', { name: 'Open run' }).click();
  await expect(page.getByTestId('run-verdict')).toBeVisible();
  await page.keyboard.press('1');

  const file = join(folder, 'report.html');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Report \(HTML\)/ })
    .click();
  await expect.poll(() => fileText(file)).toContain('whiteline-run');

  const window = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }, url) => {
    // The console's own session loads no file.
    const webPreferences = { sandbox: true, partition: 'report' };
    void new BrowserWindow({ show: false, webPreferences }).loadURL(url);
  }, pathToFileURL(file).href);
  const report = await window;
  await expectReport(report, newestRun(runsFolder));

  const pdf = join(folder, 'report.pdf');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, pdf);
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Report \(PDF\)/ })
    .click();
  await expect.poll(() => fileText(pdf).slice(0, 5)).toBe('%PDF-');

  const tables = join(folder, 'tables');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, tables);
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Parquet/ })
    .click();
  await expect(page.getByTestId('alert').filter({ hasText: tables })).toBeVisible();
  expect(fileText(join(tables, 'rows.parquet')).slice(0, 4)).toBe('PAR1');
  expect(await processesWith(app, 'duckdb'), 'the engine stays free of it').toEqual([archiveServiceName]);
});

/** Names of our processes that have a library like that in their memory. */
async function processesWith(app: ElectronApplication, library: string): Promise<(string | undefined)[]> {
  const processes = await app.evaluate((electron) =>
    electron.app.getAppMetrics().map(({ pid, name }) => ({ pid, name })),
  );
  const ours = processes.filter(({ name }) => name?.startsWith('Whiteline'));
  return ours.filter(({ pid }) => fileText(`/proc/${pid}/maps`).includes(library)).map(({ name }) => name);
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
