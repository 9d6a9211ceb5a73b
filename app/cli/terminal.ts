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

/** What stands in the last line of the terminal, which is not ended; empty: nothing does. */
let lastLine = '';

const eraseToEnd = '\u001b[K';
const usualColumns = 80;
/** Room for the "^C" that a terminal writes behind the cursor, and the cursor. */
const freeColumns = 3;

/** Whether the last line of a terminal can be written over: all that is printed has to go to that same terminal. */
export function canRewrite(): boolean {
  return process.stdout.isTTY === true && process.stderr.isTTY === true && process.env.TERM !== 'dumb';
}

/** Writes over the last line of the terminal, where it can be; what is printed goes above it. An empty text clears it. */
export function rewriteLastLine(text: string): void {
  if (!canRewrite()) return;
  const line = cut(plainLine(text), (process.stderr.columns || usualColumns) - freeColumns);
  if (line === lastLine) return;
  // Whatever ends the process, the shell's next line begins with nothing before it.
  process.off('exit', clearLastLine);
  if (line !== '') process.on('exit', clearLastLine);
  process.stderr.write(`\r${line}${eraseToEnd}`);
  lastLine = line;
}

function clearLastLine(): void {
  rewriteLastLine('');
}

/** A line that is too long would be wrapped, and only its end could be written over. */
function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;
}

function write(output: NodeJS.WriteStream, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const below = lastLine;
  clearLastLine();
  output.write(`${lines.join('\n')}\n`);
  rewriteLastLine(below);
}
