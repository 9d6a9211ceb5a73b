import { Command, CommanderError } from 'commander';
import { exitCodes } from '../protocol/errors';
import { linesOf, print, printError } from './terminal';

/** A command line that writes where all of the command writes, and never ends the process by itself. */
export function newProgram(name: string): Command {
  return new Command(name).exitOverride().configureOutput({
    writeOut: (text) => print(...linesOf(text)),
    writeErr: (text) => printError(...linesOf(text)),
    // It may hold what was typed: only its first line begins where lines of the command do.
    outputError: (text) =>
      printError(...linesOf(text).map((line, index) => (index > 0 ? `  ${line}` : line))),
  });
}

export function runProgram(program: Command): void {
  // A closed pipe (`| head`) or a closed terminal (EIO) must not end a run.
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });

  // Set so, since a packaged app runs this in its Electron as Node, which Commander takes for a window's arguments.
  program.parseAsync(process.argv, { from: 'node' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCodes.pass : exitCodes.badInput;
  });
}
