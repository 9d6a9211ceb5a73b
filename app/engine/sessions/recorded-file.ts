import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';

/** Why a recorded file cannot be read, or not to its end. A link counts as no file: it leads out of the folder. */
export type FileProblem = 'absent' | 'no file' | 'unreadable';

export interface OpenFile {
  /** The reader closes it. */
  descriptor: number;
  bytes: number;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Windows has neither flag; `lstat` says first what is in the place. */
const flags = process.platform === 'win32' ? O_RDONLY : O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens a recorded file, perhaps on another machine: a regular file in its own place. No link is followed,
 * and a pipe or a device is neither waited for nor read.
 */
export function openRecorded(path: string): OpenFile | FileProblem {
  let descriptor: number;
  try {
    if (!lstatSync(path).isFile()) return 'no file';
    descriptor = openSync(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, bytes: stats.size };
  } catch {
    // What was opened proves nothing about itself.
  }
  closeSync(descriptor);
  return 'no file';
}

/** The whole of a recorded file, or why there is none; nothing longer than `mostBytes`. */
export function readRecorded(path: string, mostBytes: number): Buffer | FileProblem {
  const file = openRecorded(path);
  if (typeof file === 'string') return file;
  try {
    if (file.bytes > mostBytes) return 'unreadable';
    const whole = Buffer.alloc(file.bytes);
    let filled = 0;
    while (filled < whole.length) {
      const read = readSync(file.descriptor, whole, filled, whole.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return whole.subarray(0, filled);
  } catch {
    return 'unreadable';
  } finally {
    closeSync(file.descriptor);
  }
}

/** The first bytes of a recorded file; none if it cannot be read. */
export function readBeginning(path: string, mostBytes: number): Buffer {
  const file = openRecorded(path);
  if (typeof file === 'string') return Buffer.alloc(0);
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.subarray(0, readSync(file.descriptor, bytes, 0, mostBytes, 0));
  } catch {
    return Buffer.alloc(0);
  } finally {
    closeSync(file.descriptor);
  }
}

/** What a recorded file is like; undefined if no regular file is in its place. */
export function statRecorded(path: string): Stats | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}
