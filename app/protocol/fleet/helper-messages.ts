import { z } from 'zod';
import { badInput, errorCodes, type Problem, type WhitelineError } from '../errors';
import { plainSentences } from '../plain-text';
import { safeParse } from '../safe-parse';
import { plainJsonValue, saidType, unlikelyMessage } from './plain-json';

/**
 * What a console and a helper program on another machine say to each other, over the agent there. Commands and messages are the program's
 * own, as texts of JSON; the agent reads commands by a schema for consoles, and the console reads messages by that of the program.
 */

/** Of a command: an NMOS node has some tens of registries. */
const longestCommand = 65_536;
/** As of a line of a helper (`helperLimits`). */
const longestSaid = 1024 * 1024;

const json = (most: number) => z.string().max(most);

export const toHelperSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('command'), json: json(longestCommand) }),
  z.strictObject({ type: z.literal('stop') }),
]);

export type ToHelper = z.infer<typeof toHelperSchema>;

const sentences = (most: number) => z.string().max(most).transform(plainSentences);

const problemSchema: z.ZodType<Problem> = z.object({
  // A newer Whiteline may have codes that this one does not know.
  code: z.enum(errorCodes).catch('INTERNAL'),
  message: sentences(4000),
  field: sentences(100).optional(),
  value: sentences(1000).optional(),
  remedy: sentences(2000).optional(),
});

const fromHelperSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), json: json(longestSaid) }),
  z.strictObject({ type: z.literal('said'), json: json(longestSaid) }),
  /** It is gone. `problem`: why; null: it was stopped, and has said all. */
  z.strictObject({ type: z.literal('exit'), problem: problemSchema.nullable() }),
]);

export type FromHelper = z.infer<typeof fromHelperSchema>;

/** @throws WhitelineError BAD_INPUT for a command that is too long */
export function helperCommand(command: object): ToHelper {
  const text = JSON.stringify(command);
  if (text.length <= longestCommand) return { type: 'command', json: text };
  throw badInput('command', `at most ${longestCommand} characters`, text.length);
}

/** @throws WhitelineError BAD_INPUT for a message that is none */
export function checkedHelperWire(value: unknown): FromHelper {
  const wire = safeParse(fromHelperSchema, value);
  if (wire.success) return wire.data;
  throw unlikely(saidType(value), wire.error);
}

/** Checks a helper program's message by its schema; line breaks in its texts are removed. @throws WhitelineError BAD_INPUT naming the wrong field */
export function checkedHelperJson<Output>(text: string, schema: z.ZodType<Output>): Output {
  const value = plainJsonValue(text, plainSentences);
  if (value === undefined) throw unlikely('message');
  const message = safeParse(schema, value);
  if (message.success) return message.data;
  throw unlikely(saidType(value), message.error);
}

function unlikely(what: string, error?: z.core.$ZodError): WhitelineError {
  return unlikelyMessage('a helper program', what, error?.issues[0]?.path);
}
