import { createReadStream } from 'node:fs';

/**
 * The lines of a text file, one after the other; null for one that is too long. The last need not be ended. A file that does not
 * exist has none.
 */
export async function* readLines(file: string, longest: number): AsyncGenerator<string | null> {
  let rest = '';
  let isTooLong = false;
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      // Without a line end, what is long is not read again for each chunk.
      const parts = chunk.includes('\n') ? (rest + chunk).split('\n') : [rest + chunk];
      rest = parts.pop() ?? '';
      for (const part of parts) {
        yield isTooLong || part.length > longest ? null : part;
        isTooLong = false;
      }
      if (rest.length <= longest) continue;
      rest = '';
      isTooLong = true;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (isTooLong) yield null;
  else if (rest !== '') yield rest;
}
