import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { WhitelineError } from '../../protocol/errors';
import { tooManyOpenFiles } from '../tools/open-files';

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const isWindows = process.platform === 'win32';
/** Windows has no O_NOFOLLOW. */
const flags = O_RDWR | O_APPEND | O_CREAT | (isWindows ? 0 : O_NOFOLLOW);
/** Windows calls it the same where another program has the file open. */
const usual = 'Choose a folder that you may write to';

/**
 * A file of JSON lines that only grows. It follows no link. Every line is handed to the kernel at once; `sync` forces it to disk. A write
 * that failed half-way (a full disk) is undone. If a kill cut the last line short, the next line still begins on a new line, so that
 * readers lose only one.
 */
export class AppendFile {
  private readonly descriptor: number;
  private dirty = false;
  private brokenLine = false;
  private syncing = false;
  private closed = false;

  /** A new file: never one that is there, nor what a link of this name points to. */
  static make(path: string): AppendFile {
    return new AppendFile(path, O_EXCL);
  }

  /** @throws what the system says of a path that cannot be opened; see `writeProblem` */
  constructor(
    private readonly path: string,
    extraFlags = 0,
  ) {
    this.descriptor = openSync(path, flags | extraFlags);
    if (fstatSync(this.descriptor).isFIFO()) {
      closeSync(this.descriptor);
      // Whatever is written there is gone.
      throw new Error('it is a pipe');
    }
    this.brokenLine = !endsWithLine(this.descriptor);
  }

  /** Whether the file can still be found where it was opened. */
  get isInPlace(): boolean {
    try {
      const [own, there] = [fstatSync(this.descriptor), lstatSync(this.path)];
      return own.ino === there.ino && own.dev === there.dev;
    } catch {
      return false;
    }
  }

  append(value: unknown): void {
    this.appendAll([value]);
  }

  /** Many lines by one write. */
  appendAll(values: readonly unknown[]): void {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    const line = Buffer.from(`${this.brokenLine ? '\n' : ''}${lines}`);
    this.brokenLine = true;
    const sizeBefore = fstatSync(this.descriptor).size;
    let written = 0;
    try {
      while (written < line.length) written += writeSync(this.descriptor, line, written);
    } catch (error) {
      this.takeBack(sizeBefore, written);
      throw writeProblem(error, this.path);
    }
    this.brokenLine = false;
    this.dirty = true;
  }

  /** Not where another process has written after it. */
  private takeBack(sizeBefore: number, written: number): void {
    try {
      if (fstatSync(this.descriptor).size !== sizeBefore + written) return;
      ftruncateSync(this.descriptor, sizeBefore);
      this.brokenLine = !endsWithLine(this.descriptor);
    } catch {
      // The next line begins on a new line.
    }
  }

  /** Forces what was written to the disk without waiting for it. */
  sync(onProblem: (error: WhitelineError) => void): void {
    if (!this.dirty || this.syncing) return;
    this.dirty = false;
    this.syncing = true;
    fsync(this.descriptor, (error) => {
      this.syncing = false;
      if (this.closed) closeSync(this.descriptor);
      if (error) onProblem(writeProblem(error, this.path));
    });
  }

  /** Removes a file that has just been made. */
  discard(): void {
    const { isInPlace } = this;
    closeSync(this.descriptor);
    if (isInPlace) unlinkSync(this.path);
  }

  /** Forces the rest to the disk and lets the file go, once no sync is under way any more. */
  close(): void {
    this.closed = true;
    try {
      if (this.dirty) fsyncSync(this.descriptor);
    } catch (error) {
      throw writeProblem(error, this.path);
    } finally {
      if (!this.syncing) closeSync(this.descriptor);
    }
  }
}

function endsWithLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

export function writeProblem(error: unknown, path: string): WhitelineError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new WhitelineError({
      code: 'DISK_FULL',
      message: `The disk of ${path} is full`,
      field: 'out',
      value: path,
      remedy: 'Free some space or choose another output folder; what was written before is kept',
    });
  }
  const tooMany = tooManyOpenFiles(error);
  if (tooMany) {
    const message = `${path} cannot be written: ${tooMany}`;
    return new WhitelineError({ code: 'OUTPUT_UNWRITABLE', message, field: 'out', value: path });
  }
  if (code === 'EFBIG') {
    return new WhitelineError({
      code: 'OUTPUT_UNWRITABLE',
      message: `${path} cannot be written: this process may write no larger file`,
      field: 'out',
      value: path,
      remedy: 'Allow larger files (ulimit -f); what was written before is kept',
    });
  }
  const why = code === 'ELOOP' ? 'it is a link, and links are not followed' : (code ?? message);
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `${path} cannot be written (${why})`,
    field: 'out',
    value: path,
    remedy: isWindows ? `Close it in the program that holds it. ${usual}` : usual,
  });
}
