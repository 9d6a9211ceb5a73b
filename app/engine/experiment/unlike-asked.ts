import type { Fact } from '../../facts/fact';
import { reasonOf } from '../../facts/reason-words';

/** What a tool measured is not what it was asked for; null: it does not say. */
export function unlikeAsked(
  tool: string,
  what: string,
  reported: string | number | null,
  asked: string | number | null,
): Fact[] {
  if (reported === null || reported === asked) return [];
  return [reasonOf('not-as-asked', { tool, what, reported: String(reported), asked: String(asked) })];
}
