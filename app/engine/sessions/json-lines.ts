import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const chunkBytes = 1 << 20;
/** Nothing of ours is longer; what is, is rubbish such as the zeros that a power cut may leave behind. */
const longestLineBytes = 1 << 26;
const newline = 0x0a;

/**
 * The values of a file of JSON lines, one after the other, however long the file is. A line that is no JSON, since a
 * kill, a full disk or a power cut spoilt it, is left out; an absent file has none.
 */
export function* jsonLines(path: string): Generator<unknown> {
  for (const line of lines(path)) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // The lines around it stand for themselves.
      continue;
    }
    yield value;
  }
}

/** 0 at the end of a file, and where a disk gives no more of it: what was read before stands. */
function readMore(descriptor: number, chunk: Buffer): number {
  try {
    return readSync(descriptor, chunk, 0, chunk.length, null);
  } catch {
    return 0;
  }
}

/** Joined before they are read as text: a character may lie in two of them. */
function textOf([first, ...more]: Buffer[]): string {
  const whole = first && more.length === 0 ? first : Buffer.concat(first ? [first, ...more] : []);
  return whole.toString('utf8');
}

/** A last line without its end is one too: it is whole where only its end is missing. */
function* lines(path: string): Generator<string> {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    let parts: Buffer[] = [];
    let bytes = 0;
    // One byte more than a small file has, so that its end is seen at the second look.
    const size = Math.min(chunkBytes, fstatSync(descriptor).size + 1);
    for (;;) {
      const chunk = Buffer.allocUnsafe(size);
      const read = readMore(descriptor, chunk);
      if (read === 0) break;
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(newline, from);
        const isWhole = end !== -1 && end < read;
        const part = chunk.subarray(from, isWhole ? end : read);
        bytes += part.length;
        if (bytes <= longestLineBytes) parts.push(part);
        if (!isWhole) break;
        if (bytes > 0 && bytes <= longestLineBytes) yield textOf(parts);
        parts = [];
        bytes = 0;
        from = end + 1;
      }
      if (bytes > longestLineBytes) parts = [];
    }
    if (bytes > 0 && bytes <= longestLineBytes) yield textOf(parts);
  } finally {
    closeSync(descriptor);
  }
}
