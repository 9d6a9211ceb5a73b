import type { CommandReply, CommandTable, NameIn, ParametersOf, ResultOf } from '../protocol/command-table';
import { badInput, toProblem, WhitelineError } from '../protocol/errors';
import { fieldProblems, remedyOfName } from '../protocol/field-problems';
import { safeParse } from '../protocol/safe-parse';

/** One for each command of a table: parameters that were checked in, the result out. */
export type Handlers<Table extends CommandTable<Table>> = {
  [Name in NameIn<Table>]: (
    parameters: ParametersOf<Table, Name>,
  ) => ResultOf<Table, Name> | Promise<ResultOf<Table, Name>>;
};

export interface ServedPort<Table extends CommandTable<Table>> {
  table: Table;
  /** Who takes these commands, as a refusal says it. */
  whose: string;
  handlers: Handlers<Table>;
  post(reply: CommandReply): void;
  /** After the reply to a command that was carried out. */
  onDone?(name: NameIn<Table>): void;
}

/**
 * Answers each message of a port: the command is found in the table, its parameters are checked by its schema, its handler is called.
 * What it gives resolves once the reply is posted.
 */
export function serveCommands<Table extends CommandTable<Table>>(
  port: ServedPort<Table>,
): (message: unknown) => Promise<void> {
  const { table, whose, handlers, post, onDone } = port;
  return async (message) => {
    const requestId = requestIdOf(message);
    let name: NameIn<Table>;
    try {
      const command = fieldOf(message, 'command');
      name = nameOf(table, whose, command);
      if (fieldOf(message, 'type') !== 'request' || requestId === noId) {
        const remedy = 'Give each request the type request, and as its requestId a number of its own';
        throw badInput('request', 'a request with a whole number as its id', command, remedy);
      }
      // Awaited here: an older Electron ends a process for a rejection that nothing awaits yet when the message is handled.
      const result = await carryOut(table, handlers, name, command);
      post({ type: 'reply', requestId, result, problem: null });
    } catch (error) {
      post({ type: 'reply', requestId, result: null, problem: toProblem(error) });
      return;
    }
    onDone?.(name);
  };
}

/**
 * Checks a command's parameters and calls its handler.
 * @throws WhitelineError BAD_INPUT naming field, value and remedy, and whatever the handler throws
 */
export function carryOut<Table extends CommandTable<Table>, Name extends NameIn<Table>>(
  table: Table,
  handlers: Handlers<Table>,
  name: Name,
  command: unknown,
): ResultOf<Table, Name> | Promise<ResultOf<Table, Name>> {
  return handlers[name](parametersOf(table, name, command));
}

/** @throws WhitelineError BAD_INPUT if the table has no command of this name */
export function nameOf<Table extends CommandTable<Table>>(
  table: Table,
  whose: string,
  command: unknown,
): NameIn<Table> {
  const name = fieldOf(command, 'name');
  if (isNameIn(table, name)) return name;
  const remedy = remedyOfName(typeof name === 'string' ? name : '', Object.keys(table));
  throw badInput('command', `a command of ${whose}`, name ?? '', remedy);
}

/** @throws WhitelineError BAD_INPUT naming field, value and remedy */
export function parametersOf<Table extends CommandTable<Table>, Name extends NameIn<Table>>(
  table: Table,
  name: Name,
  command: unknown,
): ParametersOf<Table, Name> {
  const schema: Table[Name]['parameters'] = table[name].parameters;
  const read = safeParse(schema, command);
  if (read.success) return read.data;
  const [first] = fieldProblems(schema, command, 'command', 'field');
  const problem = first?.problem ?? badInput('command', `parameters of ${name}`, command);
  throw new WhitelineError({
    ...problem,
    // Show the field's own name; an operator does not know its path.
    remedy: problem.remedy ?? `Correct ${problem.field?.split('.').at(-1)} and try again`,
  });
}

function isNameIn<Table extends CommandTable<Table>>(table: Table, name: unknown): name is NameIn<Table> {
  return typeof name === 'string' && Object.hasOwn(table, name);
}

/** What a request without a number of its own is answered as. */
const noId = -1;

function requestIdOf(request: unknown): number {
  const id = fieldOf(request, 'requestId');
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : noId;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? Reflect.get(value, field)
    : undefined;
}
