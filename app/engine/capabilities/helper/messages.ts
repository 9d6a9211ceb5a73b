import { z } from 'zod';
import { safeParse } from '../../../protocol/safe-parse';
import type { Message } from './helper-program';

/** A line that is no message that was agreed upon; says what is wrong with it. */
export class NoMessage extends Error {}

const anyMessage = z.object({ type: z.string() });
const utf8 = new TextDecoder('utf-8', { fatal: true });
const mostShownCharacters = 120;

/** Null for a heartbeat. @throws NoMessage */
export function readMessage<Output extends Message>(line: Buffer, schema: z.ZodType<Output>): Output | null {
  const value = parsed(line);
  const message = safeParse(anyMessage, value);
  if (!message.success) throw new NoMessage(`a line without a type: ${shown(line)}`);
  const { type } = message.data;
  if (type === 'heartbeat') return null;
  const result = safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the whole';
  throw new NoMessage(
    `a message "${type}" that was not agreed upon (${where}: ${issue?.message}): ${shown(line)}`,
  );
}

function parsed(line: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(line);
  } catch {
    throw new NoMessage(`a line that is no UTF-8: ${shown(line)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new NoMessage(`a line that is no JSON: ${shown(line)}`);
  }
}

/** Its end is of no help to a reader, and may be a megabyte away. */
function shown(line: Buffer): string {
  const text = line.subarray(0, 4 * mostShownCharacters).toString('utf8');
  return text.length > mostShownCharacters ? `${text.slice(0, mostShownCharacters)}…` : text || '(empty)';
}

/** @throws ZodError for what is no command of the schema, such as a number that is not finite and would go out as null */
export function lineOf<Command extends Message>(command: Command, schema: z.ZodType<Command>): string {
  return `${JSON.stringify(schema.parse(command))}\n`;
}

export const stopLine = '{"type":"stop"}\n';
