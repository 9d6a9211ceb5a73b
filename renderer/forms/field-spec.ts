import { unitOfName } from '../../app/facts/unit-of-name';
import type { FieldSchema } from '../../app/protocol/field-schema';
import { texts } from '../texts';

/**
 * How a field is typed. switch: yes or no; choice: one of a few; choices: some of a few; numbers: a list in one line;
 * lines: a list, one entry in each line.
 */
export type FieldKind = 'number' | 'text' | 'switch' | 'choice' | 'choices' | 'numbers' | 'lines';

/** As typed, so that a half-typed number is not thrown away. */
export type FieldValue = string | boolean | readonly string[];

/** A field of a form, made from what JSON Schema says of it. */
export interface FieldSpec {
  name: string;
  /** What to enter. */
  label: string;
  unit: string;
  /** Advanced ones are folded. */
  isBasic: boolean;
  kind: FieldKind;
  help: string;
  /** What a number may be, in short; empty if anything goes. */
  range: string;
  /** Of a choice; an empty one leaves it to the experiment. */
  options: readonly string[];
  initial: FieldValue;
  /** Of a text without a longest length, which may be several names. */
  takesSeveral: boolean;
  /** Left out when it is empty. */
  isOptional: boolean;
}

/**
 * The fields of a form, in the order of their declaration.
 * @param basic names of those that are always seen; default: all
 */
export function fieldSpecs({ properties = {} }: FieldSchema, basic?: readonly string[]): FieldSpec[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...specOf(name, schema),
    isBasic: basic?.includes(name) ?? true,
  }));
}

function specOf(name: string, schema: FieldSchema): Omit<FieldSpec, 'isBasic'> {
  const { unit } = unitOfName(name);
  const kind = kindOf(schema);
  const isOptional = schema.default === undefined;
  const options = optionsOf(kind === 'choices' ? (schema.items ?? {}) : schema);
  return {
    name,
    label: schema.title ?? name,
    unit,
    kind,
    help: helpOf(schema.description ?? ''),
    range: rangeOf(kind === 'numbers' ? (schema.items ?? {}) : schema),
    options: kind === 'choice' && isOptional ? ['', ...options] : options,
    initial: typedValue(kind, schema.default),
    takesSeveral: kind === 'text' && schema.maxLength === undefined,
    isOptional,
  };
}

function kindOf({ type, items, ...schema }: FieldSchema): FieldKind {
  if (schema.enum) return 'choice';
  if (type === 'boolean') return 'switch';
  if (isNumber(type)) return 'number';
  if (type !== 'array') return 'text';
  if (items?.enum) return 'choices';
  return isNumber(items?.type) ? 'numbers' : 'lines';
}

function isNumber(type: string | undefined): boolean {
  return type === 'integer' || type === 'number';
}

function optionsOf(schema: FieldSchema): string[] {
  return (schema.enum ?? []).map(String);
}

/** Without the unit at its end, which the label has already. */
function helpOf(description: string): string {
  return description.replace(/, (s|%|dB|Hz|MiB|Mb\/s)$/, '');
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: FieldSchema): string {
  const low = minimum ?? exclusiveMinimum;
  const hasLow = low !== undefined && low > Number.MIN_SAFE_INTEGER;
  const hasHigh = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (hasLow && hasHigh) return texts.forms.range(numberText(low), numberText(maximum));
  if (hasLow) return texts.forms.atLeast(numberText(low));
  return hasHigh ? texts.forms.atMost(numberText(maximum)) : '';
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

/** A parameter as it stands in its field. */
export function typedValue(kind: FieldKind, value: unknown): FieldValue {
  switch (kind) {
    case 'switch':
      return value === true;
    case 'choices':
      return listOf(value);
    case 'numbers':
      return listOf(value).join(', ');
    case 'lines':
      return listOf(value).join('\n');
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
