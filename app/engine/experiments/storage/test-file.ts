import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeProblem } from '../../sessions/append-file';

export interface TestFile {
  path: string;
  /** Past the page cache (O_DIRECT); false where the file system refuses it. */
  direct: boolean;
}

export const testFilePrefix = '.whiteline-storage-';

/**
 * A file of our own in a folder. A guardian, a process of its own session, removes it as soon as we are gone, by whatever
 * end: it waits for the end of a pipe that we alone hold open. Only where it is killed too, or the power fails, does the
 * file stay.
 */
export class OwnTestFile implements TestFile {
  private constructor(
    readonly path: string,
    readonly direct: boolean,
    private readonly endGuard: () => Promise<void>,
  ) {}

  /** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
  static async create(folder: string, sizeMib: number): Promise<OwnTestFile> {
    const path = join(folder, `${testFilePrefix}${randomBytes(8).toString('hex')}`);
    const endGuard = await guard(path);
    try {
      makeSparse(path, sizeMib * 1024 * 1024);
      return new OwnTestFile(path, opensDirectly(path), endGuard);
    } catch (error) {
      await endGuard();
      throw writeProblem(error, folder);
    }
  }

  async remove(): Promise<void> {
    try {
      unlinkSync(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      await this.endGuard();
    }
  }
}

/** Made anew, never another's; it takes no room before it is written. */
function makeSparse(path: string, bytes: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    ftruncateSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** Returns what ends the guardian, and waits until it is gone. */
async function guard(path: string): Promise<() => Promise<void>> {
  const script = 'read -r _; exec rm -f -- "$1"';
  const guardian = spawn('/bin/sh', ['-c', script, 'whiteline-guardian', path], {
    env: { ...process.env, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own: Ctrl-C in a terminal reaches the whole group.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => guardian.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    guardian.once('spawn', resolve);
    guardian.once('error', reject);
  });
  return () => {
    guardian.stdin.end();
    return ended;
  };
}

/** Whether a file can be opened past the page cache. */
export function opensDirectly(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_DIRECT));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return false;
    throw error;
  }
}
