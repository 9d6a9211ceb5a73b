import fs from 'node:fs';
import cutShort from '../protocol/cut-short.json';
import { exitCodes, withOpenFiles } from '../protocol/errors';
import { plainLine } from '../protocol/plain-text';

/**
 * Ends the process on an error that nothing caught: a fault of Whiteline, which proves nothing about what is tested.
 * @param command its first word
 */
export function endOnFault(error: unknown, command: string): void {
  try {
    fs.writeSync(process.stderr.fd, `\n${faultLines(error, command).map(plainLine).join('\n')}\n`);
  } catch {
    // Standard error is closed.
  }
  process.exit(exitCodes.environment);
}

function faultLines(error: unknown, command: string): string[] {
  const message = error instanceof Error ? error.message : String(error);
  const stack =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line)) : [];
  const kept = new Map(Object.entries(cutShort)).get(command) ?? '';
  const files = withOpenFiles(message);
  if (files) return [`whiteline: ${files.message}${kept}. ${files.remedy}.`];
  return [
    `whiteline: internal error${kept}: ${message}. Report it to the project, with these lines:`,
    ...stack,
  ];
}
