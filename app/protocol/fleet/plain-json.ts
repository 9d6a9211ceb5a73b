import { badInput, type WhitelineError } from '../errors';
import { isShallow } from '../nesting';
import { plainLine } from '../plain-text';

type PlainText = (text: string) => string;

/**
 * A text of JSON of another machine as a plain value: each text in it, names too, shows all and does nothing. Undefined: it is no
 * JSON, or nested too deep.
 */
export function plainJsonValue(json: string, plainText: PlainText): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return isShallow(value) ? plainValue(value, plainText) : undefined;
}

/** Of a row, whose facts may list things by lines. */
export const plainLines: PlainText = (text) => text.split('\n').map(plainLine).join('\n');

function plainValue(value: unknown, plainText: PlainText): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map((one) => plainValue(one, plainText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [plainLine(name), plainValue(inner, plainText)]),
  );
}

/** What kind of message it says that it is. */
export function saidType(value: unknown): string {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  return typeof type === 'string' ? type.slice(0, 20) : 'message';
}

/** A message that is none as `who` sends it. The value itself may be anything, and long. */
export function unlikelyMessage(
  who: string,
  what: string,
  path: readonly PropertyKey[] = [],
): WhitelineError {
  const field = path.map(String).join('.').slice(0, 100);
  return badInput(field === '' ? what : field, `what ${who} sends as ${what}`, 'something else');
}
