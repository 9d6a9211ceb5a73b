import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importRuns } from '../../archive/import-runs';
import { listRuns } from '../../archive/list-runs';
import { openRun } from '../../archive/open-runs';
import { ofNewerFormat, ofVersion1 } from '../../facts/missing';
import { exitCodes } from '../../protocol/errors';
import { whiteline } from '../../testing/command-here';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { exportText } from '../reports/export';
import { chosenGroup, GroupReader } from '../reports/run-group';
import { annotateRun, remarkEvent } from './notes';
import { readRun, runFiles } from './read-run';

const root = join(temporaryFolder(), 'runs');
const times = { startedAt: '2026-11-23T07:02:30.244Z', endedAt: '2026-11-23T07:02:32.910Z' };
const common = {
  ...times,
  label: '',
  measuredSeconds: 2,
  verdict: 'PASS',
  reason: 'all came',
  notMeasured: {},
};
const streams = {
  kind: 'streams',
  row: 0,
  streams: 1,
  framesDropped: 0,
  perStream: [],
  values: {},
  ...common,
};
const table = { kind: 'table', row: 0, values: { 'storage.medianMBps': 803 }, details: {}, ...common };

/** A run that was carried out and passed, with rows as version 1 recorded them. */
async function oldRun(name: string, rows: readonly object[]): Promise<string> {
  const folder = join(root, name);
  const { recorder } = recorderIn(folder);
  recorder.sample(loadSample());
  await recorder.end('finished', 'PASS', 'all came');
  writeFileSync(join(folder, runFiles.rows), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return folder;
}

test.each([
  ['streams', [streams, { ...streams, row: 1 }]],
  ['table', [table]],
])(
  'a run of version 1 with rows of %s says so wherever it is shown, and never that it passed',
  async (name, rows) => {
    const folder = await oldRun(name, rows);
    const reason = `${ofVersion1}; the recorded verdict was PASS: all came`;
    const said = { verdict: 'INVALID', reason };
    expect(readRun(folder)).toMatchObject({ ...said, rows: [], missing: { rows: rows.length } });
    expect(listRuns(root, { filter: {}, offset: 0, limit: 10 }).runs).toContainEqual(
      expect.objectContaining({ folder: name, ...said }),
    );
    expect(openRun(root, name)).toMatchObject({ run: said, summary: said });
    expect((await whiteline('runs', '--runs', root)).output).toMatch(
      new RegExp(`INVALID +${name}\n +${reason}\n`),
    );
    const { errors, exitCode } = await whiteline('report', folder);
    expect(exitCode).toBe(exitCodes.pass);
    expect(errors).toContain(ofVersion1);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(ofVersion1);
    expect(exportText(folder, 'junit', '')).toContain(ofVersion1);
    const reader = new GroupReader(chosenGroup([folder]));
    expect([...reader.runs()].map(({ entry }) => entry)).toMatchObject([said]);
    expect(reader.session().verdict).toBe('INVALID');
  },
);

test('its rows stay as they are, also where a note is added to it', async () => {
  const folder = await oldRun('noted', [table]);
  const before = readFileSync(join(folder, runFiles.rows), 'utf8');
  annotateRun(folder, [remarkEvent({ kind: 'note', text: 'a note' }, new Date(0))]);
  expect(readFileSync(join(folder, runFiles.rows), 'utf8')).toBe(before);
  expect(readRun(folder)).toMatchObject({ verdict: 'INVALID', notes: [{ text: 'a note' }] });
});

test('it is not imported', async () => {
  const folder = await oldRun('elsewhere', [table]);
  const source = join(temporaryFolder(), 'elsewhere');
  cpSync(folder, source, { recursive: true });
  await expect(importRuns(root, source)).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', remedy: ofVersion1 },
  });
});

test('a run of a newer version says so, and never that it passed', async () => {
  const folder = await oldRun('newer', [{ index: 'first', verdict: { is: 'PASS' } }]);
  const path = join(folder, runFiles.run);
  writeFileSync(path, readFileSync(path, 'utf8').replace('whiteline-run/2', 'whiteline-run/7'));
  const run = readRun(folder);
  expect(run).toMatchObject({ verdict: 'INVALID', rows: [], missing: { rows: 1, newerFormat: 7 } });
  expect(run.reason).toMatch(
    /^This run was recorded in version 7 of the format, .+ the Whiteline that recorded it; the recorded verdict was PASS/,
  );
  expect(exportText(folder, 'csv', '')).toContain('INVALID');
  expect(exportText(folder, 'junit', '')).toContain(ofNewerFormat(7));
  expect((await whiteline('runs', '--runs', root, '--text', 'newer')).output).toContain(ofNewerFormat(7));
});
