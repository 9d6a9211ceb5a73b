import { create } from 'zustand';
import type { LiveSource, StreamView } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import type { Answer } from '../../app/rpc/asker';

/** One that was listed since the search began; discovery may have lost it since. */
export interface FoundSource extends LiveSource {
  isListed: boolean;
  /** The operator typed where it listens, and that is its name: discovery is not asked. */
  isTyped?: boolean;
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
  const heard = new Set(listed.flatMap(({ addresses }) => addresses));
  // Discovery has a name for what was typed as an address.
  const others = before.filter(({ name, isTyped }) => !names.has(name) && !(isTyped && heard.has(name)));
  return sorted([
    ...listed.map((source) => ({ ...source, isListed: true })),
    ...others.map((source) => ({ ...source, isListed: source.isTyped === true })),
  ]);
}

function sorted(sources: FoundSource[]): FoundSource[] {
  return sources.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** The search begins again: what the operator typed stays. */
export function beginSearch(): void {
  useLiveSearch.setState(({ found }) => {
    const typed = found?.filter(({ isTyped }) => isTyped) ?? [];
    return { found: typed.length > 0 ? typed : null, problem: null };
  });
}

export function noteListed({ result, problem }: Answer<LiveSource[]>): void {
  if (problem) {
    useLiveSearch.setState({ problem });
    return;
  }
  useLiveSearch.setState(({ found, chosen }) => {
    const all = withListed(found ?? [], result);
    const named = all.some(({ name }) => name === chosen) ? chosen : (heardAt(all, chosen)?.name ?? chosen);
    return { found: all, chosen: named, problem };
  });
}

/** What discovery found at an address. */
function heardAt(found: readonly FoundSource[], address: string | null): FoundSource | undefined {
  return found.find(({ isTyped, addresses }) => !isTyped && address !== null && addresses.includes(address));
}

/** A sender that listens there is the one to be followed next. */
export function chooseAddress(address: string): void {
  useLiveSearch.setState(({ found }) => {
    const heard = heardAt(found ?? [], address);
    if (heard?.isListed) return { chosen: heard.name };
    const typed: FoundSource = {
      ...{ name: address, addresses: [address], sender: 'other', format: null },
      ...{ isListed: true, isTyped: true },
    };
    const others = (found ?? []).filter(({ name }) => name !== address);
    return { found: sorted([...others, typed]), chosen: address };
  });
}

/** One of these names is shown no longer until it is announced again. */
export function forget(names: readonly string[]): void {
  useLiveSearch.setState(({ found, chosen }) => ({
    found: found?.filter(({ name }) => !names.includes(name)) ?? null,
    chosen: chosen !== null && names.includes(chosen) ? null : chosen,
  }));
}

/** What is sought is in the name or in an address; nothing sought is found everywhere. */
export function matching(found: readonly FoundSource[], sought: string): FoundSource[] {
  const text = sought.trim().toLowerCase();
  return found.filter(({ name, addresses }) =>
    [name, ...addresses].some((part) => part.toLowerCase().includes(text)),
  );
}

/** A stream that is shown; it keeps its name on the network when it is renamed here. */
type FollowedName = Pick<StreamView, 'ndiName'>;

/** NDI names are DNS names, which ignore case. */
export function isFollowed(sourceName: string, streams: readonly FollowedName[]): boolean {
  return streams.some(({ ndiName }) => ndiName.toLowerCase() === sourceName.toLowerCase());
}

/** Why the chosen source cannot be followed now. */
export type NotFollowable = 'none-chosen' | 'own' | 'followed' | 'lost';

/** `streams`: what is shown already. Null: it can be followed. */
export function hindranceOf(
  { found, chosen }: Pick<LiveSearch, 'found' | 'chosen'>,
  streams: readonly FollowedName[],
): NotFollowable | null {
  const source = found?.find(({ name }) => name === chosen);
  if (!source) return 'none-chosen';
  if (source.sender === 'own') return 'own';
  if (isFollowed(source.name, streams)) return 'followed';
  return source.isListed ? null : 'lost';
}
