import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure, median } from './figures.mjs';

export const area = 'history';

const runs = 5000;
const repetitions = 5;
const indexFile = '.whiteline-history.jsonl';
const peer = 'JSON.parse of every run.json';
const unit = 'ms';
const execute = promisify(execFile);

const figures = [
  { id: `history.open-${runs}`, action: 'open', atMost: 1000 },
  { id: `history.open-${runs}-without-index`, action: 'open', withoutIndex: true },
  { id: `history.search-${runs}`, action: 'search' },
  { id: 'history.parquet-100', action: 'parquet' },
];

/** How long the history of 5,000 runs takes to open, each time in a separate process, beside merely parsing them. */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const file = await bundleProgram('history-cost', folder);
    const root = path.join(folder, 'runs');
    await makeRuns(root, await recordRun(path.join(folder, 'recorded')));
    const results = Object.fromEntries(figures.map(({ id }) => [id, []]));
    const parsed = [];
    // Ours and peer take turns.
    for (let repetition = 0; repetition < repetitions; repetition++) {
      parsed.push(await perform(file, folder, 'parse'));
      for (const { id, action, withoutIndex } of figures) {
        if (withoutIndex) rmSync(path.join(root, indexFile), { force: true });
        results[id].push(await perform(file, folder, action));
      }
    }
    return figures.map((measured) => figureOf(measured, median(results[measured.id]), median(parsed)));
  } catch (error) {
    return figures.map(({ id, atMost }) => figure({ id, unit, atMost, notMeasured: error.message }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figureOf({ id, action, atMost }, value, parsed) {
  if (action === 'parquet') return figure({ id, unit, value });
  return figure({ id, unit, value, atMost, peer, peerValue: parsed, ratio: value / parsed });
}

/** A real ramp of two streams, as short as it may be. */
async function recordRun(folder) {
  const flags = ['--format', '640x360@30', '--max-streams', '2', '--hold', '2s', '--warm-up', '500ms'];
  const command = [
    path.join(rootFolder, 'dist/app/cli.cjs'),
    'run',
    'stream-load',
    ...flags,
    '--out',
    folder,
  ];
  await execute(process.execPath, command).catch((error) => {
    // 1, 5: it ran, and its verdict is no pass.
    if (error.code !== 1 && error.code !== 5) throw error;
  });
  return folder;
}

/** The same run again and again, each with a time and a name of its own. */
async function makeRuns(root, recorded) {
  mkdirSync(root);
  const events = readFileSync(path.join(recorded, 'events.jsonl'), 'utf8').split('\n');
  const derived = readFileSync(path.join(recorded, 'run.json'), 'utf8');
  const { id, startedAt } = JSON.parse(derived);
  for (let index = 0; index < runs; index++) {
    const at = new Date(Date.parse(startedAt) - index * 60_000).toISOString();
    const name = at.replace(/[:.]/g, '-');
    const folder = path.join(root, `${name}-stream-load`);
    const moved = (text) => text.replaceAll(startedAt, at).replaceAll(id, name);
    cpSync(recorded, folder, { recursive: true });
    writeFileSync(path.join(folder, 'events.jsonl'), [moved(events[0]), ...events.slice(1)].join('\n'));
    writeFileSync(path.join(folder, 'run.json'), moved(derived));
  }
}

async function perform(file, folder, action) {
  const options = { root: path.join(folder, 'runs'), action, out: path.join(folder, 'parquet') };
  const env = { ...process.env, NODE_PATH: path.join(rootFolder, 'node_modules') };
  const { stdout } = await execute(process.execPath, [file, JSON.stringify(options)], { env });
  const reported = JSON.parse(stdout);
  if (action === 'open' && reported.runs !== runs)
    throw new Error(`${reported.runs} of ${runs} runs were found`);
  return reported.ms;
}
