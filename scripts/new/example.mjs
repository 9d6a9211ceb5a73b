import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, hostname, release, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../setup/command.mjs';
import { rootFolder } from '../setup/platform.mjs';
import { SetupError } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';

const runsFolder = path.join(rootFolder, 'test-content/runs');
const readingsFolder = path.join(rootFolder, 'test-content/readings');

/** What every run has. */
const usualFiles = ['events.jsonl', 'rows.jsonl', 'run.json', 'samples.jsonl'];

/**
 * Records a run of an experiment as its example, in place of the one before, and what its readers find in it.
 * @param {string[]} flags of `whiteline run ID`, for a run that is short
 * @returns its verdict, and what its folder has beside the files of every run, with sizes
 */
export async function recordExample(id, flags) {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-example-'));
  const out = path.join(folder, id);
  try {
    await carriedOut(id, [path.join(rootFolder, 'dist/app/cli.cjs'), 'run', id, ...flags, '--out', out]);
    withoutNames(out);
    rmSync(path.join(runsFolder, id), { recursive: true, force: true });
    cpSync(out, path.join(runsFolder, id), { recursive: true });
    for (const kind of ['', '.words'])
      rmSync(path.join(readingsFolder, `${id}${kind}.json`), { force: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const kept = path.join(runsFolder, id);
  const words = ['run', '--project', 'unit', 'app/engine/sessions/recorded-runs.test.ts', '-t', `^${id}: `];
  const { status, lastLines } = await runTool('vitest', words, {});
  if (status !== 0)
    throw new SetupError(`The run of ${id} is not read:\n${lastLines.join('\n')}`, 'correct it');
  const unusual = readdirSync(kept).filter((name) => !usualFiles.includes(name));
  return {
    verdict: runIn(path.join(kept, 'run.json')).verdict,
    unusual: unusual.map((name) => `${name} (${statSync(path.join(kept, name)).size} bytes)`),
  };
}

async function carriedOut(id, words) {
  const { lastLines } = await run(process.execPath, words, { onLine: (line) => console.log(line) });
  const runFile = path.join(words.at(-1), 'run.json');
  const { state } = runIn(runFile);
  if (state !== 'finished')
    throw new SetupError(
      `The run of ${id} is ${state}: ${lastLines.at(-1)}`,
      'correct the flags, or the experiment',
    );
}

function runIn(runFile) {
  try {
    return JSON.parse(readFileSync(runFile, 'utf8'));
  } catch {
    return { state: 'not recorded' };
  }
}

/** What is kept names neither the machine nor its folders. */
function withoutNames(folder) {
  const [kernel] = /^[\d.]+/.exec(release()) ?? [release()];
  for (const name of readdirSync(folder).filter((file) => /\.jsonl?$/.test(file))) {
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8')
      .replaceAll(`"${hostname()}"`, '"render-1"')
      .replaceAll(release(), kernel)
      .replaceAll(rootFolder, '/opt/whiteline')
      .replaceAll(homedir(), '/home/operator')
      .replaceAll(`${tmpdir()}/`, '');
    writeFileSync(file, text);
  }
}
