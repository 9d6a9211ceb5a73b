import { latestDate } from '../entry';
import { mergeEntry, wakeDormant } from '../merge';
import type { Store } from '../store';
import type { Message } from './message';

/** Dates of one moment may be this much later than the peer's clock. */
const mostLaterNs = 1_000_000_000n;

export function aheadWords(aheadNs: bigint): string {
  return `its clock is ${aheadNs / 1_000_000_000n} s ahead of the clock of this registry`;
}

/**
 * Applies a peer's message. Returns why the connection must end, or null.
 * @param isFollowed whether the peer's whole content has arrived, this message included
 * @param refuse receives the reason for each refused change
 */
export function takeMessage(
  store: Store,
  { now, changes, health }: Pick<Message, 'now' | 'changes' | 'health'>,
  isFollowed: boolean,
  refuse: (problem: string) => void,
): string | null {
  const { shared } = store.options;
  if (shared.isImpossible(now)) return aheadWords(shared.aheadNs(now));
  const dates = [...changes.map(latestDate), ...health.map(({ heardAt }) => heardAt)];
  if (dates.some((date) => date > now + mostLaterNs)) return 'it dates a change later than its own clock';
  store.agreeOn(now);
  for (const entry of changes) {
    const problem = mergeEntry(store, entry);
    if (problem !== null) refuse(problem);
  }
  if (isFollowed) wakeDormant(store);
  store.confirm();
  for (const { id, ...life } of health) {
    const node = store.find('node', id);
    if (node) store.heard(node, life);
  }
  return null;
}
