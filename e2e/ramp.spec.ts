import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, newestRun, test, typeFormat } from './app';
import { readRows } from './run-files';

test('a ramp grows the table row by row, and its report can be exported and opened', async ({
  whiteline,
  folder,
}) => {
  const { app, page, runsFolder } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.getByRole('textbox', { name: 'Streams' }).fill('2');
  await page.getByLabel(/^Hold/).fill('2');
  await page.getByLabel(/^Warm-up/).fill('1');
  await page.getByLabel(/^Warm-up/).press('Escape');
  await expect(page.getByRole('button', { name: 'Start ramp' })).toBeEnabled();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });

  const rows = readRows(newestRun(runsFolder));
  const table = page.getByTestId('study-table');
  await expect(table.locator('tbody tr')).toHaveCount(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(2);
  await expect(page.getByTestId('verdict-tile')).toContainText(/PASS|WARN|FAIL|INVALID/);

  const file = join(folder, 'report.html');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Report/ })
    .click();
  await expect.poll(() => fileText(file)).toContain('whiteline-run');

  const window = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }, url) => {
    void new BrowserWindow({ show: false, webPreferences: { sandbox: true } }).loadURL(url);
  }, pathToFileURL(file).href);
  const report = await window;
  const reportRows = report.getByTestId('study-table').first().locator('tbody tr');
  await expect(reportRows).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = reportRows.nth(index).locator('[data-metric="framesReceived"]');
    await expect(cell).toHaveText(new RegExp(`^\\s*${row.framesReceived}\\s*$`));
  }
  await expect(report.locator('body')).toContainText('ndi.video');
});

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
