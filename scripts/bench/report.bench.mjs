import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';
import { bundleProgram } from './bundle.mjs';
import { figure, median } from './figures.mjs';

export const area = 'report';

const runFile = promisify(execFile);
const streams = 16;
const runSeconds = 600;
const repeats = 5;
/** Printing takes longer than all the others together. */
const printRepeats = 1;
const peer = 'Node alone, reading and writing the same bytes';

const figures = [
  {
    id: 'report.html-seconds',
    unit: 's',
    of: ({ html }) => html.seconds,
    atMost: 3,
    peerOf: ({ copy }) => copy,
  },
  { id: 'report.html-megabytes', unit: 'MB', of: ({ html }) => html.megabytes, atMost: 3 },
  { id: 'report.json-seconds', unit: 's', of: ({ json }) => json.seconds },
  { id: 'report.csv-seconds', unit: 's', of: ({ csv }) => csv.seconds },
  { id: 'report.junit-seconds', unit: 's', of: ({ junit }) => junit.seconds },
  { id: 'report.pdf-seconds', unit: 's', of: ({ pdf }) => pdf.seconds },
  { id: 'report.pdf-megabytes', unit: 'MB', of: ({ pdf }) => pdf.megabytes },
];

/** How long `whiteline report` takes for a run of ten minutes with 16 streams, start of Node included, and how large it is. */
export async function run() {
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const program = await bundleProgram('report-run', folder);
    const runFolder = path.join(folder, 'run');
    await runFile(process.execPath, [program, runFolder, String(streams), String(runSeconds)]);
    const results = { copy: await copySeconds(runFolder) };
    for (const kind of ['html', 'json', 'csv', 'junit', 'pdf']) {
      results[kind] = await reported(runFolder, kind, path.join(folder, `report.${kind}`));
    }
    return figures.map(({ of, peerOf, ...named }) => {
      const value = of(results);
      const peerValue = peerOf?.(results) ?? null;
      return figure({
        ...named,
        value,
        peer: peerOf ? peer : null,
        peerValue,
        ratio: peerValue === null ? null : value / peerValue,
      });
    });
  } catch (error) {
    return figures.map(({ id, unit, atMost }) => figure({ id, unit, atMost, notMeasured: error.message }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function reported(runFolder, kind, file) {
  const command = [
    path.join(rootFolder, 'dist/app/cli.cjs'),
    'report',
    runFolder,
    `--${kind}`,
    file,
    '--force',
  ];
  const seconds = await medianSeconds(
    () => runFile(process.execPath, command),
    kind === 'pdf' ? printRepeats : repeats,
  );
  return { seconds, megabytes: statSync(file).size / 1e6 };
}

/** What no report can be faster than: a Node that starts, reads the run's files and the template, and writes them. */
function copySeconds(runFolder) {
  const program = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const texts = process.argv.slice(1).map((file) => readFileSync(file, 'utf8'));
    writeFileSync(process.argv[1] + '.copy', texts.join(''));`;
  const files = ['rows.jsonl', 'samples.jsonl', 'events.jsonl'].map((name) => path.join(runFolder, name));
  const template = path.join(rootFolder, 'dist/report/index.html');
  return medianSeconds(() => runFile(process.execPath, ['-e', program, ...files, template]));
}

async function medianSeconds(action, times = repeats) {
  const taken = [];
  for (let repeat = 0; repeat < times; repeat++) {
    const startedMs = performance.now();
    await action();
    taken.push((performance.now() - startedMs) / 1000);
  }
  return median(taken);
}
