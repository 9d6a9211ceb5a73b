import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElectronApplication } from '@playwright/test';
import { archiveServiceName } from '../app/protocol/archive-process';
import { readFlatRun } from '../app/testing/flat-rows';
import { wrongFigures } from '../app/testing/shown-figures';
import { expect, newestRun, test, typeFormat } from './app';
import { readRows } from './run-files';

test('a ramp grows the table row by row, and its report can be exported and opened', async ({
  whiteline,
  folder,
}) => {
  const { app, page, runsFolder } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.getByRole('textbox', { name: 'Streams' }).fill('2');
  await page.getByLabel(/^Hold/).fill('4');
  await page.getByLabel(/^Warm-up/).fill('1');
  await page.getByLabel(/^Warm-up/).press('Escape');
  await expect(page.getByRole('button', { name: 'Start ramp' })).toBeEnabled();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  const openRow = page.getByTestId('study-table').locator('tr[data-provisional]');
  await expect(openRow.locator('[data-metric="framesReceived"]'), 'the row that is measured').toHaveText(
    /[1-9]/,
    {
      timeout: 30_000,
    },
  );
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });

  const rows = readRows(newestRun(runsFolder));
  const table = page.getByTestId('study-table');
  await expect(table.locator('tbody tr')).toHaveCount(rows.length);
  // The ramp repeats an INVALID row itself.
  const counted = rows.filter(({ label }) => label !== 'measured again');
  // A full machine ends the ramp early.
  expect(counted.map(({ streams }) => streams)).toEqual([0, 1, 2].slice(0, counted.length));
  expect(counted.length).toBeGreaterThan(1);
  await expect(page.getByTestId('verdict-tile')).toContainText(
    readFlatRun(newestRun(runsFolder)).verdict ?? '',
  );

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
  const reportRows = report.getByTestId('study-table').first().locator('tbody tr');
  await expect(reportRows).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = reportRows.nth(index).locator('[data-metric="framesReceived"]');
    await expect(cell).toHaveText(new RegExp(`^\\s*${row.framesReceived}\\s*$`));
  }
  await expect(report.locator('body')).toContainText('ndi.video');

  // Each figure of the page, as Chromium has it, against the run's folder.
  const figures = await report.locator('[data-metric]').evaluateAll((elements) =>
    elements.map((element) => ({
      metric: element.getAttribute('data-metric') ?? '',
      row: element.getAttribute('data-row') ?? '',
      stream: element.getAttribute('data-stream') ?? '',
      text: element.getAttribute('data-figure') ?? element.textContent ?? '',
    })),
  );
  expect(figures.length).toBeGreaterThan(100);
  expect(wrongFigures(figures, newestRun(runsFolder))).toEqual([]);

  const pdf = join(folder, 'report.pdf');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, pdf);
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Report \(PDF\)/ })
    .click();
  await expect.poll(() => fileText(pdf).slice(0, 5), { timeout: 30_000 }).toBe('%PDF-');

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
