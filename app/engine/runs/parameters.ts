import type { z } from 'zod';
import type { ExperimentDeclaration } from '../../experiments/declaration';
import { WhitelineError } from '../../protocol/errors';
import { fieldProblems } from '../../protocol/field-problems';
import { type FieldSchema, fieldSchemaOf } from '../../protocol/field-schema';
import { safeParse } from '../../protocol/safe-parse';

/**
 * Parameters of an experiment out of what was typed; defaults filled in.
 * @throws WhitelineError BAD_INPUT naming each field that is wrong, the value and what is allowed
 */
export function readParameters<Schema extends z.ZodObject>(
  declaration: ExperimentDeclaration<Schema>,
  input: Record<string, unknown>,
): z.output<Schema> {
  const result = safeParse(declaration.parameters, input);
  if (result.success) return result.data;
  const [first, ...others] = fieldProblems(declaration.parameters, input).map(({ problem }) => problem);
  throw new WhitelineError(
    first ? { ...first, others } : { code: 'BAD_INPUT', message: result.error.message },
  );
}

/** By the parameter's name, in the order of their declaration. */
export function parameterSchemas({ parameters }: ExperimentDeclaration): Record<string, FieldSchema> {
  return fieldSchemaOf(parameters).properties ?? {};
}

/** A parameter's flag in camel case. That of a list of sources is named as that of one source. */
export function flagKey(key: string, { type }: FieldSchema): string {
  return key === 'sources' && type === 'array' ? 'source' : key.replace(/Seconds$/, '');
}

/** The flag that sets a parameter: `holdSeconds` is --hold; a switch that is on by default can only be put off. */
export function flagOf(key: string, schema: FieldSchema): string {
  const name = flagKey(key, schema).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return schema.default === true ? `--no-${name}` : `--${name}`;
}

/** The same run as a command line, so that it can be repeated. */
export function commandLine(declaration: ExperimentDeclaration, parameters: Record<string, unknown>): string {
  const flags: string[] = [];
  for (const [key, schema] of Object.entries(parameterSchemas(declaration))) {
    const value = parameters[key];
    if (value === undefined || value === null || value === (schema.default === true)) continue;
    const unit = key.endsWith('Seconds') ? 's' : '';
    const flag = flagOf(key, schema);
    if (typeof value === 'boolean') flags.push(flag);
    else if (Array.isArray(value) && value.length === 0) flags.push(`${flag} ''`);
    // Of a list, a comma stands between two items.
    else if (Array.isArray(value))
      for (const item of value) flags.push(`${flag} ${shellWord(`${item}${unit}`.replaceAll(',', '\\,'))}`);
    else flags.push(`${flag} ${shellWord(`${value}${unit}`)}`);
  }
  return ['whiteline run', declaration.id, ...flags].join(' ');
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@.,:/-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
