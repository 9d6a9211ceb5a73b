import { open, readFile, rm } from 'node:fs/promises';
import { WhitelineError } from '../../protocol/errors';

/** Those of this process: a process that was started anew may have the number of the one that left a lock behind. */
const held = new Set<string>();

/**
 * Keeps other registries from a file, by a file beside it with the number of this process; resolves to what gives it free. The lock
 * of a process that is gone counts for nothing.
 * @throws WhitelineError OUTPUT_UNWRITABLE where another process has it, or none can be made
 */
export async function lock(file: string): Promise<() => Promise<void>> {
  const lockFile = `${file}.lock`;
  try {
    await take(lockFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lockFile, 'latin1'));
    if (held.has(lockFile) || isRunning(holder)) throw taken(file, holder);
    await rm(lockFile, { force: true });
    await take(lockFile);
  }
  held.add(lockFile);
  return async () => {
    held.delete(lockFile);
    await rm(lockFile, { force: true });
  };
}

async function take(lockFile: string): Promise<void> {
  const handle = await open(lockFile, 'wx');
  try {
    await handle.writeFile(String(process.pid));
  } finally {
    await handle.close();
  }
}

function isRunning(processId: number): boolean {
  if (processId === process.pid || !Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function taken(file: string, holder: number): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `The snapshot ${file} is kept by process ${holder} already`,
    field: 'snapshot',
    value: file,
    remedy: `End that process or give another file. If it is no registry, remove ${file}.lock`,
  });
}
