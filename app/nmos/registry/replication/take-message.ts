import { latestDate } from '../entry';
import { mergeEntry, wakeDormant } from '../merge';
import type { Store } from '../store';
import type { Message } from './message';

/** A peer dates nothing later than its own clock, but for dates of one moment. */
const mostLaterNs = 1_000_000_000n;

export function aheadWords(aheadNs: bigint): string {
  return `its clock is ${aheadNs / 1_000_000_000n} s ahead of the clock of this registry`;
}

/**
 * Takes over what a peer sends. Returns why the connection has to end, or null.
 * @param isFollowed all that the peer held at first has come, with this message
 * @param refuse is told why a change is not taken over
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
