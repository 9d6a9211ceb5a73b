import { fileURLToPath } from 'node:url';
import { expect, newestRun, test } from './app';
import { readRows } from './run-files';

const clip = fileURLToPath(new URL('../test-content/bars-640x360-30-hap.mov', import.meta.url));

test('a Hap movie is chosen, played at its own size and rate, and followed', async ({ whiteline }) => {
  const { app, page, runsFolder } = whiteline;
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, clip);
  await page.getByText('Movie', { exact: true }).click();
  await expect(page.getByTestId('movie')).toHaveText('bars-640x360-30-hap.mov');
  await page.getByRole('button', { name: 'Add stream' }).click();
  const strip = page.getByTestId('stream-strip');
  await expect(strip.getByTestId('stream-state')).toContainText('Receiving');
  await expect(strip).toContainText('640×360 @ 30');
  const received = strip.locator('[data-metric="framesReceived"]');
  await expect.poll(async () => Number((await received.innerText()).replace(/\D/g, ''))).toBeGreaterThan(60);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByTestId('mode')).toHaveText('Idle');

  // The clip is one second long: a row of more than 60 frames shows that it loops.
  const row = readRows(newestRun(runsFolder)).find(({ streams }) => streams === 1);
  expect(row?.framesReceived).toBeGreaterThan(60);
  expect(row?.conserved).toBe(true);
});
