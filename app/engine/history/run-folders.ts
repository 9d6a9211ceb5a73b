import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBeingWritten } from '../sessions/read-run';
import { statRecorded } from '../sessions/recorded-file';
import { runFiles } from '../sessions/run-files';

/** A folder of a run, and what its files were like when it was read. */
export interface FoundRun {
  /** From the folder of all runs. */
  folder: string;
  /** Changes with each line of its rows and events, and with its samples once they are complete. */
  key: string;
}

/** The session of a plan has a folder for each of its runs. */
const deepest = 3;

/** Every folder below `root` that holds a run, by name; one that cannot be read has none. */
export function findRuns(root: string, below = '', depth = 1): FoundRun[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(root, below), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const folder = below === '' ? name : `${below}/${name}`;
      const key = keyOf(join(root, folder));
      if (key !== null) return [{ folder, key }];
      return depth < deepest ? findRuns(root, folder, depth + 1) : [];
    });
}

/** Null: no run is here. */
export function keyOf(path: string): string | null {
  const likeOf = (file: string): string => {
    const stats = statRecorded(join(path, file));
    return stats ? `${stats.size}@${stats.mtimeMs}` : '-';
  };
  const [events, rows] = [likeOf(runFiles.events), likeOf(runFiles.rows)];
  if (events === '-' && rows === '-') return null;
  return [events, rows, isBeingWritten(path) ? '…' : likeOf(runFiles.samples)].join(' ');
}
