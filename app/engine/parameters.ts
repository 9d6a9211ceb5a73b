import { z } from 'zod';
import { badInput, WhitelineError } from '../protocol/errors';
import { parseFaults } from '../protocol/faults';
import { framesPerSecond, type Rate } from '../protocol/format';
import type { Fault } from '../protocol/records';
import { type StreamLoadParameters, streamLoadParameters } from '../protocol/stream-load';
import { checkFaults } from './faults/expected-counts';
import type { ChosenSource, SourceSettings } from './streams/sources/source-choice';

/**
 * Parameters of `stream-load` out of what somebody typed; defaults filled in.
 * @throws WhitelineError BAD_INPUT naming the field, the value and what is allowed
 */
export function readParameters(input: Record<string, unknown>): StreamLoadParameters {
  const result = streamLoadParameters.safeParse(input);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join('.') || 'parameters';
    const received = issue?.path[0] === undefined ? input : input[String(issue.path[0])];
    if (issue?.code === 'custom') {
      throw new WhitelineError({ code: 'BAD_INPUT', message: issue.message, field, value: String(received) });
    }
    const { expected, remedy } = expectationOf(field);
    throw badInput(field, expected, received, remedy);
  }
  if (result.data.inject) parseFaults(result.data.inject);
  return result.data;
}

/** Checks everything that can be checked before a run; `choose` looks at the source, a movie included. */
export async function checkParameters(
  input: Record<string, unknown>,
  choose: (settings: SourceSettings) => Promise<Pick<ChosenSource, 'format'>>,
): Promise<void> {
  const parameters = readParameters(input);
  const { format } = await choose(parameters);
  injectedFaults(parameters, format.rate);
}

/**
 * The faults to put in, counted from the first measured slot.
 * @throws WhitelineError BAD_INPUT where they cannot be told apart at this rate, or reach beyond the row
 */
export function injectedFaults({ inject, holdSeconds }: StreamLoadParameters, rate: Rate): Fault[] {
  const faults = inject ? parseFaults(inject) : [];
  checkFaults(faults, rate, Math.floor(holdSeconds * framesPerSecond(rate)));
  return faults;
}

const properties = z.toJSONSchema(streamLoadParameters).properties ?? {};

/** JSON types of the parameters of `stream-load`: string, integer, number or boolean. */
export const parameterTypes: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(properties).map(([key, property]) => [
    key,
    typeof property === 'object' ? String(property.type) : undefined,
  ]),
);

function isOnByDefault(key: string): boolean {
  const property = properties[key];
  return typeof property === 'object' && property.default === true;
}

/** The flag that sets a parameter: `holdSeconds` is --hold; a switch that is on by default can only be put off. */
export function flagOf(key: string): string {
  const name = key.replace(/Seconds$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return isOnByDefault(key) ? `--no-${name}` : `--${name}`;
}

/** What a parameter may be, in words, and what it is for. */
function expectationOf(field: string): { expected: string; remedy?: string } {
  const property = properties[field];
  if (typeof property !== 'object') {
    const known = Object.keys(streamLoadParameters.shape).join(', ');
    return { expected: 'a known parameter', remedy: `Known are ${known}` };
  }
  const { type, minimum, maximum, minLength, maxLength, description } = property;
  const remedy = `${field}: ${description}`;
  if (property.enum) return { expected: `one of ${property.enum.join(', ')}`, remedy };
  if (type === 'integer' || type === 'number') {
    const number = type === 'integer' ? 'a whole number' : 'a number';
    return { expected: `${number} from ${minimum} to ${maximum}`, remedy };
  }
  if (type === 'boolean') return { expected: 'true or false', remedy };
  if (maxLength) return { expected: `a text of ${minLength} to ${maxLength} characters`, remedy };
  return { expected: 'a text', remedy };
}

/** The same run as a command line, so that it can be repeated. */
export function commandLine(experiment: string, parameters: StreamLoadParameters): string {
  const flags: string[] = [];
  const quote = (value: string): string =>
    /^[\w@.:/-]+$/.test(value) ? value : `'${value.replace(/'/g, `'\\''`)}'`;
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined || value === isOnByDefault(key)) continue;
    const seconds = key.endsWith('Seconds');
    const flag = flagOf(key);
    flags.push(typeof value === 'boolean' ? flag : `${flag} ${quote(seconds ? `${value}s` : String(value))}`);
  }
  return `whiteline run ${experiment} ${flags.join(' ')}`;
}
