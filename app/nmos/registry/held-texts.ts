import { departureText, setText } from './entry';
import { resourceTypes } from './resource';
import type { Store } from './store';

/** All entries from which another registry, or this one after a restart, holds the same: departures, then resources, parents first. */
export function heldTexts(store: Store): string[] {
  const resources = resourceTypes.flatMap((type) => store.list(type, 'create'));
  return [...store.departures.list().map(departureText), ...resources.map(setText)];
}
