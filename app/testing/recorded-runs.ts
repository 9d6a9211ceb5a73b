import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runFiles } from '../engine/sessions/run-files';

/** Runs that are kept: test-content/runs/README.md. */
export const recordedRunsFolder = resolve('test-content/runs');

/** Their folders, from that one. */
export function recordedRuns(): string[] {
  return filesUnder(recordedRunsFolder)
    .filter((file) => file.endsWith(`/${runFiles.events}`))
    .map(dirname)
    .sort();
}

/** Paths of all files below a folder, from it. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesUnder(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
      : [entry.name],
  );
}
