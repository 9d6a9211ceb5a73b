import { badInput } from './errors';
import { isVisible } from './visible-name';

/** Characters of the NDI name of streams. */
export const mostNameLength = 60;

/**
 * What comes before the number in the NDI names of streams.
 * @throws WhitelineError BAD_INPUT for what receivers could not show, or not tell from another name
 */
export function streamNameOf(text: string): string {
  const refused = (expected: string) =>
    badInput('name', expected, text, 'Use for example Whiteline or Stage left');
  if (text.length < 1 || text.length > mostNameLength) throw refused(`1 to ${mostNameLength} characters`);
  if (text.trim() !== text) throw refused('a name without spaces before and after it');
  if (!isVisible(text)) throw refused('a name of visible characters');
  return text;
}

/** Of the stream with this number. */
export function senderName(base: string, number: number): string {
  return `${base} ${number}`;
}

/** The lowest number that gives a name of none of these: NDI's names are of DNS, which knows no case. */
export function lowestFreeNumber(base: string, taken: Iterable<string>): number {
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  let number = 1;
  while (names.has(senderName(base, number).toLowerCase())) number += 1;
  return number;
}

/** Names already in use, and the names with higher numbers that were taken instead. */
export function passedOver(base: string, names: readonly string[]): string[] {
  const last = names.at(-1);
  const passed: string[] = [];
  for (let number = 1; last !== undefined && senderName(base, number) !== last; number += 1)
    if (!names.includes(senderName(base, number))) passed.push(senderName(base, number));
  return passed;
}
