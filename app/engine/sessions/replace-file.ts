import { closeSync, existsSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { writeProblem } from './append-file';

/**
 * Puts a value in place as one file of JSON: by write, fsync and rename, so that a reader finds the old one or the new one.
 * Two processes that do so at once do not meet in one temporary file.
 * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL
 */
export function replaceFile(target: string, value: unknown): void {
  const temporary = `${target}.${process.pid}.new`;
  try {
    const descriptor = openSync(temporary, 'w');
    try {
      const text = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
      let written = 0;
      while (written < text.length) written += writeSync(descriptor, text, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    if (existsSync(temporary)) unlinkSync(temporary);
    throw writeProblem(error, target);
  }
}
