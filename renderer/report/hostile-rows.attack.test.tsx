import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { exportParquet } from '../../app/engine/history/parquet';
import { csvOf } from '../../app/engine/reports/csv';
import { reportData } from '../../app/engine/reports/html';
import { junitOf } from '../../app/engine/reports/junit';
import { readRun, runFiles } from '../../app/engine/sessions/read-run';
import { declarations } from '../../app/experiments/declarations';
import { attackCount, attackSeed, hostileValue } from '../../app/testing/attack';
import { Random } from '../../app/testing/random';
import { temporaryFolder } from '../../app/testing/temporary-folder';
import { Report } from './report';

/** Of the attacks that are tried, so many end in a Parquet file: each starts a database. */
const parquetShare = 0.1;

const cuts = attackCount('WHITELINE_ATTACK_CUTS', 200);
vi.setConfig({ testTimeout: 60_000 + cuts * 300 });

const root = temporaryFolder();

/** A value that passes for the one in its place more often than one of any kind. */
function valueLike(random: Random, value: unknown): unknown {
  if (random.chance(0.3)) return hostileValue(random);
  if (typeof value === 'number') return random.pick([0, -1, 0.5, 1e6, 2 ** 31, 2 ** 53 - 1, 1e300, -1e300]);
  if (typeof value === 'string')
    return random.pick(['', ' ', '\u202e\u0007', 'constructor', '9999-99-99T99:99:99Z', '<script>', '\0']);
  return hostileValue(random);
}

/** Replaces one leaf of a value, or the name of one. */
function spoilLeaf(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return valueLike(random, value);
  const keys = Object.keys(value);
  if (keys.length === 0) return hostileValue(random);
  const chosen = random.pick(keys);
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === chosen ? spoilLeaf(random, part) : part));
  const renamed = random.chance(0.05)
    ? random.pick(['constructor', 'toString', '', '\0', '__proto__'])
    : chosen;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === chosen ? [renamed, spoilLeaf(random, part)] : [key, part],
    ),
  );
}

function spoilLine(random: Random, folder: string): void {
  const path = join(folder, random.pick([runFiles.rows, runFiles.rows, runFiles.samples, runFiles.events]));
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const at = random.whole(0, lines.length - 1);
  lines[at] = JSON.stringify(spoilLeaf(random, JSON.parse(lines[at] ?? 'null')));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** A recorded run in the newest version of the format. */
function wholeRun(experiment: string): string {
  const folder = join(root, experiment);
  cpSync(resolve('test-content/runs', experiment), folder, { recursive: true });
  const { rows } = readRun(folder);
  writeFileSync(join(folder, runFiles.rows), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  rmSync(join(folder, runFiles.run), { force: true });
  return folder;
}

test('every export of a run is made, whatever values its lines have', async () => {
  const wholes = declarations.map(({ id }) => wholeRun(id));
  const folder = join(root, 'spoilt');
  const tables = join(root, 'tables');
  for (let attack = 0; attack < cuts; attack++) {
    const random = new Random(attackSeed + attack);
    rmSync(folder, { recursive: true, force: true });
    cpSync(random.pick(wholes), folder, { recursive: true });
    for (let line = 0; line < 3; line++) spoilLine(random, folder);
    try {
      const run = readRun(folder);
      expect(csvOf(run)).not.toBe('');
      expect(junitOf(run)).toContain('<testsuite');
      expect(renderToStaticMarkup(<Report data={reportData(folder, false)} />)).not.toBe('');
      if (random.chance(parquetShare)) await exportParquet([folder], tables, 'replace');
    } catch (error) {
      throw new Error(`WHITELINE_SEED=${attackSeed}, attack ${attack}`, { cause: error });
    }
  }
});
