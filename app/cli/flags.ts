import type { Command } from 'commander';
import { flagKey, flagOf, parameterSchemas } from '../engine/runs/parameters';
import type { ExperimentDeclaration } from '../experiments/declaration';
import { declarations } from '../experiments/declarations';
import { parseDuration } from '../protocol/duration';
import { badInput } from '../protocol/errors';
import type { FieldSchema } from '../protocol/field-schema';
import { type FieldFlags, optionFlag, typedFlag, typedOption } from './finishing';
import { listOption } from './list-flag';

/** Commander's own, under which flags of the run and help stand too. */
const basicHeading = 'Options:';
const advancedHeading = 'Advanced:';

/** Flags of a command by their names in camel case, as commander gives them. */
export type Flags = Record<string, unknown>;

/** Flags of `whiteline run` itself, which no parameter may be named like. */
export const runFlagKeys = [
  'out',
  'thresholds',
  'report',
  'json',
  'captureLogs',
  'metrics',
  'printPlan',
  'force',
  'help',
];

/**
 * The experiment's parameters as flags: `holdSeconds` is `--hold 5s`; of a list, a flag for each value. Help lists the basic ones
 * first, and the others under a heading of their own.
 */
export function addParameterFlags(command: Command, declaration: ExperimentDeclaration): Command {
  const schemas = Object.entries(parameterSchemas(declaration));
  const isBasic = ([key]: [string, FieldSchema]): boolean => declaration.basic.includes(key);
  addFlags(command.optionsGroup(basicHeading), schemas.filter(isBasic));
  addFlags(
    command.optionsGroup(advancedHeading),
    schemas.filter((schema) => !isBasic(schema)),
  );
  return command.optionsGroup(basicHeading);
}

function addFlags(command: Command, schemas: readonly [string, FieldSchema][]): void {
  for (const [key, schema] of schemas) {
    const flag = flagOf(key, schema);
    const { description = '' } = schema;
    const text =
      schema.default === true ? `without this flag, the run ${lowerFirst(description)}` : description;
    const help = `${text}${usualText(key, schema)}`;
    const kind = isDuration(key) ? 'duration' : 'value';
    if (schema.type === 'array') command.addOption(listOption(`${flag} <${kind}s...>`, help));
    else command.option(schema.type === 'boolean' ? flag : `${flag} <${kind}>`, help);
  }
}

function isDuration(key: string): boolean {
  return key.endsWith('Seconds');
}

/** A name that begins with two capitals stays as it is. */
function lowerFirst(text: string): string {
  return text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/** Flags of all commands: those of experiments are made of their parameters. */
export const experimentFlags: FieldFlags = {
  /** Undefined for what is no flag of it, or was set elsewhere. */
  flagOfField(command, field) {
    const schemas = schemasOf(command);
    const schema = schemas?.[field];
    if (schema) return flagOf(field, schema);
    if (command.registeredArguments.some((argument) => argument.name() === field)) return undefined;
    const options = [...command.options, ...(schemas ? (command.parent?.options ?? []) : [])];
    return typedFlag(command, field, options);
  },
  flagOfWord(command, word) {
    const schema = schemasOf(command)?.[word];
    return schema ? flagOf(word, schema) : optionFlag(command, word);
  },
  typedText(command, field) {
    const [name = '', index] = field.split('.');
    const schema = schemasOf(command)?.[name];
    return typedOption(command, schema ? flagKey(name, schema) : name, Number(index));
  },
};

/** Of the parameters of the experiment that a command runs; undefined for another command. */
function schemasOf(command: Command): Record<string, FieldSchema> | undefined {
  const declaration = declarations.find(
    ({ id }) => id === command.name() && command.parent?.name() === 'run',
  );
  return declaration && parameterSchemas(declaration);
}

/** What counts without the flag, where the description does not say it already. */
function usualText(key: string, { default: usual, description = '' }: FieldSchema): string {
  if (usual === undefined || typeof usual === 'boolean' || /default/i.test(description)) return '';
  const unit = isDuration(key) ? 's' : '';
  const text = [usual].flat().map((value) => `${value}${unit}`);
  return text.every((value) => value === '') ? '' : ` (default: ${text.join(' ')})`;
}

/**
 * The flags as the schema's parameters: durations in seconds, numbers as numbers.
 * @throws WhitelineError BAD_INPUT for a text that is no number or no duration where one is wanted
 */
export function parametersOf(declaration: ExperimentDeclaration, flags: Flags): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(parameterSchemas(declaration))) {
    const flag = flagKey(key, schema);
    const value = flags[flag];
    if (value === undefined) continue;
    const isSeconds = isDuration(key);
    const read = (text: unknown, of: FieldSchema): unknown =>
      typeof text === 'string' ? typedValue(text, flag, isSeconds, of) : text;
    const { items } = schema;
    parameters[key] = Array.isArray(value)
      ? value.map((text) => read(text, items ?? {}))
      : read(value, schema);
  }
  return parameters;
}

function typedValue(text: string, flag: string, isSeconds: boolean, { type, anyOf }: FieldSchema): unknown {
  const types = [type, ...(anyOf ?? []).map((schema) => schema.type)];
  const isNumber = types.includes('integer') || types.includes('number');
  // Where a word may stand instead of a number, the schema judges it.
  if (!isNumber || (types.includes('string') && !/^-?\d/.test(text))) return text;
  if (isSeconds) return parseDuration(text, flag);
  return types.includes('number') ? decimal(text, flag) : integer(text, flag);
}

function integer(text: string, field: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw badInput(field, 'a whole number', text);
  return Number(text);
}

function decimal(text: string, field: string): number {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)) throw badInput(field, 'a number', text);
  return Number(text);
}
