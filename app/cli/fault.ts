import fs from 'node:fs';
import { exitCodes } from '../protocol/errors';
import { plainLine } from '../protocol/plain-text';

/** Ends the process on an error that nothing caught: a fault of ours, which proves nothing of what is under test. */
export function endOnFault(error: unknown): void {
  try {
    fs.writeSync(process.stderr.fd, `\n${faultLines(error).map(plainLine).join('\n')}\n`);
  } catch {
    // Standard error is closed.
  }
  process.exit(exitCodes.environment);
}

function faultLines(error: unknown): string[] {
  const message = error instanceof Error ? error.message : String(error);
  const stack =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line)) : [];
  const remedy = /\b(EMFILE|ENFILE)\b/.test(message)
    ? 'Raise the limit of open files (ulimit -n).'
    : 'Report it to the project, with these lines:';
  return [
    `whiteline: internal error, so there is no verdict; what was recorded so far is kept: ${message}. ${remedy}`,
    ...stack,
  ];
}
