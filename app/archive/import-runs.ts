import {
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nameBelow } from '../engine/history/history';
import { readSummaries } from '../engine/history/index-file';
import { findRuns, keyOf } from '../engine/history/run-folders';
import { writeProblem } from '../engine/sessions/append-file';
import { newLinesRead } from '../engine/sessions/json-lines';
import { makeFolder } from '../engine/sessions/make-folder';
import { isBeingWritten, readEvents, readRun, runFiles } from '../engine/sessions/read-run';
import { sessionFiles } from '../engine/sessions/read-session';
import { openRecorded } from '../engine/sessions/recorded-file';
import { eventsIn, isOfVersion1, rowsIn } from '../engine/sessions/run-records';
import { ofVersion1 } from '../facts/missing';
import { badInput, WhitelineError } from '../protocol/errors';

/** What is copied here becomes a run's folder by one rename, whole or not at all. */
const unfinishedPrefix = '.importing-';
const abandonedMs = 3_600_000;

export interface ImportedRuns {
  /** Below the folder of all runs. */
  folders: string[];
  /** Of rows and events: cut short by a kill or a full disk, or of a version that is not ours. */
  unreadableLines: number;
}

/**
 * Copies a run from elsewhere, or a session with its runs, below the folder of all runs. Only what could have been
 * recorded is taken: no link, no hidden file.
 * @throws WhitelineError BAD_INPUT for a folder without a run, with one that goes on, that lost its beginning or that is
 * here already; OUTPUT_UNWRITABLE, DISK_FULL
 */
export async function importRuns(root: string, source: string): Promise<ImportedRuns> {
  const inside = runsIn(source);
  refuseOwn(root, source);
  for (const folder of inside) check(root, join(source, folder));
  const unreadableLines = inside.reduce((sum, folder) => sum + unreadableLinesOf(join(source, folder)), 0);
  const name = await copyInto(root, source);
  return { folders: inside.map((folder) => (folder === '' ? name : `${name}/${folder}`)), unreadableLines };
}

/** Removes copies that a kill cut short; another console may make one at this moment. */
export function removeUnfinishedImports(root: string, nowMs: number): void {
  const names = existsSync(root) ? readdirSync(root).filter((name) => name.startsWith(unfinishedPrefix)) : [];
  for (const path of names.map((name) => join(root, name)))
    if (nowMs - statSync(path).mtimeMs > abandonedMs) rmSync(path, { recursive: true, force: true });
}

/** From the source; '': it is a run itself. */
function runsIn(source: string): string[] {
  if (keyOf(source) !== null) return [''];
  const isSession = existsSync(join(source, sessionFiles.lines));
  const runs = isSession ? findRuns(source).map(({ folder }) => folder) : [];
  if (runs.length > 0) return runs;
  const remedy = `Choose the folder in which ${runFiles.events} or ${sessionFiles.lines} lies`;
  throw badInput('folder', 'the folder of a run, or of a plan with its runs', source, remedy);
}

function refuseOwn(root: string, source: string): void {
  const isOwn = resolve(source) === resolve(root) || nameBelow(root, source) !== null;
  const holdsOurs = nameBelow(source, root) !== null;
  if (isOwn || holdsOurs) throw badInput('folder', `a folder apart from ${root}`, source);
}

function check(root: string, path: string): void {
  if (isOfVersion1(path)) throw badInput('folder', 'a run in version 2 of the format', path, ofVersion1);
  const { id, experiment, startedAt, state } = readRun(path);
  if (!readEvents(path).some(({ kind }) => kind === 'run-started')) {
    const remedy = `Its first event is lost from ${runFiles.events}; read it where it is`;
    throw badInput('folder', 'a run whose start is recorded', path, remedy);
  }
  if (state === 'interrupted' && isBeingWritten(path))
    throw badInput('folder', 'a run that is over', path, 'Import it once it has ended');
  const known = existsSync(root) ? readSummaries(root) : [];
  const same = known.find(
    (run) => run.id === id && run.startedAt === startedAt && run.experiment === experiment,
  );
  if (same) throw badInput('folder', 'a run that is not here yet', path, `It is here as ${same.folder}`);
}

/** Of rows and events; of a version that is not ours, or spoilt. */
function unreadableLinesOf(path: string): number {
  const read = newLinesRead();
  for (const records of [rowsIn(path, read), eventsIn(path, read)]) for (const _ of records);
  return read.unreadable;
}

async function copyInto(root: string, source: string): Promise<string> {
  let unfinished: string | undefined;
  try {
    makeFolder(root);
    unfinished = mkdtempSync(join(root, unfinishedPrefix));
    await copyFolder(source, unfinished);
    const name = freeName(root, basename(resolve(source)));
    renameSync(unfinished, join(root, name));
    return name;
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true });
    throw error instanceof WhitelineError ? error : writeProblem(error, root);
  }
}

/** With the times of its files: a fresh one would be of a run that goes on. */
async function copyFolder(source: string, target: string): Promise<void> {
  const entries = await readdir(source, { withFileTypes: true }).catch((error) => {
    throw unreadable(error.code, source);
  });
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(to);
      await copyFolder(from, to);
    } else if (entry.isFile()) await copyRecorded(from, to);
  }
}

/** What was a file a moment ago may be a link by now: it is copied from where it was opened. */
async function copyRecorded(from: string, to: string): Promise<void> {
  const file = openRecorded(from);
  if (typeof file === 'string') throw unreadable(file, from);
  const { atime, mtime } = fstatSync(file.descriptor);
  await pipeline(createReadStream('', { fd: file.descriptor }), createWriteStream(to, { flags: 'wx' }));
  await utimes(to, atime, mtime);
}

function unreadable(why: string | undefined, path: string): WhitelineError {
  const remedy = 'Nothing was imported; copy the folder to this machine in another way first';
  return badInput('folder', 'a folder that can be read', `${path} (${why})`, remedy);
}

function freeName(root: string, wanted: string): string {
  // No dot either: by a folder's ending macOS and Windows take it for a program.
  const name = wanted.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'imported';
  let free = name;
  for (let number = 2; existsSync(join(root, free)); number++) free = `${name}-${number}`;
  return free;
}
