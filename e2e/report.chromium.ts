import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { recordRamp } from '../app/testing/recorded-ramp';
import { expectAccessible } from './accessibility';
import { expect, test } from './app';
import { expectReport } from './report-page';

const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));

test('a report in a browser shows each figure of its run, and draws its charts', async ({ page, folder }) => {
  const run = recordRamp(join(folder, 'ramp'), { hour: 10, clean: 3, streams: 5, cpuPerStreamPercent: 3 });
  const file = join(folder, 'report.html');
  execFileSync(process.execPath, [command, 'report', run, '--html', file]);
  const faults: Error[] = [];
  page.on('pageerror', (error) => faults.push(error));
  await page.goto(pathToFileURL(file).href);
  await expectReport(page, run);
  await expectAccessible(page);
  const charts = page.locator('canvas, svg').filter({ visible: true });
  expect(await charts.count()).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
