import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { badInput } from '../../protocol/errors';
import { AppendFile, writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';

const logName = /^captured-\d+(-\d+)?(-on-[\w.-]+)?\.log$/;

/**
 * Name of the log of a receiver on another machine.
 * @param number from 1; there are several if the receiver's process was started again
 */
export function remoteLogName(streamId: number, machine: string, number: number): string {
  const stream = number === 1 ? String(streamId) : `${streamId}-${number}`;
  return `captured-${stream}-on-${machine.replace(/[^\w.-]/g, '-')}.log`;
}

/**
 * The file to which a receiver writes its own log of captured numbers. It is made here, for what writes it follows a link
 * and waits for the other end of a pipe. A receiver that is opened again goes on in it.
 * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL
 */
export function captureLogFile(folder: string | undefined, streamId: number): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, `captured-${streamId}.log`);
  try {
    new AppendFile(path).close();
  } catch (error) {
    throw writeProblem(error, path);
  }
  return path;
}

/**
 * Makes the folder of a run that keeps such logs, before its first one is begun.
 * @throws WhitelineError BAD_INPUT if it holds the logs of another run: one file must hold one run;
 * OUTPUT_UNWRITABLE, DISK_FULL
 */
export function makeLogFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw writeProblem(error, folder);
  }
  const log = readdirSync(folder).find((name) => logName.test(name));
  if (log) throw badInput('out', `a folder without ${log} in it`, folder, 'Choose another folder');
}
