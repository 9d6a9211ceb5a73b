import { badInput, WhitelineError } from '../protocol/errors';
import { parseFaults } from '../protocol/faults';
import { type StreamLoadParameters, streamLoadParameters } from '../protocol/stream-load';
import { resolveSource } from './streams/stream-set';

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
    throw badInput(field, expectation(issue?.message ?? ''), received);
  }
  if (result.data.inject) parseFaults(result.data.inject);
  return result.data;
}

/** Checks everything that can be checked before a run, the movie included. */
export async function checkParameters(input: Record<string, unknown>): Promise<void> {
  await resolveSource(readParameters(input));
}

/** zod's sentence as the object of "Expected …". */
function expectation(message: string): string {
  return message
    .replace(/^(Too small|Too big|Invalid input|Invalid option|Invalid string|Unrecognized key): ?/, '')
    .replace(/^expected /, '');
}

/** The same run as a command line, so that it can be repeated. */
export function commandLine(experiment: string, parameters: StreamLoadParameters): string {
  const flags: string[] = [];
  const quote = (value: string): string =>
    /^[\w@.:/-]+$/.test(value) ? value : `'${value.replace(/'/g, `'\\''`)}'`;
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const seconds = key.endsWith('Seconds');
    const flag = key.replace(/Seconds$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    flags.push(`--${flag} ${quote(seconds ? `${value}s` : String(value))}`);
  }
  return `whiteline run ${experiment} ${flags.join(' ')}`;
}
