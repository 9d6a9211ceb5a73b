import { Command } from 'commander';
import { parseDuration } from '../protocol/duration';
import {
  eachProblem,
  exitCodeOf,
  type Problem,
  problemText,
  renameFields,
  toProblem,
} from '../protocol/errors';
import { CommandEnd } from './program';
import { linesOf, printError } from './terminal';

/** How fields are named and set on a command line. */
export interface FieldFlags {
  /** How the flag is typed that sets a field of a command; undefined for a field that none sets. */
  flagOfField(command: Command, field: string): string | undefined;
  /** How a word of a remedy is typed, where it is a field that a flag can set. */
  flagOfWord(command: Command, word: string): string | undefined;
  /** What was typed for a field, or for one item of a list (`sizes.0`); undefined if that is not one word. */
  typedText(command: Command, field: string): string | undefined;
}

/**
 * Ends the command with its exit code, or with a clear sentence that names flags, and values, as they are typed.
 * Commander gives the command itself as the last value.
 */
export function finishing(flags: FieldFlags) {
  return <Arguments extends unknown[]>(action: (...values: Arguments) => Promise<number>) =>
    async (...values: Arguments): Promise<never> => {
      throw new CommandEnd(await exitCodeOfAction(flags, action, values));
    };
}

/**
 * The exit code of an action, whose problem it prints.
 * @param note receives the problem
 */
export async function exitCodeOfAction<Arguments extends unknown[]>(
  flags: FieldFlags,
  action: (...values: Arguments) => Promise<number>,
  values: Arguments,
  note: (problem: Problem) => void = () => {},
): Promise<number> {
  try {
    return await action(...values);
  } catch (error) {
    const command = values.at(-1);
    const found = toProblem(error);
    const problem = command instanceof Command ? asTyped(found, command, flags) : found;
    printProblem(problem);
    note(problem);
    return exitCodeOf(problem);
  }
}

/** A problem of a command in the words of its user. */
export function asTyped(problem: Problem, command: Command, flags: FieldFlags): Problem {
  const valued = withTypedValue(problem, flags.typedText(command, problem.field ?? ''));
  const { remedy } = valued;
  const { others, ...renamed } = renameFields(
    { ...valued, others: undefined, remedy: remedy && withFlags(remedy, command, flags) },
    (field) => flags.flagOfField(command, field),
  );
  const further = problem.others?.map((other) => asTyped(other, command, flags));
  return { ...renamed, ...(further && { others: further }) };
}

/** "100ms" and not the 0.1 that was made of it. A part of what was typed stays a part. */
function withTypedValue(problem: Problem, typed: string | undefined): Problem {
  const { message, value } = problem;
  const received = ` but received ${value}`;
  if (typed === undefined || value === undefined || !message.endsWith(received)) return problem;
  if (quantityOf(typed) !== Number(value)) return problem;
  return { ...problem, value: typed, message: `${message.slice(0, -received.length)} but received ${typed}` };
}

/** Of a number or a duration, in seconds; null: it is neither. */
function quantityOf(text: string): number | null {
  try {
    return /^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : parseDuration(text, '');
  } catch {
    return null;
  }
}

/** Names in camel case are fields; so is a plain word after one of these, where a flag has that name. */
const fieldWords = /\b[a-z]+[A-Z]\w*\b|(?<=\b(?:with|use|leave|raise|lower|give) )[a-z]+\b/g;

function withFlags(remedy: string, command: Command, { flagOfWord }: FieldFlags): string {
  return remedy.replace(fieldWords, (word) => flagOfWord(command, word) ?? word);
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

/** The long form of a flag that the user typed. */
export function typedFlag(command: Command, field: string, options = command.options): string | undefined {
  const option = options.find((known) => known.attributeName() === field || known.long === `--${field}`);
  const isTyped = option && command.getOptionValueSourceWithGlobals(option.attributeName()) === 'cli';
  return isTyped ? (option.long ?? undefined) : undefined;
}

/** The long form of any flag, typed or not. */
export function optionFlag(command: Command, word: string): string | undefined {
  return command.options.find((option) => option.attributeName() === word)?.long ?? undefined;
}

/** @param index of an item, where several were typed */
export function typedOption(command: Command, field: string, index = Number.NaN): string | undefined {
  const value: unknown = command.optsWithGlobals()[field];
  if (typeof value === 'string') return value;
  const item: unknown = Array.isArray(value) ? value[index] : undefined;
  return typeof item === 'string' ? item : undefined;
}
