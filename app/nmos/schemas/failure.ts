import type { AnySchemaObject, ErrorObject } from 'ajv';
import { valueText } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';

/** Where and why a value does not match its schema. */
export interface SchemaFailure {
  /** JSON pointer into the value; empty for the value itself. */
  path: string;
  /** The value at `path`; undefined if it is missing. */
  value: unknown;
  /** What the schema requires, as in "Expected … for PATH". */
  expected: string;
  /** All of it as a sentence. */
  text: string;
}

const branching = ['anyOf', 'oneOf', 'allOf', 'not', '$ref'];

/**
 * Of all that the branches of a schema have against a value, what the branch says that fits best: the deepest, a wrong value before a
 * key that another branch knows, and of these the last. What several branches expect at that place is joined.
 */
export function failureOf(errors: readonly ErrorObject[]): SchemaFailure {
  const said = errors.filter(({ keyword }) => !branching.includes(keyword));
  const best = fitting(deepest(said.length > 0 ? said : errors)).at(-1);
  if (!best) return failure('', undefined, 'a value that matches the schema');
  const path = pathOf(best);
  const alternatives = said.filter(
    (error) => error.keyword !== 'additionalProperties' && pathOf(error) === path,
  );
  const isKey = best.keyword === 'additionalProperties' || alternatives.length === 0;
  const expected = new Set((isKey ? [best] : alternatives).map(expectedBy));
  return failure(path, receivedBy(best), either([...expected]));
}

function deepest(errors: readonly ErrorObject[]): ErrorObject[] {
  const depth = (error: ErrorObject): number => pathOf(error).split('/').length;
  const most = Math.max(...errors.map(depth));
  return errors.filter((error) => depth(error) === most);
}

/** Without branches of which a key is none, where it is one of another. */
function fitting(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const values = errors.filter(({ keyword }) => keyword !== 'additionalProperties');
  if (values.length > 0) return values;
  const unknown = errors.filter(
    ({ instancePath, params }) =>
      !errors.some(
        ({ instancePath: place, parentSchema }) =>
          place === instancePath && Object.hasOwn(parentSchema?.properties ?? {}, params.additionalProperty),
      ),
  );
  return unknown.length > 0 ? unknown : errors;
}

function failure(path: string, value: unknown, expected: string): SchemaFailure {
  const text = valueText(value);
  const received =
    value === undefined ? 'nothing' : plainLine(typeof value === 'string' ? `"${text}"` : text);
  return {
    path,
    value,
    expected,
    text: `Expected ${expected} for ${path || 'the body'} but received ${received}`,
  };
}

/** Of a key that is missing, or that may not be there, its own path. */
function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  const key = { required: params.missingProperty, additionalProperties: params.additionalProperty }[keyword];
  return key === undefined ? instancePath : `${instancePath}/${String(key)}`;
}

function receivedBy({ keyword, params, data }: ErrorObject): unknown {
  if (keyword === 'required') return undefined;
  return keyword === 'additionalProperties' ? Reflect.get(Object(data), params.additionalProperty) : data;
}

function expectedBy({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'a value';
    case 'additionalProperties':
      return 'no additional key';
    case 'type':
    case 'enum':
    case 'pattern':
    case 'format':
      return either(valuesOf(parentSchema ?? {}));
    case 'minimum':
    case 'maximum':
      // Where a text is allowed too, both have to be named.
      return Array.isArray(parentSchema?.type)
        ? either(valuesOf(parentSchema))
        : `a number ${params.comparison} ${params.limit}`;
    default:
      return `a value that ${message ?? 'matches the schema'}`;
  }
}

/** All that a schema of a single value allows. */
function valuesOf({
  type = [],
  enum: allowed,
  pattern,
  format,
  minimum,
  maximum,
}: AnySchemaObject): string[] {
  if (allowed) return [`one of ${allowed.map((value: unknown) => JSON.stringify(value)).join(', ')}`];
  const types: string[] = [type].flat();
  if (types.length === 0) return [textOf(pattern, format)];
  return types.map((one) => {
    if (one === 'string') return textOf(pattern, format);
    if (one === 'integer' || one === 'number') return numberOf(one, minimum, maximum);
    return one === 'null' ? 'null' : withArticle(one);
  });
}

const addresses = new Map([
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
]);

function textOf(pattern: string | undefined, format: string | undefined): string {
  const [, word] = /^\^(\w+)\$$/.exec(pattern ?? '') ?? [];
  if (word !== undefined) return `"${word}"`;
  if (pattern !== undefined) return `a text that matches ${pattern}`;
  return format === undefined ? 'a string' : (addresses.get(format) ?? `a text of the format ${format}`);
}

function numberOf(type: string, minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined && maximum === undefined) return withArticle(type);
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (maximum === undefined) return `${kind} of at least ${minimum}`;
  return minimum === undefined ? `${kind} of at most ${maximum}` : `${kind} from ${minimum} to ${maximum}`;
}

/** "a", "a or b", "a, b or c". */
function either(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}

function withArticle(type: string): string {
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}
