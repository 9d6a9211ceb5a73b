import { parentPort, workerData } from 'node:worker_threads';
import { toProblem } from '../../protocol/errors';
import { deriveRunFile } from './derive-run';
import type { ReadOptions } from './read-run';

/** The thread that derives one run's `run.json`: see `deriveInThread`. */
const { folder, options } = workerData as { folder: string; options: ReadOptions };
try {
  deriveRunFile(folder, options);
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage(toProblem(error));
}
