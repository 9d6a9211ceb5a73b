import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { badInput } from '../protocol/errors';

/** A plan or a profile is written by hand or by the console; what is longer is another file taken for one. */
const mostBytes = 1024 * 1024;
const leastPieceBytes = 4096;

/**
 * Reads a small text file. A device or a pipe, which may have no end, is refused before anything of it is read.
 * @param field what the file is, in a sentence
 * @throws WhitelineError BAD_INPUT; otherwise the system's error
 */
export function readSmallFile(path: string, field: string): string {
  // Without waiting for one who writes to a pipe.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() && !stat.isDirectory())
      throw badInput(field, 'a file', path, 'A device or a pipe has this name: give the path of a file');
    const pieces: Buffer[] = [];
    // A file may grow while it is read, and those of /proc have no size.
    for (let length = 0; ; ) {
      const piece = Buffer.alloc(Math.min(Math.max(stat.size + 1, leastPieceBytes), mostBytes + 1));
      const read = readSync(descriptor, piece, 0, piece.length, null);
      if (read === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, read));
      length += read;
      if (length > mostBytes)
        throw badInput(field, `a file of at most ${mostBytes} bytes`, `${path} of ${stat.size} bytes`);
    }
  } finally {
    closeSync(descriptor);
  }
}
