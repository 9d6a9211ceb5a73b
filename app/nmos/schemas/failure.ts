import type { ErrorObject } from 'ajv';
import { valueText } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';

/** Where and why a value does not match its schema. */
export interface SchemaFailure {
  /** JSON pointer into the value; empty for the value itself. */
  path: string;
  /** What stands there; undefined for what is missing. */
  value: unknown;
  /** What belongs there, as in "Expected … for PATH". */
  expected: string;
  /** All of it as a sentence. */
  text: string;
}

const branching = ['anyOf', 'oneOf', 'allOf', 'not', '$ref'];

/** Of all that the branches of a schema have against a value, the one that says most: the deepest, and of these the last. */
export function failureOf(errors: readonly ErrorObject[]): SchemaFailure {
  const said = errors.filter(({ keyword }) => !branching.includes(keyword));
  const rank = (error: ErrorObject): number => pathOf(error).split('/').length;
  const best = (said.length > 0 ? said : errors).reduce<ErrorObject | undefined>(
    (most, error) => (most && rank(most) > rank(error) ? most : error),
    undefined,
  );
  if (!best) return failure('', undefined, 'a value as the schema has it');
  return failure(pathOf(best), receivedBy(best), expectedBy(best));
}

function failure(path: string, value: unknown, expected: string): SchemaFailure {
  const received = value === undefined ? 'nothing' : plainLine(valueText(value)) || 'an empty text';
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

function expectedBy({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'a value';
    case 'additionalProperties':
      return 'no additional key';
    case 'type':
      return [params.type].flat().map(withArticle).join(' or ');
    case 'enum':
      return `one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`;
    case 'pattern':
      return `a text that matches ${params.pattern}`;
    case 'format':
      return `a text of the format ${params.format}`;
    case 'minimum':
    case 'maximum':
      return `a number ${params.comparison} ${params.limit}`;
    default:
      return `a value that ${message ?? 'matches the schema'}`;
  }
}

function withArticle(type: string): string {
  return type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}
