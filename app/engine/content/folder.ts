import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';

/** Where the content battery lies on this machine, unless set otherwise. */
export function contentFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.WHITELINE_CONTENT || join(homedir(), 'Whiteline', 'content');
}

/** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
export function makeContentFolder(folder: string): string {
  const path = resolve(folder);
  try {
    makeFolder(path);
  } catch (error) {
    throw writeProblem(error, path);
  }
  return path;
}
