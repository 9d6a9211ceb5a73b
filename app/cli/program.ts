import { Command, CommanderError } from 'commander';
import { exitCodes, valueText } from '../protocol/errors';
import { linesOf, print, printError } from './terminal';

/** A command line that writes where all of the command writes, and never ends the process by itself. */
export function newProgram(name: string): Command {
  return new Command(name).exitOverride().configureOutput({
    writeOut: (text) => print(...linesOf(text)),
    writeErr: (text) => printError(...linesOf(text)),
    // It may hold what was typed: only its first line begins where lines of the command do.
    outputError: (text) =>
      printError(...linesOf(withShortWords(text)).map((line, index) => (index > 0 ? `  ${line}` : line))),
  });
}

/** Commander repeats a word that it does not know between quotes, however long it is. */
function withShortWords(text: string): string {
  return text.replace(/'([^']+)'/g, (_, word: string) => `'${valueText(word)}'`);
}

/** The end of a command that ran. It is thrown because Commander does not return the result of an action. */
export class CommandEnd extends Error {
  constructor(readonly exitCode: number) {
    super(`The command ended with ${exitCode}`);
  }
}

/** Runs the command that these words call, and gives its exit code. */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.pass;
  } catch (error) {
    if (error instanceof CommandEnd) return error.exitCode;
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.pass : exitCodes.badInput;
  }
}

/** Runs the command that this process was started for. */
export async function runInProcess(program: Command): Promise<void> {
  // A closed pipe (`| head`) or a closed terminal (EIO) must not end a run.
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  // Not left to Commander: a packaged app runs this in its Electron as Node, which it takes for a window's arguments.
  process.exitCode = await runProgram(program, process.argv.slice(2));
}
