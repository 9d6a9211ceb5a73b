import { plainJson, plainLine } from '../protocol/plain-text';
import { type OwnProcess, ownProcess } from './own-process';

/**
 * The one place where the command writes. Each entry is one line, whatever it contains: no text of a run, a plan, a file or the network can
 * control the terminal, or begin a new line.
 */
export function print(...lines: readonly string[]): void {
  write('stdout', lines.map(plainLine));
}

/** To standard error. */
export function printError(...lines: readonly string[]): void {
  write('stderr', lines.map(plainLine));
}

/** A value on a line of its own. */
export function printJson(value: unknown): void {
  write('stdout', [plainJson(value)]);
}

/** One line with a tab between its parts, for programs that cut it there. */
export function printFields(...fields: readonly string[]): void {
  write('stdout', [fields.map(plainLine).join('\t')]);
}

/** What our own code wrote as a text of several lines, such as help, or problems of a plan. */
export function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** The text of a terminal’s last line, which has no line end yet. */
const lastLines = new WeakMap<OwnProcess, string>();

const eraseToEnd = '\u001b[K';
const usualColumns = 80;
/** Room for the "^C" that a terminal writes after the cursor, and the cursor. */
const freeColumns = 3;

/** Whether the last line of a terminal can be written over: all that is printed has to go to that same terminal. */
export function canRewrite(): boolean {
  const { stdout, stderr } = ownProcess();
  return stdout.isTTY === true && stderr.isTTY === true && process.env.TERM !== 'dumb';
}

/** Writes over the last line of the terminal, where it can be; what is printed goes above it. An empty text clears it. */
export function rewriteLastLine(text: string): void {
  if (!canRewrite()) return;
  const own = ownProcess();
  const line = cut(plainLine(text), (own.stderr.columns || usualColumns) - freeColumns);
  if (line === lastLineOf(own)) return;
  // Whatever ends the process, the shell's next line begins with nothing before it.
  own.off('exit', clearLastLine);
  if (line !== '') own.on('exit', clearLastLine);
  own.stderr.write(`\r${line}${eraseToEnd}`);
  lastLines.set(own, line);
}

function lastLineOf(own: OwnProcess): string {
  return lastLines.get(own) ?? '';
}

function clearLastLine(): void {
  rewriteLastLine('');
}

/** A line that may be cut where a terminal ends; what goes into a file or another program is whole. */
export function fitted(line: string): string {
  const { stdout } = ownProcess();
  return stdout.isTTY ? cut(plainLine(line), stdout.columns || usualColumns) : line;
}

/** A line that is too long would be wrapped, and only its end could be written over. */
function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;
}

function write(place: 'stdout' | 'stderr', lines: readonly string[]): void {
  if (lines.length === 0) return;
  const own = ownProcess();
  const below = lastLineOf(own);
  clearLastLine();
  own[place].write(`${lines.join('\n')}\n`);
  rewriteLastLine(below);
}
