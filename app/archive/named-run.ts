import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baselinesShown } from '../engine/history/baseline';
import { nameBelow, runFolderBelow } from '../engine/history/history';
import { asItIsNow, summaryOf, summaryOfRun } from '../engine/history/summary';
import { isSession, sessionNameIn } from '../engine/sessions/read-session';
import type { Run } from '../facts/run';
import type { ArchivedRun } from '../protocol/archive';
import { badInput, WhitelineError } from '../protocol/errors';
import type { RunSummary } from '../protocol/history';
import { plainPageText } from '../protocol/plain-text';
import { isVisible } from '../protocol/visible-name';

/** A run that a window named: its folder below the folder of all runs, and where that is. */
export interface NamedRun {
  folder: string;
  path: string;
}

/**
 * @throws WhitelineError BAD_INPUT for a name that leads out of the folder of all runs, into one of the archive's own
 * folders there, or to what is no run; NOT_FOUND where nothing is there
 */
export function namedRun(root: string, name: string): NamedRun {
  const wanted = join(root, name);
  if (
    nameBelow(root, wanted) === name &&
    visibleName(root, wanted) === name &&
    isVisible(name) &&
    !existsSync(wanted)
  )
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The run ${name} is not there any more: it was deleted, or its folder was moved`,
      field: 'run',
      value: name,
      remedy: 'Deleted runs, above the list of all runs, brings back one that was deleted',
    });
  const path = runFolderBelow(root, name);
  const folder = visibleName(root, path);
  // One run has one name: another way to it means something else.
  if (folder !== name) throw badInput('run', folder, name);
  return { folder, path };
}

/**
 * How a folder is called below the folder of all runs. What begins with a dot is not of the operator: it is put aside.
 * @throws WhitelineError BAD_INPUT for any other folder
 */
export function visibleName(root: string, path: string): string {
  const name = nameBelow(root, path);
  if (name !== null && !name.split('/').some((part) => part.startsWith('.'))) return name;
  throw badInput('run', `a run below ${root}`, path);
}

/** @throws WhitelineError BAD_INPUT as `namedRun`, for what is no session of ours */
export function namedSession(root: string, name: string): string {
  const path = join(root, name);
  if (visibleName(root, path) === name && isSession(path)) return path;
  throw badInput('session', `a session below ${root}`, name);
}

/** @throws WhitelineError NOT_FOUND for files that hold no run */
export function readArchivedRun(root: string, folder: string): ArchivedRun {
  return archivedAs(root, folder, summaryOf(root, folder));
}

/**
 * The same of a run that was read already.
 * @throws WhitelineError NOT_FOUND for what is no run of ours
 */
export function archivedRunOf(root: string, folder: string, run: Run): ArchivedRun {
  return archivedAs(root, folder, summaryOfRun(folder, run));
}

function archivedAs(root: string, folder: string, summary: RunSummary | null): ArchivedRun {
  if (summary) return archivedRun(root, asItIsNow(root, summary), baselinesShown(root).baselines);
  throw new WhitelineError({
    code: 'NOT_FOUND',
    message: `${join(root, folder)} holds no run`,
    field: 'run',
    value: folder,
    remedy: 'Check the list again: the folder was changed by something else',
  });
}

export function archivedRun(
  root: string,
  summary: RunSummary,
  baselines: Record<string, string>,
): ArchivedRun {
  const { folder, experiment } = summary;
  const parent = folder.split('/').slice(0, -1).join('/');
  const isOfSession = parent !== '' && isSession(join(root, parent));
  const { title, reason, notes } = summary;
  return {
    ...summary,
    // It may be recorded, or changed, by anything: no text of it turns what stands beside it.
    ...{ title: plainPageText(title), reason: plainPageText(reason), notes: notes.map(plainPageText) },
    isBaseline: baselines[experiment] === folder,
    session: isOfSession ? parent : null,
    sessionName: isOfSession ? plainPageText(sessionNameIn(join(root, parent))) : null,
  };
}
