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
 * Applies entries of a peer or a snapshot. Of two bodies the later `version` wins, then the later registration, then the text; removals and
 * expiries count by their dates. Two registries end with the same content, in whatever order entries arrive.
 */

/** Returns why an entry is refused; null: it was applied, or this registry has newer content. Call `Store.confirm` after the last entry. */
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
    // The sender learns of this departure too. Its children are then skipped without an error in the log.
    store.departures.remember({ kind: 'expire', id, at: 0n });
    return null;
  }
  if (parent === undefined)
    return `${type} ${id} belongs to a ${rule?.type} that this registry does not hold`;
  let known = store.get(id);
  if (known && (known.type !== type || known.parent !== parent)) {
    // One id for two resources: the later registration stays.
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
 * Restores what belonged to nodes that expired here but are alive at a peer, and sends it to the peer. Call it after the peer's whole
 * message is merged, because a restored resource may need a parent from it.
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

/** Whether it, or anything above it, was removed or expired after this date. */
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

/** The same result at any two registries; what a client registers here is newer than all before it. */
function isNewer(one: Pick<Resource, 'version' | 'body' | 'bodyAt'>, known: Resource): boolean {
  const order = compareVersions(one.version, known.version);
  if (order !== 0) return order > 0;
  if (one.bodyAt !== known.bodyAt) return one.bodyAt > known.bodyAt;
  if (one.body.apiVersion !== known.body.apiVersion) return one.body.apiVersion > known.body.apiVersion;
  return one.body.json > known.body.json;
}

/**
 * If the resource or a child of it was registered after the removal, only what is older below it goes, and the peer, which removed
 * everything, gets the rest again.
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

/** If the node was heard of here since, it did not expire, and the peer gets it again. */
function mergeExpiry(store: Store, entry: DepartureEntry): void {
  const known = store.get(entry.id);
  if (!known) store.rememberDeparture(entry, false);
  else if (known.health && aliveAt(known) <= entry.at) store.expireNode(known, false, entry.at);
  else if (known.health) store.confirmTree(known);
}
