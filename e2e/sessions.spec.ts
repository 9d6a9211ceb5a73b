import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { runFiles } from '../app/engine/sessions/read-run';
import { type ExportKind, exportKindSchema } from '../app/protocol/shell';
import { changedRow, exampleRow } from '../app/testing/example-run';
import { loadSample } from '../app/testing/load-sample';
import { recordRun } from '../app/testing/recorded-run';
import { expectAccessible } from './accessibility';
import { type Console, expect, killArchive, killRunningArchive, test } from './app';
import { dropOnto } from './drop';
import { expectFits } from './layout';
import { openedBySystem, standInForSystem } from './system';

/** What main's dialogs would have been answered with. */
async function answerDialogs({ app }: Console, saved: string, opened: string): Promise<void> {
  await app.evaluate(
    ({ dialog }, paths) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: paths.saved });
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [paths.opened] });
    },
    { saved, opened },
  );
}

/** Folders of the listed runs, from top to bottom. */
function listed(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-run]')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-run')));
}

test('runs are found, opened, annotated, compared, exported, deleted and brought in', {
  tag: '@electron',
}, async ({ whiteline, folder }) => {
  const { page, runsFolder } = whiteline;
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  await page.getByRole('navigation').getByRole('button', { name: 'Sessions' }).click();
  await expect(page.getByTestId('sessions-empty')).toBeVisible();

  recordRun(join(runsFolder, 'before'), {
    ...{ startedAt: '2026-11-20T10:00:00.000Z', session: 'Evening load-in' },
  });
  const after = recordRun(join(runsFolder, 'after'), {
    ...{ startedAt: '2026-11-21T10:00:00.000Z', verdict: 'FAIL', reason: 'The new switch lost frames' },
  });
  const row = exampleRow(0);
  writeLines(join(after, runFiles.rows), [changedRow(row, { figures: { 'latencyMs.p99': 80 } })]);
  writeLines(
    join(after, runFiles.samples),
    [0, 1, 2, 3].map((index) => loadSample({ wallMs: 1_700_000_000_000 + index * 500 })),
  );
  recordRun(join(folder, 'stick', 'brought'), { startedAt: '2026-11-19T10:00:00.000Z' });

  await test.step('the folder of a run from another PC is imported', async () => {
    await answerDialogs(whiteline, '', join(folder, 'stick', 'brought'));
    await page.getByRole('button', { name: 'Import a run folder' }).click();
    await expect(page.getByTestId('run-verdict')).toBeVisible();
    await press('Escape');
    await expect.poll(() => listed(page)).toEqual(['after', 'before', 'brought']);
    await expectAccessible(page);
  });

  await test.step('a folder that is dropped onto another screen is imported, or refused', async () => {
    recordRun(join(folder, 'stick', 'dropped'), {
      ...{ startedAt: '2026-11-18T10:00:00.000Z', experiment: 'link', host: 'stage-left' },
    });
    await press('1');
    await dropOnto(page, folder);
    const refusal = page.getByTestId('alert').filter({ hasText: 'Expected the folder of a run' });
    await expect(refusal).toContainText('Choose the folder in which');
    await expect(page.getByTestId('movie')).toHaveCount(0);
    await dropOnto(page, join(folder, 'stick', 'dropped'));
    await expect(page.getByTestId('run-verdict')).toBeVisible();
    await expect(refusal).toHaveCount(0);
    await press('Escape');
    await expect.poll(() => listed(page)).toEqual(['after', 'before', 'brought', 'dropped']);
  });

  await test.step('search and filters', async () => {
    await press('/');
    await page.keyboard.type('new switch');
    await expect.poll(() => listed(page)).toEqual(['after']);
    await page.keyboard.type(' nowhere');
    await expect(page.getByTestId('sessions-nothing')).toBeVisible();
    await page.getByTestId('sessions-nothing').getByRole('button').click();
    await page.getByRole('searchbox').fill('load-in');
    await expect.poll(() => listed(page)).toEqual(['before']);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('PASS', { exact: true }).first().click();
    await expect.poll(() => listed(page)).toEqual(['before', 'brought', 'dropped']);
    const clear = page.getByRole('button', { name: 'Clear filters' }).first();
    await clear.click();
    await expect.poll(() => listed(page)).toHaveLength(4);
    await page.getByLabel('From').fill('2026-11-19');
    await expect.poll(() => listed(page)).toEqual(['after', 'before', 'brought']);
    await page.getByLabel('Until').fill('2026-11-20');
    await expect.poll(() => listed(page)).toEqual(['before', 'brought']);
    await clear.click();
    await page.getByLabel('Machine').selectOption('stage-left');
    await expect.poll(() => listed(page)).toEqual(['dropped']);
    await page.getByLabel('State').selectOption('Stopped before its end');
    await expect(page.getByTestId('sessions-nothing')).toBeVisible();
    await clear.click();
    await page.getByLabel('Experiment').selectOption('Link');
    await expect.poll(() => listed(page)).toEqual(['dropped']);
    await clear.click();
    await expect.poll(() => listed(page)).toHaveLength(4);
  });

  await test.step('Enter opens the first run, also while nothing has the focus', async () => {
    await page.locator(':focus').blur();
    await press('Enter');
    await expect(page.getByTestId('run-verdict')).toBeVisible();
    await press('Escape');
    await expect.poll(() => listed(page)).toHaveLength(4);
  });

  await test.step('a run is opened, renamed, annotated and pinned by keys', async () => {
    await page.locator('[data-run="before"]').focus();
    await press('Enter');
    await expect(page.getByTestId('run-verdict')).toContainText('PASS');
    await expect(page.getByTestId('study-table').first()).toBeVisible();
    await press('F2');
    await page.keyboard.type('  ');
    await press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'Expected a text' })).toBeVisible();
    await page.keyboard.type('Old switch');
    await press('Enter');
    await expect(page.getByRole('heading', { name: 'Old switch' })).toBeVisible();
    await press('n');
    await page.keyboard.type('Port 12, long cable');
    await press('Enter');
    await page.getByText('Notes and events', { exact: true }).click();
    await expect(page.getByTestId('notes').first()).toContainText('Port 12, long cable');
    copyFileSync(
      fileURLToPath(new URL('../docs/images/streams.png', import.meta.url)),
      join(folder, 'rack.png'),
    );
    await answerDialogs(whiteline, '', join(folder, 'rack.png'));
    await page.getByRole('button', { name: 'Picture' }).click();
    await expect(page.getByRole('img', { name: 'rack.png' })).toBeVisible();
    await press('b');
    await expect(page.getByRole('button', { name: 'Unpin baseline' })).toBeVisible();
    const baselines = readFileSync(join(runsFolder, 'baselines.json'), 'utf8');
    expect(JSON.parse(baselines)).toEqual({ 'stream-load': 'before' });
    await expectAccessible(page);
  });

  await test.step('it is exported in each format', async () => {
    mkdirSync(join(folder, 'exported'));
    for (const kind of exportKindSchema.options) await exportAs(whiteline, folder, kind);
    await press('Escape');
  });

  await test.step('many events come page by page', async () => {
    const lost = { at: '2026-11-20T10:00:00.000Z', kind: 'frames-lost', text: 'Lost on the way' };
    writeLines(join(runsFolder, 'before', runFiles.events), Array(600).fill(lost), 'a');
    await press('Escape');
    await page.locator('[data-run="before"]').focus();
    await press('Enter');
    await page.getByText('Notes and events', { exact: true }).click();
    const events = page.getByTestId('events');
    await expect(events).toContainText('1 to 500 of 60');
    await expect(events.getByRole('row')).toHaveCount(500);
    await events.getByRole('button', { name: 'Later' }).click();
    await expect(events).toContainText('501 to 60');
    await expect(events.getByRole('button', { name: 'Later' })).toBeDisabled();
    await press('Escape');
  });

  await test.step('two runs are compared, table and charts', async () => {
    await page.locator('[data-run="before"]').focus();
    await press('Space', 'ArrowUp', 'Space', 'c');
    await expect(page.getByTestId('compared-run').first()).toContainText('Old switch');
    const p99 = page.getByTestId('compared-table').locator('[data-metric="latencyMs.p99"] [data-standing]');
    // One repeat each: the noise is not known.
    await expect(p99).toHaveAttribute('data-standing', 'unjudged');
    await expect(page.getByTestId('unjudged')).toContainText('Latency p99');
    await expectAccessible(page);
    await page.getByText('Charts', { exact: true }).click();
    await expect(page.getByTestId('compared-step-chart').first()).toBeVisible();
    await expect(page.getByTestId('compared-time-chart').first().locator('canvas')).toBeVisible();
    await press('x');
    await expect(page.getByTestId('compared-run').last()).toContainText('Old switch');
    await expect(p99).toHaveAttribute('data-standing', 'unjudged');
    await press('Escape');
  });

  await test.step('three runs are compared, and another one is made the first', async () => {
    await page.locator('[data-run="brought"]').focus();
    await press('Space');
    await expect(page.getByRole('button', { name: 'Compare A to C' })).toBeEnabled();
    await press('c');
    const runs = page.getByTestId('compared-run');
    await expect(runs).toHaveCount(3);
    await expect(runs.first()).toContainText('Old switch');
    await expect(page.getByTestId('unjudged')).toContainText('B, ');
    await expect(page.getByRole('columnheader', { name: 'C vs A' })).toBeVisible();
    await page.getByText('Charts', { exact: true }).click();
    await expect(page.getByTestId('compared-time-chart').first().locator('canvas')).toBeVisible();
    await page.getByText('Figures', { exact: true }).click();
    await expect(
      page.getByText(/^What changed between the runs|^Nothing changed between the runs/),
    ).toBeVisible();
    await press('x');
    await expect(runs.last()).toContainText('Old switch');
    await press('Escape');
  });

  await test.step('a deleted run comes back by undo', async () => {
    await page.locator('[data-run="after"]').focus();
    await press('Delete');
    await expect.poll(() => listed(page)).toEqual(['before', 'brought', 'dropped']);
    expect(existsSync(join(runsFolder, 'after'))).toBe(false);
    await press('1', '3');
    await page.getByTestId('undo-toast').getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => listed(page)).toEqual(['after', 'before', 'brought', 'dropped']);
    expect(existsSync(join(runsFolder, 'after', 'rows.jsonl'))).toBe(true);
    await expect(page.getByTestId('undo-toast')).toHaveCount(0);
  });

  await test.step('a deleted run is erased for good, once that was asked twice', async () => {
    await page.locator('[data-run="dropped"]').focus();
    await press('Delete');
    await expect(page.getByTestId('undo-toast')).toContainText('for 30 days');
    await page
      .getByTestId('undo-toast')
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    await page.getByRole('button', { name: 'Deleted runs' }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet).toContainText('to be erased');
    const erase = sheet.getByRole('button', { name: /^Erase .* for good$/ });
    await erase.focus();
    await press('Enter', 'Enter');
    await expect(erase, 'a second Enter keeps it').toBeFocused();
    await expectAccessible(page);
    await press('Enter', 'Tab', 'Enter');
    await expect(sheet).toContainText('No deleted runs');
    expect(readdirSync(join(runsFolder, '.deleted'))).toEqual([]);
    await press('Escape');
  });

  await test.step('an archive that died is reported, and the next one goes on', async () => {
    await killArchive(whiteline);
    await expect(page.getByTestId('alert').filter({ hasText: 'was restarted' })).toBeVisible();
    await page.locator('[data-run="after"]').focus();
    await press('Enter');
    await expect(page.getByTestId('run-verdict')).toContainText('The new switch lost frames');
    await press('Escape');
    const gone = page.getByTestId('archive-gone');
    // The second death within ten seconds is one too many. One that comes later is followed by another.
    const killUntilGone = async (): Promise<boolean> => {
      if (await gone.isVisible()) return true;
      await killRunningArchive(whiteline);
      return false;
    };
    await expect.poll(killUntilGone).toBe(true);
    expect(await listed(page), 'what was read before stays').toContain('after');
    await page.locator('[data-run="brought"]').focus();
    await press('Enter');
    await expect(page.getByText('Waiting for the process that reads the runs')).toBeVisible();
    await expectAccessible(page);
  });
});

