import { z } from 'zod';
import type { Problem } from './errors';

/**
 * A table says which commands a port takes: by name, the schema of a command's parameters, and that of its result. The end that
 * serves the port has a handler for each name (`app/rpc/serve-commands.ts`); the end that asks gets the result of that name
 * (`app/rpc/asker.ts`).
 */
export type CommandTable<Table> = { readonly [Name in keyof Table]: CommandSchema };

interface CommandSchema {
  parameters: z.ZodObject;
  result: z.ZodType;
}

/** @param shape of the parameters; none is called `name`, which a command has beside them */
export function command<Shape extends z.ZodRawShape & { name?: never }, Result extends z.ZodType>(
  shape: Shape,
  result: Result,
) {
  return { parameters: z.object(shape), result };
}

/** A result that stays between our own processes: only its type is known, nothing is checked. */
export function ours<Result>() {
  return z.custom<Result>();
}

/** The result of a command that returns nothing. */
export const nothing = z.null();

export type NameIn<Table extends CommandTable<Table>> = keyof Table & string;

/** As they arrive: defaults are filled in. */
export type ParametersOf<Table extends CommandTable<Table>, Name extends NameIn<Table>> = z.output<
  Table[Name]['parameters']
>;
export type ResultOf<Table extends CommandTable<Table>, Name extends NameIn<Table>> = z.output<
  Table[Name]['result']
>;

/** A command as it is written: its name, and its parameters beside it. */
export type CommandOf<Table extends CommandTable<Table>, Name extends NameIn<Table> = NameIn<Table>> = {
  [Each in Name]: { name: Each } & (keyof Table[Each]['parameters']['shape'] extends never
    ? unknown
    : z.input<Table[Each]['parameters']>);
}[Name];

export interface CommandRequest<Command = unknown> {
  type: 'request';
  requestId: number;
  command: Command;
}

/** Each request is answered once, one without a number as -1. A refusal has no result. */
export const commandReplySchema = z.object({
  type: z.literal('reply'),
  requestId: z.int(),
  result: z.unknown(),
  problem: ours<Problem>().nullable(),
});
export type CommandReply = z.infer<typeof commandReplySchema>;
