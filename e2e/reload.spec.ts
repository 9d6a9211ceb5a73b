import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, newestRun, test, typeFormat } from './app';
import { readRecordedRows, readRows } from './run-files';

test('a window that is reloaded in the middle of a ramp catches up, and nothing is lost', async ({
  whiteline,
}) => {
  const { page, runsFolder, command } = whiteline;
  const lines = page.getByTestId('study-table').locator('tbody tr');
  const closed = page.locator('[data-testid=study-table] tbody tr:not([data-provisional])');
  const texts = () => closed.allInnerTexts();
  await typeFormat(page, '640x360@30');
  const problem = await command({
    name: 'startExperiment',
    experiment: 'stream-load',
    parameters: {
      source: 'white-line',
      format: '640x360@30',
      // Two rows before the reload, and enough behind it for a page that loads slowly.
      maxStreams: 4,
      holdSeconds: 3,
      warmUpSeconds: 1,
      stopOn: [],
    },
  });
  expect(problem).toBeNull();
  await expect(closed).toHaveCount(2, { timeout: 30_000 });
  const before = await texts();
  const received = page.getByTestId('stream-strip').first().locator('[data-metric="framesReceived"]');
  const count = async () => Number((await received.innerText()).replace(/\D/g, ''));
  const receivedBefore = await count();

  await page.reload();
  await expect(closed).not.toHaveCount(0);
  expect((await texts()).slice(0, before.length)).toEqual(before);
  await expect(page.getByTestId('ramp-progress')).toBeVisible();
  await expect.poll(count).toBeGreaterThan(receivedBefore);
  const preview = page.getByTestId('preview').first();
  await expect.poll(async () => Number(await preview.getAttribute('data-frame-number'))).toBeGreaterThan(0);
  // What was measured before the reload is drawn too: a chart is as old as its run.
  const load = page.getByTestId('chart-cpu');
  await expect(load.locator('canvas')).toBeVisible();
  await expect(load).not.toContainText('Waiting');

  await expect(page.getByTestId('mode')).toHaveText('Idle', { timeout: 60_000 });
  const folder = newestRun(runsFolder);
  const rows = readRows(folder);
  await expect(lines).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = lines.nth(index).locator('[data-metric="framesReceived"]');
    await expect(cell).toHaveText(new RegExp(`^\\s*${row.framesReceived}\\s*$`));
    for (const stream of row.perStream) expect(stream.conserved).toBe(true);
  }
  expect((await texts()).slice(0, before.length)).toEqual(before);
  // Derived beside the engine, in the Electron of the app.
  const derived = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  expect(derived).toMatchObject({ state: 'finished', rows: readRecordedRows(folder) });
  expect(derived.missing).toBeUndefined();
});
