import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WhitelineError } from '../../protocol/errors';

/** Those of this process: a process that was started again may have the number of the one that left a lock behind. */
const held = new Set<string>();

/** Of the number of a process. */
const longestLock = 20;

/**
 * Keeps other registries from a file, by a lock file beside it with the id of this process; resolves to a function that releases it. The lock
 * of a process that is gone counts for nothing.
 * @throws WhitelineError OUTPUT_UNWRITABLE if another process has it, or there is something else in its place
 */
export async function lock(file: string): Promise<() => Promise<void>> {
  const path = resolve(file);
  if (held.has(path)) throw taken(file, process.pid);
  held.add(path);
  const own = `${file}.lock-${randomUUID()}`;
  try {
    await writeFile(own, String(process.pid), { flag: 'wx' });
    await take(file, `${file}.lock`, own);
  } catch (error) {
    held.delete(path);
    throw error;
  } finally {
    await rm(own, { force: true });
  }
  return async () => {
    held.delete(path);
    await rm(`${file}.lock`, { force: true });
  };
}

/**
 * A link comes about whole, and for one process alone. What a process that is gone left is removed by the one that has the lock of
 * that lock, so that none removes what another has just made.
 */
async function take(file: string, lockFile: string, own: string): Promise<void> {
  while (!(await linked(own, lockFile))) {
    await refuseHeld(file, lockFile);
    const takeover = `${lockFile}.old`;
    await take(file, takeover, own);
    try {
      await refuseHeld(file, lockFile);
      await rm(lockFile, { force: true });
    } finally {
      await rm(takeover, { force: true });
    }
  }
}

async function linked(own: string, lockFile: string): Promise<boolean> {
  try {
    await link(own, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @throws WhitelineError if it is no lock of a process that is gone; none at all is well */
async function refuseHeld(file: string, lockFile: string): Promise<void> {
  try {
    const found = await lstat(lockFile);
    const text = found.isFile() && found.size <= longestLock ? await readFile(lockFile, 'latin1') : null;
    if (text === null || !/^\d*\s*$/.test(text)) throw noLock(file, lockFile);
    if (isRunning(Number(text))) throw taken(file, Number(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isRunning(processId: number): boolean {
  if (processId === process.pid || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return !isDead(processId);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** It has ended, and only waits for its parent to notice: a zombie. */
function isDead(processId: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${processId}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function taken(file: string, holder: number): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `Process ${holder} already uses the snapshot ${file}`,
    field: 'snapshot',
    value: file,
    remedy: `End that process, or give another file. If that process is not a registry, remove ${file}.lock`,
  });
}

function noLock(file: string, lockFile: string): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `The snapshot ${file} cannot be used: ${lockFile} is not the lock file of a registry`,
    field: 'snapshot',
    value: file,
    remedy: `Move ${lockFile} away, or give another file`,
  });
}
