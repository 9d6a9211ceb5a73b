import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import {
  reasonOfRuns,
  type Session,
  type SessionLine,
  type SessionRun,
  sessionLineSchema,
  verdictOfRuns,
} from '../../protocol/session';
import { isBeingWritten, readLines, readRunTo, runFiles } from './read-run';
import { statRecorded } from './recorded-file';

/** Of a session's folder, beside the folders of its runs. */
export const sessionFiles = { lines: 'session.jsonl', session: 'session.json', plan: 'plan.yaml' } as const;

export function isSession(folder: string): boolean {
  return statRecorded(join(folder, sessionFiles.lines)) !== undefined;
}

/**
 * The session of a folder, whatever ended it: the runs of its plan, then whatever other run lies in the folder, by time.
 * `running`: the process that carries the plan out is alive.
 * @throws WhitelineError NOT_FOUND when the folder holds no session
 */
export function readSession(folder: string, options: { running: boolean } = { running: false }): Session {
  const lines = sessionLinesIn(folder);
  const start = startOf(lines);
  const planned = (start?.runs ?? []).map((run) => ({
    ...run,
    ...endingOf(folder, run.folder, lines, options),
  }));
  // A run that was begun and whose folder is gone is one that cannot be read, also where the beginning of the session is lost.
  const others = [...new Set([...runFoldersIn(folder), ...foldersIn(lines)])]
    .filter((name) => !planned.some((run) => run.folder === name))
    .map((name) => runIn(folder, name))
    .sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  const runs = [...planned, ...others.map(({ run }) => run)];
  const startedAt = start?.at ?? others.find((run) => run.startedAt !== '')?.startedAt;
  if (startedAt === undefined || !isSession(folder)) throw noSession(folder);
  const facts = {
    ...{ schema: 'whiteline-session/1' as const, id: sessionId(startedAt) },
    name: nameFrom(start, folder),
    startedAt,
  };
  if (!start?.plan)
    return {
      ...facts,
      ...endOfOthers(others),
      runs,
      verdict: verdictOfRuns(runs),
      reason: reasonOfRuns(runs),
    };
  const end = lines.find((line) => line.kind === 'session-ended');
  const cut = 'The session was interrupted; what was measured is kept';
  return {
    ...facts,
    state: end?.state ?? (options.running ? 'running' : 'interrupted'),
    endedAt: end?.at ?? null,
    plan: start.plan,
    thresholdProfile: start.thresholdProfile,
    runs,
    verdict: end?.verdict ?? null,
    reason: end?.reason ?? (options.running ? 'The session is still running' : cut),
  };
}

export function sessionId(startedAt: string): string {
  return startedAt.replace(/[:.]/g, '-');
}

/** As its files name it; the name of its folder where they do not. */
export function sessionNameIn(folder: string): string {
  return nameFrom(startOf(sessionLinesIn(folder)), folder);
}

function nameFrom(start: ReturnType<typeof startOf>, folder: string): string {
  return start?.plan?.name ?? start?.name ?? nameOfSession(folder);
}

/** Of a session whose runs are started one by one. */
export function nameOfSession(folder: string): string {
  return basename(resolve(folder));
}

/** A line that was cut short is ignored. */
export function sessionLinesIn(folder: string): SessionLine[] {
  return readLines(join(folder, sessionFiles.lines)).flatMap(
    (value) => safeParse(sessionLineSchema, value).data ?? [],
  );
}

/** Two runs that begin a session at once both write its beginning: the first one counts. */
export function startOf(
  lines: readonly SessionLine[],
): (SessionLine & { kind: 'session-started' }) | undefined {
  return lines.find((line) => line.kind === 'session-started');
}

/** Names of the folders in a session's that hold something of a run, be it unreadable; no link is followed. */
export function runFoldersIn(folder: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => holdsAnything(join(folder, name)));
}

/** Folders of the runs that the session says it has run, each within its own. */
function foldersIn(lines: readonly SessionLine[]): string[] {
  return lines.flatMap((line) =>
    'folder' in line && basename(line.folder) === line.folder ? line.folder : [],
  );
}

/** Whatever lies in the place of a run's file: a run whose records are gone, or may not be read, is still one. */
function holdsAnything(folder: string): boolean {
  try {
    return Object.values(runFiles).some((file) => lstatSync(join(folder, file), { throwIfNoEntry: false }));
  } catch {
    return true;
  }
}

interface FoundRun {
  run: SessionRun;
  startedAt: string;
  endedAt: string | null;
}

/** A run that no plan names. */
function runIn(session: string, folder: string): FoundRun {
  const path = join(session, folder);
  try {
    const running = isBeingWritten(path);
    const {
      experiment,
      title: name,
      state,
      verdict,
      reason,
      startedAt,
      endedAt,
    } = readRunTo(path, { running }, () => undefined);
    return { run: { folder, experiment, name, state, verdict, reason }, startedAt, endedAt };
  } catch (error) {
    const reason = (error as Error).message;
    const run = {
      ...{ folder, experiment: 'unknown', name: folder, reason },
      state: 'unreadable' as const,
      verdict: null,
    };
    return { run, startedAt: '', endedAt: null };
  }
}

/** Such a session is as far as its runs are. */
function endOfOthers(found: readonly FoundRun[]): Pick<Session, 'state' | 'endedAt'> {
  if (found.some(({ run }) => run.state === 'running')) return { state: 'running', endedAt: null };
  const ends = found.flatMap(({ endedAt }) => endedAt ?? []).sort();
  return { state: 'finished', endedAt: ends.at(-1) ?? null };
}

function endingOf(
  session: string,
  folder: string,
  lines: readonly SessionLine[],
  options: { running: boolean },
): Pick<SessionRun, 'state' | 'verdict' | 'reason'> {
  const of = lines.filter((line) => 'folder' in line && line.folder === folder);
  const end = of.find((line) => line.kind === 'run-ended');
  if (end?.kind === 'run-ended') return { state: end.state, verdict: end.verdict, reason: end.reason };
  if (of.length === 0) return { state: 'waiting', verdict: null, reason: '' };
  if (options.running) return { state: 'running', verdict: null, reason: '' };
  try {
    const { state, verdict, reason } = readRunTo(join(session, folder), { running: false }, () => undefined);
    return { state, verdict, reason };
  } catch {
    return { state: 'interrupted', verdict: null, reason: 'It was interrupted before its first row' };
  }
}

function noSession(folder: string): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `${folder} holds no session, or its beginning is lost`,
    field: 'folder',
    value: folder,
    remedy: `Choose a folder with ${sessionFiles.lines} in it`,
  });
}
