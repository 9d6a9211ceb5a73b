import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInHistory } from '../../app/engine/history/history';
import { exportParquet } from '../../app/engine/history/parquet';

/**
 * One thing done once with the history of a folder of runs, in a process of its own as when a window is opened. Prints
 * one JSON object: how long it took, and how many runs it was about.
 */

interface Options {
  root: string;
  action: 'open' | 'search' | 'parse' | 'parquet';
  /** For Parquet files. */
  out: string;
}

const actions: Record<Options['action'], (options: Options) => Promise<number>> = {
  open: async ({ root }) => findInHistory(root).length,
  search: async ({ root }) => findInHistory(root, { text: 'streams carried', verdict: 'PASS' }).length,
  /** The peer: the same runs, each as its run.json records it, and no more. */
  parse: async ({ root }) =>
    readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => JSON.parse(readFileSync(join(root, name, 'run.json'), 'utf8')) as { id: string })
      .length,
  parquet: async ({ root, out }) => {
    const folders = findInHistory(root, { limit: 100 }).map(({ folder }) => join(root, folder));
    await exportParquet(folders, out, 'replace');
    return folders.length;
  },
};

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const startedNs = process.hrtime.bigint();
actions[options.action](options)
  .then((runs) => {
    const ms = Number(process.hrtime.bigint() - startedNs) / 1e6;
    process.stdout.write(`${JSON.stringify({ runs, ms })}\n`);
  })
  .catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
