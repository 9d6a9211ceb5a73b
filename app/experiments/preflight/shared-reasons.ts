import type { FactWords, Of } from '../../facts/alike-facts';

/** What is said of one thing that was checked. */
export interface FoundText {
  /** What was found, or why it could not be found out, as a sentence without its full stop. */
  found: string;
  /** What to do about it; absent if all is well. */
  advice?: string;
  /** Puts it right on this machine, or looks closer; never run by us. Absent if none helps. */
  command?: string;
}

export type FoundWords = FactWords<FoundText>;

/** Data of a fact are no lists: a list is a text with a line for each entry. */
export function lined(entries: readonly (string | number)[]): string {
  return entries.join('\n');
}

export function entriesOf<Name>(of: { word(name: Name, otherwise: string): string }, name: Name): string[] {
  return of.word(name, '').split('\n');
}

/** "a, b, c". */
export function listText<Name>(of: { word(name: Name, otherwise: string): string }, name: Name): string {
  return entriesOf(of, name).join(', ');
}

/** Facts in whose words is the name of an interface. */
export type OfInterface = Of<{ name: string }>;

export const noReason = 'no reason is reported';