test('a session opens as one thing and has one report; marked runs have one too; a spoilt run is no PASS', {
  tag: '@electron',
}, async ({ whiteline, folder }) => {
  const { page, runsFolder } = whiteline;
  const recorded = fileURLToPath(new URL('../test-content/runs/session', import.meta.url));
  cpSync(recorded, join(runsFolder, 'hall-3'), { recursive: true });
  recordRun(join(runsFolder, 'alone'), { startedAt: '2026-11-20T10:00:00.000Z' });
  recordSpoilt(join(runsFolder, 'spoilt'));
  await standInForSystem(whiteline);
  await page.getByRole('navigation').getByRole('button', { name: 'Sessions' }).click();
  await page
    .getByRole('button', { name: /^Session / })
    .first()
    .click();
  await expect(page.getByTestId('session-verdict')).toContainText('3 runs: 1 WARN (link), 2 PASS');
  await expect
    .poll(() => listed(page))
    .toEqual(['hall-3/01-link', 'hall-3/02-one-stream-1', 'hall-3/03-one-stream-2']);
  await expectAccessible(page);
  await expectFits(page, 'session');

  await page.getByRole('button', { name: 'Report', exact: true }).click();
  const report = join(runsFolder, 'hall-3', 'report.html');
  await expect.poll(() => openedBySystem(whiteline)).toEqual([report]);
  expect(readFileSync(report, 'utf8')).toContain('A small plan');

  mkdirSync(join(folder, 'exported'));
  for (const kind of exportKindSchema.options) await exportAs(whiteline, folder, kind);
  await page.keyboard.press('Escape');

  await page.locator('[data-run="hall-3/01-link"]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('s');
  await expect(page.getByTestId('session-verdict')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('[data-run="alone"]').focus();
  await page.keyboard.press('Space');
  const target = join(folder, 'marked.html');
  await answerDialogs(whiteline, target, '');
  await page.getByRole('button', { name: 'Report of the marked' }).click();
  await page.getByRole('dialog').locator('button').nth(exportKindSchema.options.indexOf('html')).click();
  const written = page.getByTestId('alert').filter({ hasText: target });
  await written.getByRole('button', { name: 'Open', exact: true }).click();
  await written.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => openedBySystem(whiteline)).toEqual([report, target, target]);
  expect(readFileSync(target, 'utf8')).toContain('2 chosen runs');

  await test.step('a run of which a row is spoilt is no PASS, in the list and opened', async () => {
    const sentence = '1 of 3 rows (1) is missing or unreadable; the recorded verdict was PASS: all well';
    const line = page.locator('[data-run="spoilt"]');
    await expect(line).toContainText('INVALID');
    await expect(line).toContainText(sentence);
    await line.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('run-verdict')).toHaveText(/INVALID/);
    await expect(page.getByText(sentence)).toBeVisible();
  });
});

/** Three rows, of which the second is no JSON any more. */
function recordSpoilt(folder: string): void {
  const path = join(recordRun(folder, { rows: 3 }), runFiles.rows);
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.map((line, index) => (index === 1 ? line.replace(':', '=') : line)).join('\n'));
}

function writeLines(path: string, lines: readonly object[], flag = 'w'): void {
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag });
}

async function exportAs(whiteline: Console, folder: string, kind: ExportKind): Promise<void> {
  const { page } = whiteline;
  const target = join(folder, 'exported', `run.${kind}`);
  await answerDialogs(whiteline, target, '');
  await page.keyboard.press('e');
  await page.getByRole('dialog').locator('button').nth(exportKindSchema.options.indexOf(kind)).click();
  await expect.poll(() => existsSync(target), kind).toBe(true);
  await expect(page.getByTestId('alert').filter({ hasText: target })).toBeVisible();
}
