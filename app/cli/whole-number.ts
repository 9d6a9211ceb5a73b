import { badInput } from '../protocol/errors';

/**
 * A count as typed, from 0 to `most`.
 * @throws WhitelineError BAD_INPUT
 */
export function wholeNumber(text: string, field: string, most = 999_999_999): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > most)
    throw badInput(field, `a whole number from 0 to ${most}`, text);
  return Number(text);
}
