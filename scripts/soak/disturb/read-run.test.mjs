import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRunFolder } from './read-run.mjs';
import { runnable } from './tools.mjs';

function folderWith(files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'disturb-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** The wall clock stood at 0 when the monotonic clock did, and runs 5 s ahead of it. */
const run = { verdict: 'PASS', state: 'finished', reason: '', wallOffsets: [{ offsetUs: 5_000_000 }] };
const row = {
  ...{ index: 0, from: '1970-01-01T00:00:15.000Z', to: '1970-01-01T00:00:19.000Z', verdict: 'PASS' },
  ...{ subjects: [{ kind: 'stream', id: '1' }], details: { rawLog: 'stamps-1.csv' } },
};

test('times are those of the monotonic clock, logs are read, and a line that was cut is left out', () => {
  const folder = folderWith({
    'run.json': JSON.stringify(run),
    'rows.jsonl': `${JSON.stringify(row)}\n{"index":1,`,
    'samples.jsonl': `${JSON.stringify({ atNs: 12e9, cpuStealPercent: 7, roles: {} })}\n`,
    'captured-1.log': '12000000000 5 300 0 1\n12033000000 5 30',
    'stamps-1.csv': 'packet,stampNs\n0,85\n1,86\n',
  });
  const read = readRunFolder(folder);
  expect(read.rows).toMatchObject([{ index: 0, fromNs: 10e9, toNs: 14e9 }]);
  expect(read.stolen).toEqual([{ atNs: 12e9, cpuStealPercent: 7 }]);
  expect(read.rows[0].logs).toEqual({
    captured: { 1: [{ captureNs: 12e9, sourceId: 5, frameNumber: 300, status: 0 }] },
    packets: [0, 1],
  });
});

test('a folder that cannot be read says why', () => {
  expect(readRunFolder(folderWith({})).problem).toMatch(/ENOENT/);
  expect(readRunFolder(folderWith({ 'run.json': '{' })).problem).toMatch(/JSON/);
});

test('an experiment whose tool is not installed is skipped, and said', () => {
  const experiments = [
    { id: 'one', tools: [] },
    { id: 'two', tools: ['no-such-tool'] },
  ];
  expect(runnable(experiments)).toEqual({
    known: [experiments[0]],
    skipped: ['two is skipped: no-such-tool is not installed'],
  });
});
