import { execFile } from 'node:child_process';

/** Free bytes of the file system that holds a folder, for users without special rights; null if `df` does not report it
 *  (Windows, untested). Node 16 itself does not know it. */
export function freeBytes(folder: string): Promise<number | null> {
  return new Promise((resolve) => {
    execFile('df', ['-Pk', folder], { env: { ...process.env, LC_ALL: 'C' } }, (error, output) => {
      resolve(error ? null : parseDf(output));
    });
  });
}

/** The fourth column of the last line: available kilobytes. */
export function parseDf(output: string): number | null {
  const columns = /\s(\d+)\s+(\d+)\s+(\d+)\s+(?:\d+%|-)\s/.exec(output.trim().split('\n').pop() ?? '');
  return columns ? Number(columns[3]) * 1024 : null;
}
