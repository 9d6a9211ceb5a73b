import { departureText, setText } from './entry';
import { resourceTypes } from './resource';
import type { Store } from './store';

/** The whole content of a registry as entries: departures, then resources, parents first. */
export function heldTexts(store: Store): string[] {
  const resources = resourceTypes.flatMap((type) => store.list(type, 'create'));
  return [...store.departures.list().map(departureText), ...resources.map(setText)];
}
