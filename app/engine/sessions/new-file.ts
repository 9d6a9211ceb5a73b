import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { writeProblem } from './append-file';
import { holdsRun } from './read-run';
import { runFiles } from './run-files';

/** What becomes of a file that has the name already: "replace" only where the operator asked for it. */
export type Existing = 'keep' | 'replace';

/** Of a file; in parts where it may be longer than memory should hold. */
export type FileContent = string | Uint8Array | Iterable<string>;

/** Every command that writes files has this flag. */
export const forceFlag = '--force';

/**
 * Writes a file whole or not at all. No link is followed and no device or pipe is opened, neither for a new file nor for one that
 * is replaced.
 * @throws WhitelineError BAD_INPUT for a name that is taken; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function writeNewFile(path: string, content: FileContent, existing: Existing): void {
  checkNewFile(path, existing);
  const temporary = join(dirname(path), `.whiteline-${randomBytes(8).toString('hex')}.new`);
  try {
    const descriptor = openSync(temporary, 'wx');
    try {
      try {
        for (const part of typeof content === 'string' || content instanceof Uint8Array ? [content] : content)
          writeFileSync(descriptor, part);
      } finally {
        closeSync(descriptor);
      }
      putInPlace(temporary, path, existing);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw error instanceof WhitelineError ? error : writeProblem(error, path);
  }
}

/**
 * Gives a file that was just written its name.
 * @throws WhitelineError BAD_INPUT for a name that is taken; else what the system says
 */
export function putInPlace(temporary: string, path: string, existing: Existing): void {
  if (existing === 'replace') {
    checkNewFile(path, existing);
    renameSync(temporary, path);
    return;
  }
  reserve(path);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Before a long work is begun whose result could not be written in the end.
 * @throws WhitelineError BAD_INPUT for a name that is taken, or that is no file
 */
export function checkNewFile(path: string, existing: Existing): void {
  const there = statOf(path);
  if (!there) return;
  if (!there.isFile() && !there.isSymbolicLink()) throw notFile(path);
  if (existing === 'keep') throw taken(path);
  if (isRecord(path))
    throw refused(path, 'is a record of a run', 'Choose another name: records are never written over');
}

/** A file of a run's folder that cannot be made again. */
function isRecord(path: string): boolean {
  const { rows, events, samples } = runFiles;
  return [rows, events, samples].some((file) => file === basename(path)) && holdsRun(dirname(path));
}

/** Takes the name, which `rename` may then write over: no other file can come between. */
function reserve(path: string): void {
  try {
    closeSync(openSync(path, 'wx'));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(path) : error;
  }
}

/** Of the name itself, whatever a link points to. A name that cannot be reached is found out by the writing. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function taken(path: string): WhitelineError {
  return refused(path, 'exists already', `Choose another name, or give ${forceFlag} to write over it`);
}

function notFile(path: string): WhitelineError {
  return refused(path, 'is no file', 'A folder, a device or a pipe has this name: choose another');
}

function refused(path: string, why: string, remedy: string): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: `${path} ${why}`,
    field: 'file',
    value: path,
    remedy,
  });
}
