import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Problem, WhitelineError } from '../../protocol/errors';
import { tooManyOpenFiles } from '../tools/open-files';
import { writeProblem } from './append-file';
import { type ReadOptions, readRunTo } from './read-run';
import { replaceFileBy } from './replace-file';
import { runFiles } from './run-files';

/** Makes `run.json` of a run again. */
export type DeriveRun = (folder: string, options: ReadOptions) => Promise<void>;

/**
 * Makes `run.json` out of the append-only files, row by row: however long the run was, no more than one is in memory.
 * @throws WhitelineError NOT_FOUND when the folder holds no run; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function deriveRunFile(folder: string, options: ReadOptions): void {
  replaceFileBy(join(folder, runFiles.run), (write) => {
    let separator = '';
    write('{"schema": "whiteline-run/2", "rows": [');
    const facts = readRunTo(folder, options, (row) => {
      write(`${separator}\n${JSON.stringify(row)}`);
      separator = ',';
    });
    write(`\n],${JSON.stringify(facts, null, 2).slice(1)}\n`);
  });
}

/** More memory than deriving takes, however long the run was. */
const mostMemoryMb = 512;

/**
 * Derives in a separate thread, so that the process goes on measuring. The thread gets its program as text, because its Node may not know
 * how to read the archive in which a packaged app lies.
 * @param appFolder of the built app
 */
export function deriveInThread(appFolder: string): DeriveRun {
  const file = join(appFolder, 'dist', 'app', 'derive.cjs');
  return (folder, options) =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(readFileSync(file, 'utf8'), {
        eval: true,
        workerData: { folder, options },
        resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
      });
      worker.on('message', (problem: Problem | null) => {
        if (problem === null) resolve();
        else reject(new WhitelineError(problem));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error(`${runFiles.run} was not derived: its thread ended`)));
    }).catch((error: unknown) => {
      throw tooManyOpenFiles(error) ? writeProblem(error, join(folder, runFiles.run)) : error;
    });
}
