import { deepestNesting, isDeeper } from '../http/body';
import { compareVersions } from '../tai';
import { type DepartureEntry, type Entry, readEntry, type SetEntry } from './entry';
import { problemOfResource } from './registration-api';
import {
  isApiVersion,
  isResourceType,
  longestBody,
  parentOfType,
  type Resource,
  type ResourceData,
} from './resource';
import { aliveAt, latestBelow, type Store } from './store';

/**
 * Takes over what a peer sends or a snapshot holds, where it is newer: bodies by `version`, then by when they were registered, then by
 * their text; removals and expiries by their dates. Two registries that were apart hold the same afterwards, whichever hears of the other first.
 */

/** Why an entry is not taken over, or null: then what is here is as the entry says, or newer. `Store.confirm` follows the last of them. */
export function mergeEntry(store: Store, entry: Entry): string | null {
  if (entry.kind === 'set') return mergeSet(store, entry);
  if (entry.kind === 'remove') mergeRemoval(store, entry);
  else mergeExpiry(store, entry);
  return null;
}

function mergeSet(store: Store, { type, apiVersion, data, at, bodyAt, life }: SetEntry): string | null {
  if (!isResourceType(type) || !isApiVersion(apiVersion)) return 'a resource of unknown type or version';
  if (isDeeper(data, deepestNesting)) return `a ${type} that is nested too deep`;
  const problem = problemOfResource(apiVersion, type, data);
  if (problem !== null) return problem;
  const { id, version, ...rest } = data as ResourceData;
  const body = { json: JSON.stringify(data), apiVersion };
  if (body.json.length > longestBody) return `${type} ${id} has ${body.json.length} characters`;
  const rule = parentOfType[type];
  const parentId = rule ? String(rest[rule.attribute]) : null;
  const parent = rule ? store.find(rule.type, parentId ?? '') : null;
  const isOrphan = parent === undefined && store.departures.of(parentId ?? '') !== undefined;
  if (isOrphan || isOver(store, id, parent ?? null, at, life?.heardAt ?? null)) {
    // Whoever sent this hears how it or its parent went. So that what is below it is not taken for an error:
    store.departures.remember({ kind: 'expire', id, at: 0n });
    return null;
  }
  if (parent === undefined)
    return `${type} ${id} belongs to a ${rule?.type} that this registry does not hold`;
  let known = store.get(id);
  if (known && (known.type !== type || known.parent !== parent)) {
    // One id for two things: any two registries keep the one that was registered later.
    if (at < known.at || (at === known.at && body.json < known.body.json)) return null;
    store.remove(known, { isOwn: false, at: at - 1n });
    known = undefined;
  }
  if (known && life) {
    store.heard(known, life);
    store.bornAgain(known, life.bornAt);
  }
  if (known && !isNewer({ version, body, bodyAt }, known)) {
    store.confirmAt(known, at);
    return null;
  }
  if (!store.hasRoom(body.json.length, known)) return `this registry is full: no room for ${type} ${id}`;
  store.put({ type, id, version, body, parent, isOwn: false, at, bodyAt, life });
  return null;
}

/**
 * Puts back what belonged to nodes that expired here and live at a peer, which hears of it. Not before all is merged that the peer sends with
 * them: what was registered here last may belong to what the peer holds.
 */
export function wakeDormant(store: Store): void {
  for (const { node, entries } of store.dormant.wake(store)) {
    for (const text of entries) {
      const entry = readEntry(JSON.parse(text));
      if (entry?.kind !== 'set') continue;
      if (entry.life) store.bornAgain(node, entry.life.bornAt);
      mergeSet(store, { ...entry, life: null });
    }
    store.confirmTree(node);
  }
}

/** Whether it, or what it belongs to, was removed or expired since; whoever holds it hears of that. */
function isOver(
  { departures }: Store,
  id: string,
  parent: Resource | null,
  at: bigint,
  heardAt: bigint | null,
): boolean {
  if (at <= (departures.removedAt(id) ?? -1n)) return true;
  for (let above = parent; above; above = above.parent)
    if (at <= (departures.removedAt(above.id) ?? -1n) || at < (above.health?.bornAt ?? 0n)) return true;
  const departure = departures.of(id);
  if (heardAt === null || departure?.kind !== 'expire') return false;
  return (heardAt > at ? heardAt : at) <= departure.at;
}

/** Any two registries have to come to the same end, and what a client registers has to be later than all that was here. */
function isNewer(one: Pick<Resource, 'version' | 'body' | 'bodyAt'>, known: Resource): boolean {
  const order = compareVersions(one.version, known.version);
  if (order !== 0) return order > 0;
  if (one.bodyAt !== known.bodyAt) return one.bodyAt > known.bodyAt;
  if (one.body.apiVersion !== known.body.apiVersion) return one.body.apiVersion > known.body.apiVersion;
  return one.body.json > known.body.json;
}

/**
 * A removal of what was registered after it, or has children that were, came too late: then only what is older below it goes, and the
 * peer, which has removed all of it, is given the rest again.
 */
function mergeRemoval(store: Store, entry: DepartureEntry): void {
  const { id, at } = entry;
  const known = store.get(id);
  const latest = known ? latestBelow(known) : 0n;
  if (known && latest <= at) {
    store.remove(known, { isOwn: false, at });
    return;
  }
  const isNews = store.rememberDeparture(entry, false);
  if (!known) return;
  store.confirmAt(known, latest);
  store.removeBelow(known, at);
  if (isNews) store.confirmTree(known);
}

/** A node that was heard of here since did not expire: the peer is given it again. */
function mergeExpiry(store: Store, entry: DepartureEntry): void {
  const known = store.get(entry.id);
  if (!known) store.rememberDeparture(entry, false);
  else if (known.health && aliveAt(known) <= entry.at) store.expireNode(known, false, entry.at);
  else if (known.health) store.confirmTree(known);
}
