import { Command } from 'commander';
import {
  eachProblem,
  exitCodeOf,
  type Problem,
  problemText,
  renameFields,
  toProblem,
} from '../protocol/errors';
import { linesOf, printError } from './terminal';

/** How the flag is typed that sets a field of a command; undefined for a field that none sets. */
type FlagOfField = (command: Command, field: string) => string | undefined;

/**
 * Ends the process with the command's exit code, or with a clear sentence that names flags as they are typed. Commander gives
 * the command itself as the last value.
 */
export function finishing(flagOfField: FlagOfField) {
  return <Arguments extends unknown[]>(action: (...values: Arguments) => Promise<number>) =>
    async (...values: Arguments): Promise<void> => {
      try {
        process.exitCode = await action(...values);
      } catch (error) {
        const command = values.at(-1);
        const problem = renameFields(toProblem(error), (field) =>
          command instanceof Command ? flagOfField(command, field) : undefined,
        );
        printProblem(problem);
        process.exitCode = exitCodeOf(problem);
      }
    };
}

const head = 'whiteline: ';

/**
 * A sentence for each field that is wrong, and of a plan a line for each of its parts. Only a sentence's first line begins
 * where lines of the command do.
 */
export function printProblem(problem: Problem): void {
  for (const each of eachProblem(problem)) {
    const lines = linesOf(problemText(each));
    printError(...lines.map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line));
  }
}

/** Of a flag that was typed, among these options. */
export function typedFlag(command: Command, field: string, options = command.options): string | undefined {
  const option = options.find((known) => known.attributeName() === field || known.long === `--${field}`);
  const isTyped = option && command.getOptionValueSourceWithGlobals(option.attributeName()) === 'cli';
  return isTyped ? (option.long ?? undefined) : undefined;
}
