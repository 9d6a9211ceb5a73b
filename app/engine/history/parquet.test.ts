import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordMetrics } from '../../facts/metrics/records';
import { metrics } from '../../facts/metrics/registry';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { type Figured, scalarOf } from '../../facts/row-figures';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { sentence } from '../../testing/sentence';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readEvents, readRun, readSamples } from '../sessions/read-run';
import { literal, queryRows, withDatabase } from './database';
import { type Cell, flatRecord } from './flat-records';
import { exportParquet } from './parquet';

const root = temporaryFolder();

const linkRow: ClosedRow = {
  ...{ index: 3, label: 'TCP, 4 × "quoted"; it’s', verdict: 'WARN', reason: sentence('x') },
  ...{ from: '2026-11-21T00:00:00.000Z', to: '2026-11-21T00:00:10.000Z', subjects: [], load: {} },
  step: { 'link.protocol': 'TCP', 'link.targetMbps': null },
  figures: { measuredSeconds: 10, 'link.throughputMbps': 941.25 },
  details: { repeats: [940, 942.5] },
  notMeasured: { 'link.targetMbps': 'TCP has no target' },
};

function record(name: string): string {
  const folder = join(root, name);
  const { recorder } = recorderIn(folder);
  for (let index = 0; index < 3; index++) {
    recorder.event('problem', `before row ${index}, “ünïcödé”`, { index });
    recorder.sample(loadSample({ atNs: index + 0.123456789, cpuPercent: 12.345 + index }));
    recorder.row(exampleRow(index));
  }
  recorder.row(linkRow);
  recorder.end('finished', 'PASS', 'all well');
  return folder;
}

function readBack(file: string, folder: string): Promise<Record<string, unknown>[]> {
  const sql = `SELECT * FROM read_parquet(${literal(file)}) WHERE runFolder = ?`;
  return withDatabase((connection) => queryRows(connection, sql, [folder]));
}

test('every figure of two runs is in the files as it is in the folders', async () => {
  const folders = [record('one'), record("it's two")];
  const out = join(root, 'parquet');
  const files = await exportParquet(folders, out, 'keep');
  expect(files).toEqual(
    ['rows', 'subjects', 'samples', 'events'].map((name) => join(out, `${name}.parquet`)),
  );
  expect(readdirSync(out)).toHaveLength(4);
  const [rowsFile = '', streamsFile = '', samplesFile = '', eventsFile = ''] = files;
  let figures = 0;
  const expectFigures = (back: Record<string, unknown> | undefined, of: Figured): void => {
    for (const { id } of metrics.filter((metric) => !recordMetrics.includes(metric))) {
      expect(back?.[id] ?? null, id).toBe(scalarOf(of, id));
      figures += Number(typeof back?.[id] === 'number');
    }
  };
  for (const folder of folders) {
    const { id: runId, rows } = readRun(folder);
    const rowsBack = await readBack(rowsFile, folder);
    expect(rowsBack).toHaveLength(4);
    for (const [index, row] of rows.entries()) {
      const { verdict, label, from: startedAt, to: endedAt } = row;
      const reason = wordsOf(row.reason);
      expect(rowsBack[index]).toMatchObject({ row: row.index, verdict, reason, label, startedAt, endedAt });
      expect(JSON.parse(String(rowsBack[index]?.notMeasured))).toEqual(row.notMeasured);
      expectFigures(rowsBack[index], row);
    }
    expect(rowsBack[3]).toMatchObject({ 'link.protocol': 'TCP', 'link.targetMbps': null });
    expect(JSON.parse(String(rowsBack[3]?.details))).toEqual(linkRow.details);
    expect(rowsBack[0]).toMatchObject({ runId, experiment: 'stream-load' });

    const streams = rows.flatMap(({ subjects }) => subjects);
    const streamsBack = await readBack(streamsFile, folder);
    expect(streamsBack).toHaveLength(streams.length);
    for (const [index, stream] of streams.entries()) expectFigures(streamsBack[index], stream);

    const samples = readSamples(folder);
    const samplesBack = await readBack(samplesFile, folder);
    expect(samplesBack).toHaveLength(samples.length);
    for (const [index, sample] of samples.entries()) {
      const flat: Record<string, Cell> = flatRecord(sample);
      expect(Object.keys(flat).length).toBeGreaterThan(25);
      for (const [path, cell] of Object.entries(flat)) expect(samplesBack[index]?.[path], path).toBe(cell);
    }

    const events = readEvents(folder);
    const eventsBack = await readBack(eventsFile, folder);
    expect(eventsBack.map(({ at, kind, text }) => ({ at, kind, text }))).toEqual(
      events.map(({ at, kind, text }) => ({ at, kind, text })),
    );
    expect(eventsBack.map(({ details }) => (details ? JSON.parse(String(details)) : undefined))).toEqual(
      events.map(({ details }) => details),
    );
  }
  expect(figures).toBeGreaterThan(100);
});

test('a table that nothing was written to has no file, not even one of an earlier export', async () => {
  const folder = join(root, 'empty');
  recorderIn(folder).recorder.end('finished', null, '');
  const out = join(root, 'events-only');
  expect(await exportParquet([record('before')], out, 'keep')).toHaveLength(4);
  expect(await exportParquet([folder], out, 'replace')).toEqual([join(out, 'events.parquet')]);
  expect(readdirSync(out)).toEqual(['events.parquet']);
});

test('what has the name of a table already is kept unless it is to be replaced', async () => {
  const folder = record('again');
  const [out, victim] = [join(root, 'again-tables'), join(root, 'victim')];
  await exportParquet([folder], out, 'keep');
  writeFileSync(victim, 'mine');
  rmSync(join(out, 'rows.parquet'));
  symlinkSync(victim, join(out, 'rows.parquet'));
  await expect(exportParquet([folder], out, 'keep')).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', message: expect.stringMatching(/rows\.parquet exists already/) },
  });
  expect(await exportParquet([folder], out, 'replace')).toHaveLength(4);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(lstatSync(join(out, 'rows.parquet')).isFile()).toBe(true);
});

test.runIf(process.getuid?.() === 0)('a full disk is reported, and leaves no half file', async () => {
  const folder = record('large');
  const disk = join(root, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk]);
  try {
    await expect(exportParquet([folder], disk, 'keep')).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(readdirSync(disk)).toEqual([]);
  } finally {
    execFileSync('umount', [disk]);
  }
});

test('a folder that cannot be written and a folder without a run are refused', async () => {
  const folder = record('third');
  const file = join(root, 'a-file');
  writeFileSync(file, '');
  await expect(exportParquet([folder], join(file, 'out'), 'keep')).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
  });
  await expect(exportParquet([root], join(root, 'out'), 'keep')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
