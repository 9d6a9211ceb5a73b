import { parseDuration } from '../protocol/duration';
import { badInput } from '../protocol/errors';

/**
 * @param duration of a test, which may give anything
 * @throws WhitelineError BAD_INPUT
 */
export function secondsOf(duration: unknown, field: string): number {
  if (typeof duration === 'string') return parseDuration(duration, field);
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  throw badInput(field, 'a number of seconds', duration, 'Use for example 5 or "500ms"');
}
