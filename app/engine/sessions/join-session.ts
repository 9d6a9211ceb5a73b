import { join } from 'node:path';
import type { Run } from '../../facts/run';
import { badInput } from '../../protocol/errors';
import type { SessionLine } from '../../protocol/session';
import { AppendFile, writeProblem } from './append-file';
import { makeFolder } from './make-folder';
import { holdsRun } from './read-run';
import {
  isSession,
  nameOfSession,
  readSession,
  runFoldersIn,
  sessionFiles,
  sessionId,
  sessionLinesIn,
  startOf,
} from './read-session';
import { replaceFile } from './replace-file';

type Start = Extract<SessionLine, { kind: 'session-started' }>;

/**
 * Before a run is prepared that could not be recorded in the end.
 * @throws WhitelineError BAD_INPUT for the folder of a run, of a plan's session, or of runs that are no session
 */
export function checkJoin(path: string): void {
  const expected = 'a folder of its own, or of a session that was begun so';
  const remedy = 'Choose another folder; it is made where it is absent';
  const refused = (what: string): Error => badInput('session', expected, `${path}, ${what}`, remedy);
  if (holdsRun(path)) throw refused('which holds a run');
  if (startIn(path)?.plan) throw refused('the session of a plan');
  if (!isSession(path) && runFoldersIn(path).length > 0) throw refused('which holds runs of other sessions');
}

/**
 * Makes a new run one of the session in a folder. The first run begins the session and names it; two may do so at once.
 * @throws WhitelineError BAD_INPUT as `checkJoin`; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function joinSession(
  path: string,
  { name = nameOfSession(path), now }: { name?: string; now: Date },
): NonNullable<Run['session']> {
  checkJoin(path);
  const own: Start = { kind: 'session-started', at: now.toISOString(), name, runs: [] };
  if (!startIn(path)) begin(path, own);
  const started = startIn(path) ?? own;
  const order = runFoldersIn(path).length + 1;
  return { id: sessionId(started.at), name: started.name ?? nameOfSession(path), order };
}

/** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
export function deriveSession(path: string): void {
  replaceFile(join(path, sessionFiles.session), readSession(path));
}

function begin(path: string, start: Start): void {
  const file = join(path, sessionFiles.lines);
  try {
    makeFolder(path);
    const lines = new AppendFile(file);
    try {
      lines.append(start);
    } finally {
      lines.close();
    }
  } catch (error) {
    throw writeProblem(error, file);
  }
}

function startIn(path: string): Start | undefined {
  return startOf(sessionLinesIn(path));
}
