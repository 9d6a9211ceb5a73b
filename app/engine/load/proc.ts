import { closeSync, existsSync, openSync, readSync } from 'node:fs';

let buffer = Buffer.allocUnsafe(32 * 1024);

/**
 * Text of a file of /proc; null if the file does not exist or its process has ended. Costs a fifth of readFileSync, which asks
 * for a size first that such files do not have.
 */
export function readProc(path: string): string | null {
  return withFile(path, (file) => {
    const length = readAll(file);
    return buffer.toString('latin1', 0, length);
  });
}

/**
 * Why a file of /proc could not be read, asked right after that: no file descriptor left is not "no such process".
 * Null: it can be read, or it is gone with its process.
 */
export function whyUnreadable(path: string): string | null {
  try {
    closeSync(openSync(path, 'r'));
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return unreadableReason(path, code, existsSync('/proc/self'));
  }
}

/** In words; null: its process is gone. */
export function unreadableReason(path: string, code: string, hasProc: boolean): string | null {
  if (code === 'EMFILE' || code === 'ENFILE')
    return `this process could not open ${path}: no file descriptor is left (${code}; raise ulimit -n)`;
  if (code !== 'ENOENT' && code !== 'ESRCH') return `${path} could not be read (${code})`;
  return hasProc ? null : notOnThisSystem;
}

export const notOnThisSystem = 'not measured on this system: /proc is absent';

/** The whole number with which a file of one line begins; null if there is none. */
export function readProcNumber(path: string): number | null {
  return withFile(path, numberIn);
}

/**
 * A file of one line that stays open, since to find it costs most: the number with which it begins, again and again.
 * Null once its thread is gone.
 */
export class ProcNumberFile {
  private constructor(private readonly file: number) {}

  static open(path: string): ProcNumberFile | null {
    try {
      return new ProcNumberFile(openSync(path, 'r'));
    } catch {
      return null;
    }
  }

  read(): number | null {
    try {
      return numberIn(this.file);
    } catch {
      return null;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Exact up to 2⁵³. One read, and no text is made. */
function numberIn(file: number): number | null {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  let value = 0;
  let digits = 0;
  for (; digits < length; digits++) {
    const digit = (buffer[digits] ?? 0) - zero;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return digits > 0 ? value : null;
}

const zero = '0'.charCodeAt(0);

/** The whole numbers of a line, whatever stands between them; exact up to 2⁵³. A text for each of them would cost several times as much. */
export function numbersIn(line: string): number[] {
  const numbers: number[] = [];
  let value = -1;
  for (let at = 0; at < line.length; at++) {
    const digit = line.charCodeAt(at) - zero;
    if (digit >= 0 && digit <= 9) value = 10 * Math.max(0, value) + digit;
    else if (value >= 0) {
      numbers.push(value);
      value = -1;
    }
  }
  if (value >= 0) numbers.push(value);
  return numbers;
}

function withFile<Result>(path: string, read: (file: number) => Result): Result | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return read(file);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** The kernel may give such a file in several pieces, whatever room there is. */
function readAll(file: number): number {
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return length;
    length += count;
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
  }
}
