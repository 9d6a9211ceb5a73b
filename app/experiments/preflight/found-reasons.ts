import type { AlikeFacts, Of } from '../../facts/alike-facts';
import type { Fact } from '../../facts/fact';
import { type DataOfCode, kindOfFacts } from '../../facts/fact-kind';
import { cardReasons } from './card-reasons';
import { findingReasons } from './finding-reasons';
import { machineReasons } from './machine-reasons';
import type { FoundText, FoundWords } from './shared-reasons';
import { wayReasons } from './way-reasons';

const words = {
  ...cardReasons,
  ...machineReasons,
  ...wayReasons,
  ...findingReasons,
  /** As the system, a tool or a driver says it. */
  'not-known': (of: Of<{ why: string }>) => ({ found: of.word('why') }),
} satisfies FoundWords;

type Words = typeof words;
export type FoundCode = keyof Words;
export type FoundData<Code extends FoundCode> = DataOfCode<Words, Code>;

const kind = kindOfFacts<Words, Record<never, never>, FoundText>(words);

export const foundOf = kind.factOf;

/** One of our processes was stopped during the check, so its finding proves nothing. */
const stopped = 'stopped-meanwhile';

/** What one check found. */
export type Found = Fact<FoundCode | typeof stopped>;

/** @param stops which processes of ours were stopped */
export function stoppedMeanwhile(stops: readonly Fact[]): Found {
  return { code: stopped, data: {}, seen: stops.map(({ code, data }) => ({ code, data })) };
}

/**
 * What a check found, in words; null: only a newer version knows the code.
 * @param reasonText words for reasons of verdicts; a stopped process is one
 */
export function textOfFound(
  { code, data, seen = [] }: Fact,
  reasonText: (reason: readonly Fact[]) => string,
): FoundText | null {
  if (code === stopped) return { found: reasonText(seen), advice: 'Check again' };
  const text = kind.textOf(code, [data]);
  if (!text || !('isOnWindows' in data) || text.command?.startsWith('whiteline ')) return text;
  const { command, ...rest } = text;
  return rest;
}

/** Our own commands are the same there; the others are Linux’. */
export function foundOnWindows(found: Found): Found {
  return { ...found, data: { ...found.data, isOnWindows: true } };
}

/** The same for a fact within the data of another fact; null for a code that only a newer version knows. */
export function foundTextBy(code: string, of: AlikeFacts): string | null {
  return kind.textBy(code, of)?.found ?? null;
}
