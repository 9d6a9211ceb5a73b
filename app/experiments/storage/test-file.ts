import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeProblem } from '../../engine/sessions/append-file';
import { WhitelineError } from '../../protocol/errors';

export interface TestFile {
  /** Open for reading and writing. */
  descriptor: number;
  /** Past the page cache (O_DIRECT); false if the file system refuses it. */
  direct: boolean;
}

export const testFilePrefix = '.whiteline-storage-';

/**
 * A file of our own in a folder. A guardian process in its own session removes it as soon as we are gone, however we end: it waits for the
 * end of a pipe that only we hold open. The file stays only if the guardian is killed too, or the power fails. All measurements go to the
 * descriptor: others who may write to the folder can take the name away, but cannot make us overwrite a file of their choice.
 */
export class OwnTestFile implements TestFile {
  private constructor(
    readonly path: string,
    readonly descriptor: number,
    readonly direct: boolean,
    private readonly endGuard: () => Promise<void>,
  ) {}

  /** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
  static async create(folder: string, sizeBytes: number): Promise<OwnTestFile> {
    const path = join(folder, `${testFilePrefix}${randomBytes(8).toString('hex')}`);
    const endGuard = await guard(path);
    let descriptor: number | null = null;
    try {
      // Always a new file, never another's or through a link; it takes no room before it is written.
      descriptor = openSync(path, 'wx+', 0o600);
      ftruncateSync(descriptor, sizeBytes);
      return new OwnTestFile(path, descriptor, opensDirectly(pathOf(descriptor)), endGuard);
    } catch (error) {
      if (descriptor !== null) closeSync(descriptor);
      await endGuard();
      throw writeProblem(error, folder);
    }
  }

  /** Gives it its length back, without taking room. */
  setSize(sizeBytes: number): void {
    ftruncateSync(this.descriptor, sizeBytes);
  }

  /** @throws WhitelineError OUTPUT_UNWRITABLE if the name is gone, or another file has it */
  check(): void {
    if (this.hasItsName()) return;
    throw new WhitelineError({
      code: 'OUTPUT_UNWRITABLE',
      message: `The test file ${this.path} was removed or replaced while it was measured`,
      value: this.path,
      remedy:
        'No other file was read or written in its place. Choose a folder in which no other program moves files',
    });
  }

  async remove(): Promise<void> {
    try {
      unlinkSync(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    } finally {
      closeSync(this.descriptor);
      await this.endGuard();
    }
  }

  private hasItsName(): boolean {
    const own = fstatSync(this.descriptor);
    const named = lstatSync(this.path, { throwIfNoEntry: false });
    return named?.ino === own.ino && named.dev === own.dev;
  }
}

/** The open file itself, whatever has become of its name. */
export function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Returns what ends the guardian, and waits until it is gone. */
async function guard(path: string): Promise<() => Promise<void>> {
  const script = 'read -r _; exec rm -f -- "$1"';
  const guardian = spawn('/bin/sh', ['-c', script, 'whiteline-guardian', path], {
    env: { ...process.env, PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // In its own session: Ctrl-C in a terminal reaches the whole group.
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
