import type { Session } from '../../app/protocol/session';
import { fileName } from '../format';

/** Where the archive finds a run: its folder below that of all runs. */
export interface RunPlace {
  run: string;
  /** Folder of the plan's session that it is a run of; null: it was run on its own. */
  session: string | null;
}

/** @param folder of the run, as a whole path */
export function placeOf(folder: string, session: Session | null): RunPlace {
  const name = fileName(folder);
  if (!session?.runs.some((run) => run.folder === name)) return { run: name, session: null };
  const parent = fileName(folder.slice(0, folder.length - name.length - 1));
  return { run: `${parent}/${name}`, session: parent };
}
