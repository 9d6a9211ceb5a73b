import { create } from 'zustand';
import type { LiveSource } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import type { Answer } from '../../app/rpc/asker';

/** One that was listed since the search began; discovery may have lost it since. */
export interface FoundSource extends LiveSource {
  isListed: boolean;
}

export interface LiveSearch {
  /** Null until discovery has answered once. */
  found: FoundSource[] | null;
  /** Name of the source that is to be followed next. */
  chosen: string | null;
  /** Why nothing is searched for. */
  problem: Problem | null;
}

export const useLiveSearch = create<LiveSearch>(() => ({ found: null, chosen: null, problem: null }));

/** What is listed now, and in its old place what is listed no longer. */
export function withListed(before: readonly FoundSource[], listed: readonly LiveSource[]): FoundSource[] {
  const names = new Set(listed.map(({ name }) => name));
  const lost = before.filter(({ name }) => !names.has(name));
  return [
    ...listed.map((source) => ({ ...source, isListed: true })),
    ...lost.map((source) => ({ ...source, isListed: false })),
  ].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

export function noteListed({ result, problem }: Answer<LiveSource[]>): void {
  useLiveSearch.setState(({ found }) =>
    problem ? { problem } : { found: withListed(found ?? [], result), problem },
  );
}

/** Why the chosen source cannot be followed now. */
export type NotFollowable = 'none-chosen' | 'own' | 'followed' | 'lost';

/** `streams`: what is shown already. Null: it can be followed. */
export function hindranceOf(
  { found, chosen }: Pick<LiveSearch, 'found' | 'chosen'>,
  streams: readonly { name: string }[],
): NotFollowable | null {
  const source = found?.find(({ name }) => name === chosen);
  if (!source) return 'none-chosen';
  if (source.sender === 'own') return 'own';
  if (streams.some(({ name }) => name === source.name)) return 'followed';
  return source.isListed ? null : 'lost';
}
