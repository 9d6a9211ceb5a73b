import { closeSync, readSync } from 'node:fs';
import { deepestNesting, isShallow } from '../../protocol/nesting';
import { type FileProblem, openRecorded } from './recorded-file';

const chunkBytes = 1 << 20;
/** Whiteline writes no longer line: a longer one is damage, such as the zeros that a power cut can leave. */
const longestLineBytes = 1 << 26;
const newline = 0x0a;

/** How the reading of a file went; it counts up while the file is read. */
export interface LinesRead {
  /** Lines that are no value of ours: no JSON, too long, nested too deep, or not what the reader takes. */
  unreadable: number;
  /** The last one is unreadable and lacks its end: it may be on its way into the file. */
  isCutShort: boolean;
  /** Null: the file was read to its end. */
  problem: FileProblem | null;
}

export function newLinesRead(): LinesRead {
  return { unreadable: 0, isCutShort: false, problem: null };
}

/**
 * The values of a file of JSON lines, one after the other, however long the file is. A line that is no JSON, since a
 * kill, a full disk or a power cut spoilt it, is left out and counted; an absent file has none.
 */
export function* jsonLines(path: string, read: LinesRead = newLinesRead()): Generator<unknown> {
  for (const { text, hasEnd } of lines(path, read)) {
    const value = text === null ? undefined : parsed(text);
    if (value !== undefined) yield value;
    else {
      read.unreadable += 1;
      read.isCutShort = !hasEnd;
    }
  }
}

/** A value of JSON text that readers may walk through; undefined for anything else. */
export function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeDeep(text) && !isShallow(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Most lines open fewer values altogether, and need not be walked through. */
function mayBeDeep(text: string): boolean {
  let opened = 0;
  for (const sign of '{[')
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
      if (++opened > deepestNesting) return true;
  return false;
}

/** Joined before they are read as text: a character may lie in two of them. */
function textOf([first, ...more]: Buffer[]): string {
  const whole = first && more.length === 0 ? first : Buffer.concat(first ? [first, ...more] : []);
  return whole.toString('utf8');
}

/** The text is null if it is too long. A last line without its end is one too: it is whole where only its end is missing. */
function* lines(path: string, read: LinesRead): Generator<{ text: string | null; hasEnd: boolean }> {
  const file = openRecorded(path);
  if (typeof file === 'string') {
    read.problem = file;
    return;
  }
  try {
    let parts: Buffer[] = [];
    let bytes = 0;
    const line = (hasEnd: boolean): { text: string | null; hasEnd: boolean } => ({
      text: bytes <= longestLineBytes ? textOf(parts) : null,
      hasEnd,
    });
    // One byte more than a small file has, so that its end is seen at the second look.
    const size = Math.min(chunkBytes, file.bytes + 1);
    for (;;) {
      const chunk = Buffer.allocUnsafe(size);
      const got = readMore(file.descriptor, chunk, read);
      if (got === 0) break;
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(newline, from);
        const isWhole = end !== -1 && end < got;
        const part = chunk.subarray(from, isWhole ? end : got);
        bytes += part.length;
        if (bytes <= longestLineBytes) parts.push(part);
        if (!isWhole) break;
        if (bytes > 0) yield line(true);
        parts = [];
        bytes = 0;
        from = end + 1;
      }
      if (bytes > longestLineBytes) parts = [];
    }
    if (bytes > 0) yield line(false);
  } finally {
    closeSync(file.descriptor);
  }
}

/** 0 at the end of a file, and where a disk gives no more of it: what was read before stands. */
function readMore(descriptor: number, chunk: Buffer, read: LinesRead): number {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null);
  } catch {
    read.problem = 'unreadable';
    return 0;
  }
}
