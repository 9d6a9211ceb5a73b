import type { z } from 'zod';
import { unitOfName } from '../facts/unit-of-name';
import { badInput, type Problem, toProblem, valueText } from './errors';
import { type FieldSchema, fieldSchemaOf } from './field-schema';
import { nearNames } from './near-names';
import { safeParse } from './safe-parse';

/** What is wrong with one field of a written value, and where in the value it stands. */
export interface FieldProblem {
  path: readonly PropertyKey[];
  problem: Problem;
}

/** More than this do not help, and a hostile value has as many as it has bytes. */
const mostProblems = 50;

/**
 * What a schema has against a value, in the order in which the schema finds it; nothing if the value is good.
 * @param whole what the value as a whole is called in a sentence
 * @param part what a field of it is called
 */
export function fieldProblems(
  schema: z.ZodType,
  value: unknown,
  whole = 'parameters',
  part = 'parameter',
): FieldProblem[] {
  const result = safeParse(schema, value);
  if (result.success) return [];
  const described = fieldSchemaOf(schema);
  return result.error.issues.slice(0, mostProblems).flatMap((issue): FieldProblem[] => {
    const field = issue.path.map(String).join('.') || whole;
    const received = valueAt(value, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const known = Object.keys(schemaAt(described, issue.path)?.properties ?? {});
      return issue.keys.slice(0, mostProblems).map((name) => ({
        path: [...issue.path, name],
        problem: toProblem(badInput(field, `a known ${part}`, name, remedyOfName(name, known))),
      }));
    }
    const problem: Problem =
      issue.code === 'custom'
        ? { code: 'BAD_INPUT', message: issue.message, field, value: valueText(received ?? '') }
        : toProblem(badInput(field, ...expectation(described, issue.path, received)));
    return [{ path: issue.path, problem }];
  });
}

/** What may stand at a path, in words, what stands there, and what the field is for. */
function expectation(
  described: FieldSchema,
  path: readonly PropertyKey[],
  received: unknown,
): [expected: string, received: unknown, remedy: string | undefined] {
  // An item has no description of its own: its list says what it is for.
  const listPath = typeof path[path.length - 1] === 'number' ? path.slice(0, -1) : path;
  const schema = schemaAt(described, listPath);
  const name = listPath.map(String).join('.');
  const remedy = schema?.description ? `${name}: ${schema.description}` : undefined;
  const { unit } = unitOfName(String(listPath.at(-1) ?? ''));
  return [wordsFor(schema ?? {}, unit), received ?? '', remedy];
}

function schemaAt(described: FieldSchema, path: readonly PropertyKey[]): FieldSchema | undefined {
  let schema: FieldSchema | undefined = described;
  for (const key of path) {
    schema = typeof key === 'number' ? schema?.items : schema?.properties?.[String(key)];
  }
  return schema;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** "a number from 0.5 to 86400 s", "one of uyvy, bgra", "a list, each a text" … */
function wordsFor(schema: FieldSchema, unit: string): string {
  const { type, minLength, maxLength, minItems, maxItems, items, anyOf } = schema;
  if (anyOf) return anyOf.map((one) => wordsFor(one, unit)).join(', or ');
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (type === 'integer' || type === 'number') {
    const range = rangeOf(schema);
    const ofUnit = unit === '' || range === '' ? '' : ` ${unit}`;
    return `${type === 'integer' ? 'a whole number' : 'a number'}${range}${ofUnit}`;
  }
  if (type === 'boolean') return 'true or false';
  if (type === 'array') {
    const list = `a list${lengthOf(minItems, maxItems, 'entries')}`;
    return items?.type === 'object'
      ? `${list} with names and values`
      : `${list}, each ${wordsFor(items ?? {}, unit)}`;
  }
  if (type === 'object') return 'names with values';
  return `a text${lengthOf(minLength, maxLength, 'characters')}`;
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: FieldSchema): string {
  const low = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const high = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${high === undefined ? '' : `, up to ${high}`}`;
  return high === undefined ? '' : ` up to ${high}`;
}

function lengthOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (most !== undefined) return ` of ${least ?? 0} to ${most} ${unit}`;
  return least ? ` of at least ${least} ${unit}` : '';
}

/** What to write in the place of an unknown name. */
export function remedyOfName(name: string, known: string[]): string {
  const [near] = nearNames(name, known);
  const list = `Known are ${known.join(', ')}`;
  return near === undefined ? list : `Did you mean ${near}? ${list}`;
}
