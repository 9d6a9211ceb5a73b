import { parseDuration } from '../protocol/duration';
import { badInput } from '../protocol/errors';

/**
 * How long a command runs before it ends by itself; without the flag it does not.
 * @throws WhitelineError BAD_INPUT
 */
export function limitSecondsOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const seconds = parseDuration(text, 'duration');
  if (seconds === 0) throw badInput('duration', 'a duration above 0', text, 'Use for example 30s or 2m');
  return seconds;
}
