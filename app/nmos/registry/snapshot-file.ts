import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { badInput, WhitelineError } from '../../protocol/errors';
import { readLines } from './lines';
import { lock } from './lock';

const longestLine = 4_000_000;
const linesAtOnce = 1000;

/** The lines in which a registry keeps what it holds. */
export interface LineFile {
  readonly name: string;
  /** null for one that is too long. */
  lines(): AsyncIterable<string | null>;
  append(lines: readonly string[]): Promise<void>;
  /** Replaces all lines, or none. */
  replace(lines: readonly string[]): Promise<void>;
  /** Renames the file; returns its new name. */
  setAside(): Promise<string>;
  close(): Promise<void>;
}

/** What was written survives the end of the process, not that of the machine. */
export class SnapshotFile implements LineFile {
  private handle: FileHandle | null = null;

  private constructor(
    readonly name: string,
    private readonly unlock: () => Promise<void>,
  ) {}

  /** @throws WhitelineError if it cannot be used, or another registry keeps it */
  static async open(name: string): Promise<SnapshotFile> {
    await checkFile(name);
    const unlock = await lock(name).catch((error: unknown) => {
      throw error instanceof WhitelineError ? error : unusable(name, error);
    });
    return new SnapshotFile(name, unlock);
  }

  lines(): AsyncIterable<string | null> {
    return readLines(this.name, longestLine);
  }

  async append(lines: readonly string[]): Promise<void> {
    await this.handle?.appendFile(textOf(lines));
  }

  /** A new file beside the old one takes its place when it is whole. */
  async replace(lines: readonly string[]): Promise<void> {
    const newName = `${this.name}.new`;
    await rm(newName, { force: true });
    const handle = await open(newName, 'wx', 0o600);
    try {
      for (let from = 0; from < lines.length; from += linesAtOnce)
        await handle.appendFile(textOf(lines.slice(from, from + linesAtOnce)));
      await handle.sync();
      await rename(newName, this.name);
    } catch (error) {
      await handle.close();
      throw error;
    }
    await this.handle?.close();
    this.handle = handle;
  }

  async setAside(): Promise<string> {
    const kept = await freeName(`${this.name}.damaged`);
    await rename(this.name, kept);
    return kept;
  }

  async close(): Promise<void> {
    await this.handle?.close();
    this.handle = null;
    await this.unlock();
  }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** A device or a pipe would be replaced by a file, and a link by what is no link. */
async function checkFile(file: string): Promise<void> {
  if (file === '') throw badInput('snapshot', 'a file', file);
  const found = await lstat(file).catch(() => null);
  if (found && !found.isFile()) throw badInput('snapshot', 'a regular file, or a new file name', file);
}

/** That name, or the first with a number after it that no file has. */
async function freeName(name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await lstat(candidate).catch(() => null))) return candidate;
  }
}

export function unusable(file: string, error: unknown): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `The snapshot ${file} cannot be used: ${fileWords(error)}`,
    ...{ field: 'snapshot', value: file, remedy: 'Give a file in a writable folder' },
  });
}

/** Why a file was not written, in words. */
export function fileWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'the disk is full';
  return code ?? message;
}
