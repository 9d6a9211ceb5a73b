import fs from 'node:fs';
import { exitCodes, withOpenFiles } from '../protocol/errors';
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
  const kept = 'so there is no verdict; what was recorded so far is kept';
  const files = withOpenFiles(message);
  if (files) return [`whiteline: ${files.message}, ${kept}. ${files.remedy}.`];
  return [
    `whiteline: internal error, ${kept}: ${message}. Report it to the project, with these lines:`,
    ...stack,
  ];
}
