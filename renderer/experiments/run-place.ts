import type { Session } from '../../app/protocol/session';
import { fileName } from '../format';

/** Where the archive finds a run: its folder below that of all runs. */
export interface RunPlace {
  run: string;
  /** Folder of the plan's session that it is a run of; null: it belongs to the session of the console. */
  session: string | null;
}

/** @param folder of a run of this console, as a whole path: it lies in that of its session */
export function placeOf(folder: string, plan: Session | null): RunPlace {
  const name = fileName(folder);
  const parent = fileName(folder.slice(0, folder.length - name.length - 1));
  const isOfPlan = plan?.runs.some((run) => run.folder === name) ?? false;
  return { run: `${parent}/${name}`, session: isOfPlan ? parent : null };
}
