import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../sessions/read-run';

/** A folder of a run, and what its files were like when it was looked at. */
export interface RunPlace {
  /** From the folder of all runs. */
  folder: string;
  /** Changes with each line of its rows and events. */
  key: string;
}

/** A session of a plan has its runs in folders of its own. */
const deepest = 3;

/** Every folder below `root` that holds a run, by name; one that cannot be read has none. */
export function findRuns(root: string, below = '', depth = 1): RunPlace[] {
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
  const events = statOf(join(path, runFiles.events));
  const rows = statOf(join(path, runFiles.rows));
  if (!events && !rows) return null;
  return [events, rows].map((file) => (file ? `${file.size}@${file.mtimeMs}` : '-')).join(' ');
}

function statOf(path: string): Stats | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}
