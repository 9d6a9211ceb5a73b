import { type FieldSpec, type FieldValue, typedValue } from './field-spec';

/** What stands in the fields of a form, by their names. */
export type FormValues = Readonly<Record<string, FieldValue>>;

/** A form out of parameters; what they leave open has its default. */
export function valuesOf(fields: readonly FieldSpec[], parameters: Record<string, unknown> = {}): FormValues {
  return Object.fromEntries(
    fields.map(({ name, kind, initial }) => [
      name,
      name in parameters ? typedValue(kind, parameters[name]) : initial,
    ]),
  );
}

/** The parameters as typed, right or wrong; what is optional and empty is left out. */
export function parametersOf(fields: readonly FieldSpec[], values: FormValues): Record<string, unknown> {
  return parametersOfSome(fields, values);
}

/** The parameters that differ from their defaults: all that a plan has to say. */
export function changedParameters(fields: readonly FieldSpec[], values: FormValues): Record<string, unknown> {
  return parametersOfSome(
    fields.filter((field) => isChanged(field, values)),
    values,
  );
}

/** Whether the field differs from its default. */
export function isChanged(field: FieldSpec, values: FormValues): boolean {
  return textOf(values[field.name]) !== textOf(field.initial);
}

function parametersOfSome(fields: readonly FieldSpec[], values: FormValues): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name] ?? field.initial;
    if (!(field.isOptional && isEmpty(value))) parameters[field.name] = parameterOf(field, value);
  }
  return parameters;
}

/** A switch that is off is as empty as a field with nothing in it. */
function isEmpty(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === false || (Array.isArray(value) && value.length === 0);
}

function parameterOf({ kind }: FieldSpec, value: FieldValue): unknown {
  if (typeof value !== 'string') return value;
  switch (kind) {
    case 'number':
      return numberOf(value);
    case 'numbers':
      return value
        .split(/[\s,;]+/)
        .filter((part) => part !== '')
        .map(numberOf);
    case 'lines':
      return value
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    default:
      return value;
  }
}

/** What stands in a field once a path was chosen for it: a list has one more line. */
export function withChosen({ name, kind, initial }: FieldSpec, values: FormValues, chosen: string): string {
  const before = String(values[name] ?? initial);
  const isAdded = kind === 'lines' && before.trim() !== '' && before !== initial;
  return isAdded ? `${before.trimEnd()}\n${chosen}` : chosen;
}

/** What is no number stays as it was typed, so that the complaint shows it. */
export function numberOf(text: string): number | string {
  const trimmed = text.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

function textOf(value: FieldValue | undefined): string {
  return JSON.stringify(value) ?? '';
}
