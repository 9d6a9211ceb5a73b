import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { runFiles } from '../app/engine/sessions/read-run';
import { papers } from '../app/protocol/report-header';
import { recordRamp } from '../app/testing/recorded-ramp';
import { recordRun } from '../app/testing/recorded-run';
import { expectAccessible } from './accessibility';
import { expect, test } from './app';
import { pageCount } from './printed';
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

const recorded = fileURLToPath(new URL('../test-content/runs', import.meta.url));

/** A ramp of four rows whose environment is that of a real machine. */
function recordLongRamp(folder: string): string {
  const run = recordRamp(join(folder, 'four-rows'), {
    hour: 10,
    clean: 3,
    streams: 3,
    cpuPerStreamPercent: 3,
  });
  const [started = ''] = readFileSync(join(recorded, 'stream-load', runFiles.events), 'utf8').split('\n');
  const { environment } = JSON.parse(started).details;
  const file = join(run, runFiles.events);
  const [first = '', ...others] = readFileSync(file, 'utf8').split('\n');
  const event = JSON.parse(first);
  const changed = { ...event, details: { ...event.details, environment } };
  writeFileSync(file, [JSON.stringify(changed), ...others].join('\n'));
  return run;
}

/** The same run on a machine, and with a movie, whose names are long. */
function lengthen(run: string): string {
  const file = join(run, runFiles.events);
  const [first = '', ...others] = readFileSync(file, 'utf8').split('\n');
  const event = JSON.parse(first);
  const { environment } = event.details;
  environment.source = { ...environment.source, path: `/media/${'opening-picture-'.repeat(6)}.mov` };
  for (const host of environment.hosts ?? []) host.hostName = `${'rack-in-hall-3-'.repeat(4)}1`;
  writeFileSync(file, [JSON.stringify(event), ...others].join('\n'));
  return run;
}

/** A watch of one row, which was spoilt. */
function recordInvalid(folder: string): string {
  const run = join(folder, 'invalid');
  cpSync(join(recorded, 'watch'), run, { recursive: true });
  const file = join(run, runFiles.rows);
  const [first = ''] = readFileSync(file, 'utf8').split('\n');
  const row = { ...JSON.parse(first), verdict: 'INVALID' };
  writeFileSync(file, `${JSON.stringify(row)}\n`);
  return run;
}

async function openReport(page: Page, folder: string, file: string, ...flags: string[]): Promise<void> {
  execFileSync(process.execPath, [command, 'report', folder, '--html', file, '--force', ...flags]);
  await page.goto(pathToFileURL(file).href);
}

async function pagesOf(page: Page): Promise<number> {
  return pageCount(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
}

for (const paper of papers)
  test(`a ramp of four rows is six pages on ${paper}, a session of three runs ten, an INVALID row three, each with its number`, async ({
    page,
    folder,
  }) => {
    const file = join(folder, 'report.html');
    const session = join(folder, 'session');
    cpSync(join(recorded, 'session'), session, { recursive: true });
    const longer = join(folder, 'longer');
    cpSync(join(recorded, 'session'), longer, { recursive: true });
    for (const run of ['01-link', '02-one-stream-1', '03-one-stream-2']) lengthen(join(longer, run));
    const ramp = recordLongRamp(folder);
    const longerRamp = join(folder, 'longer-ramp');
    cpSync(ramp, longerRamp, { recursive: true });
    for (const [run, most] of [
      [ramp, 6],
      [lengthen(longerRamp), 6],
      [longer, 10],
      [join(recorded, 'stream-load'), 6],
      [join(recorded, 'watch'), 6],
      [session, 10],
      [recordInvalid(folder), 3],
    ] as const) {
      await openReport(page, run, file, '--paper', paper, '--project', 'x'.repeat(200));
      const pages = await pagesOf(page);
      expect(pages, run).toBeGreaterThan(2);
      expect(pages, run).toBeLessThanOrEqual(most);
    }
    const styles = await page.evaluate(() =>
      [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map(({ cssText }) => cssText),
    );
    expect(styles.join()).toMatch(/@bottom-right \{[^}]*counter\(page\)[^}]*counter\(pages\)/);
  });

test('no row of a table and no figure is divided between two pages', async ({ page, folder }) => {
  await page.emulateMedia({ media: 'print' });
  const parts = 'tr:not(figure tr), figure, [data-testid="reasons"] > div, [data-testid="definitions"] > div';
  for (const run of ['stream-load', 'watch', 'live', 'pacing', 'link', 'preflight', 'session']) {
    await openReport(page, join(recorded, run), join(folder, 'report.html'));
    const found = await page.locator(parts).evaluateAll((all) =>
      all.map((part) => ({
        text: `${part.closest('section')?.querySelector('h2')?.textContent}: ${part.textContent?.slice(0, 40)}`,
        isKept: getComputedStyle(part).breakInside === 'avoid',
        height: part.getBoundingClientRect().height,
      })),
    );
    expect(found.length, run).toBeGreaterThan(10);
    expect(
      found.filter(({ isKept }) => !isKept),
      run,
    ).toEqual([]);
    // What is higher than a page is divided all the same.
    expect(Math.max(...found.map(({ height }) => height)), run).toBeLessThan(((210 - 21) / 25.4) * 96);
  }
});

test('page one is a page: of the shortest report, and of one whose texts are long', async ({
  page,
  folder,
}) => {
  const file = join(folder, 'report.html');
  const long = recordRun(join(folder, 'long'), { host: 'مضيف'.repeat(2500) });
  const runs = ['stream-load-clean', 'stream-load', 'watch', 'live'].map((run) => join(recorded, run));
  for (const run of [...runs, long]) {
    await openReport(page, run, file);
    await page.emulateMedia({ media: 'print' });
    const height = await page.getByTestId('first-page').evaluate((element) => element.scrollHeight);
    // A4 across, without its margins, at 96 pixels an inch.
    expect(height, run).toBeLessThanOrEqual(((210 - 21) / 25.4) * 96);
    const samples = await page
      .getByTestId('first-page')
      .locator('figcaption svg')
      .evaluateAll((all) => all.map((sample) => sample.getBoundingClientRect().width));
    // A legend shows a piece of its line, and no bar as wide as the chart.
    expect(Math.max(0, ...samples), run).toBeLessThan(40);
    await page.emulateMedia({ media: 'screen' });
  }
});

test('a note, a name and a switch of ten thousand letters are no wider than the paper', async ({
  page,
  folder,
}) => {
  const letters = 'W'.repeat(10_000);
  const run = recordRun(join(folder, 'long'), { host: letters, environment: { switches: [{ letters }] } });
  execFileSync(process.execPath, [command, 'note', run, letters, '--switch', letters]);
  const width = Math.floor(((297 - 20) / 25.4) * 96);
  await page.setViewportSize({ width, height: 700 });
  await openReport(page, run, join(folder, 'report.html'));
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
});

test('in a window of 820 pixels nothing of a report hangs out', async ({ page, folder }) => {
  await page.setViewportSize({ width: 820, height: 1000 });
  for (const run of ['stream-load', 'session', 'pacing', 'watch']) {
    await openReport(page, join(recorded, run), join(folder, 'report.html'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth), run).toBeLessThanOrEqual(820);
  }
});
