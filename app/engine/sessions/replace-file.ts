import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { WhitelineError } from '../../protocol/errors';
import { writeProblem } from './append-file';

const bufferedBytes = 1 << 20;

/**
 * Puts a value in place as one file of JSON.
 * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL
 */
export function replaceFile(target: string, value: unknown): void {
  replaceFileBy(target, (write) => write(`${JSON.stringify(value, null, 2)}\n`));
}

/**
 * Puts a file in place piece by piece: by write, fsync and rename, so that a reader finds the old one or the new one.
 * Two processes that do so at once do not meet in one temporary file, and a link in either place is replaced, not followed.
 * @param mode rights of the new file; left out: those that the system gives
 * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL, and what `fill` throws
 */
export function replaceFileBy(
  target: string,
  fill: (write: (text: string) => void) => void,
  mode?: number,
): void {
  const temporary = `${target}.${process.pid}.new`;
  try {
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      let pieces: string[] = [];
      let length = 0;
      const flush = (): void => {
        const bytes = Buffer.from(pieces.join(''));
        pieces = [];
        length = 0;
        let written = 0;
        while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      };
      fill((text) => {
        pieces.push(text);
        length += text.length;
        if (length >= bufferedBytes) flush();
      });
      flush();
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof WhitelineError ? error : writeProblem(error, target);
  }
}
