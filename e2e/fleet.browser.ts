import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typeFormat } from './app';
import { brightest, startFleetBeside } from './fleet-beside';
import { endServer, expect, serve, test } from './served';

test('in a browser too, a stream that a machine of the fleet receives shows small pictures from there', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-served-'));
  const fleet = await startFleetBeside(join(folder, 'whiteline', 'fleet'), 'render-1');
  const served = await serve(folder, { XDG_CONFIG_HOME: folder });
  try {
    await page.goto(served.address);
    await typeFormat(page, '640x360@30');
    await page.getByTestId('receiveOn').getByText('render-1').click();
    await page.getByRole('button', { name: 'Add stream' }).click();
    const strip = page.getByTestId('stream-strip');
    await expect(strip.getByTestId('stream-picture')).toHaveText('Picture from render-1, at most 2 a second');
    await expect.poll(() => brightest(strip.getByTestId('preview'))).toBeGreaterThan(200);
  } finally {
    await endServer(served);
    fleet.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
