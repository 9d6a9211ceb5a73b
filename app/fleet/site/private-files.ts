import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { writeProblem } from '../../engine/sessions/append-file';
import { replaceFileBy } from '../../engine/sessions/replace-file';
import { readSmallFile } from '../../engine/small-file';
import { toProblem, WhitelineError } from '../../protocol/errors';

/** Files and folders with keys and secrets: their user alone may read them. */

const folderMode = 0o700;
const fileMode = 0o600;

/** What the operator typed to choose where the file goes. */
type FieldOfPath = 'folder' | 'output';

/**
 * Makes the folder, and those above it, where they are missing. The rights of one that is there stay.
 * @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: folderMode });
  } catch (error) {
    throw unwritable(error, path, 'folder');
  }
}

/**
 * Puts a file in place whole.
 * @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL
 */
export function replacePrivateFile(path: string, text: string, field: FieldOfPath = 'folder'): void {
  try {
    replaceFileBy(path, (write) => write(text), fileMode);
  } catch (error) {
    throw unwritable(error, path, field);
  }
}

/**
 * Puts a new file in place whole; false: the name is taken. Of two processes that do so at once, one makes the file.
 * @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL
 */
export function addPrivateFile(path: string, text: string, field: FieldOfPath = 'folder'): boolean {
  const whole = `${path}.${process.pid}.whole`;
  replacePrivateFile(whole, text, field);
  try {
    linkSync(whole, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(error, path, field);
  } finally {
    rmSync(whole, { force: true });
  }
}

/**
 * Reads a small file; null if it does not exist.
 * @throws WhitelineError BAD_INPUT for what cannot be read
 */
export function readPrivateFile(path: string): string | null {
  try {
    return readSmallFile(path, 'folder');
  } catch (error) {
    if (error instanceof WhitelineError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new WhitelineError({
      code: 'BAD_INPUT',
      message: `${path} cannot be read (${code ?? message})`,
      ...{ field: 'folder', value: path },
      remedy: 'Run the command as the user who set up the fleet, or choose another folder',
    });
  }
}

/** A file of the fleet's folder whose content is not what Whiteline wrote there. */
export function damaged(path: string, remedy: string): WhitelineError {
  const message = `${path} is damaged`;
  return new WhitelineError({ code: 'BAD_INPUT', message, field: 'folder', value: path, remedy });
}

function unwritable(error: unknown, path: string, field: FieldOfPath): WhitelineError {
  const { code, message } = toProblem(error instanceof WhitelineError ? error : writeProblem(error, path));
  const remedy =
    code === 'DISK_FULL'
      ? 'Free some space'
      : 'Choose another place, or give this user the right to write there';
  return new WhitelineError({ code, message, field, value: path, remedy });
}
