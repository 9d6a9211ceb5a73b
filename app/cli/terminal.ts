import { plainJson, plainLine } from '../protocol/plain-text';

/**
 * The one place where the command writes. Each entry is one line, whatever stands in it: no text of a run, a plan, a file or
 * the network does anything to a terminal, or makes a line of its own.
 */
export function print(...lines: readonly string[]): void {
  write(process.stdout, lines.map(plainLine));
}

/** To standard error. */
export function printError(...lines: readonly string[]): void {
  write(process.stderr, lines.map(plainLine));
}

/** A value on a line of its own. */
export function printJson(value: unknown): void {
  write(process.stdout, [plainJson(value)]);
}

/** One line with a tab between its parts, for programs that cut it there. */
export function printFields(...fields: readonly string[]): void {
  write(process.stdout, [fields.map(plainLine).join('\t')]);
}

/** What our own code wrote as a text of several lines, such as help, or problems of a plan. */
export function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Writes over the line that the cursor is in, which is not ended; an empty text clears it. */
export function rewriteLine(output: NodeJS.WriteStream, text: string, width: number): void {
  output.write(`\r${plainLine(text).padEnd(width)}${text === '' ? '\r' : ''}`);
}

/** One line to a stream that is no terminal. */
export function printTo(output: NodeJS.WriteStream, line: string): void {
  write(output, [plainLine(line)]);
}

function write(output: NodeJS.WriteStream, lines: readonly string[]): void {
  if (lines.length > 0) output.write(`${lines.join('\n')}\n`);
}
