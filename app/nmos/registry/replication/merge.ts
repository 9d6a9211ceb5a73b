import { deepestNesting, isDeeper } from '../../http/body';
import { compareVersions } from '../../tai';
import { problemOfResource } from '../registration-api';
import {
  isApiVersion,
  isResourceType,
  longestBody,
  parentOfType,
  type Resource,
  type ResourceData,
} from '../resource';
import type { Store } from '../store';
import type { RemoveEntry, SetEntry } from './message';

/**
 * Takes over what a peer holds where it is newer: by `version`, then by when it was registered, then by its text. Two registries that were apart hold the same afterwards, whichever
 * hears of the other first.
 */

/** The id of what is here now as the peer has it, or newer, and whether it was not before; otherwise why it is not. */
export type Merged = { id: string; isNew: boolean } | { problem: string };

/** @param home the instance of the peer */
export function mergeResource(
  store: Store,
  [type, apiVersion, data, time, bodyTime]: SetEntry,
  home: string,
): Merged {
  if (!isResourceType(type) || !isApiVersion(apiVersion))
    return { problem: 'a resource of unknown type or version' };
  if (isDeeper(data, deepestNesting)) return { problem: `a ${type} that is nested too deep` };
  const problem = problemOfResource(apiVersion, type, data);
  if (problem !== null) return { problem };
  const { id, version, ...rest } = data as ResourceData;
  const body = { json: JSON.stringify(data), apiVersion };
  if (body.json.length > longestBody) return { problem: `${type} ${id} has ${body.json.length} characters` };
  const [at, bodyAt] = [BigInt(time), BigInt(bodyTime)];
  // It was removed here or elsewhere since; the peer hears of that too.
  if (at <= (store.removals.at(id) ?? -1n)) return { id, isNew: false };
  const known = store.get(id);
  if (known && known.type !== type) return { problem: `${type} ${id} is a ${known.type} in this registry` };
  if (known && !isNewer({ version, body, bodyAt }, known)) {
    if (at > known.at) known.at = at;
    return { id, isNew: false };
  }
  const rule = parentOfType[type];
  const parent = rule ? store.find(rule.type, String(rest[rule.attribute])) : null;
  if (parent === undefined)
    return { problem: `${type} ${id} belongs to a ${rule?.type} that this registry does not hold` };
  if (known && known.parent !== parent)
    return { problem: `${type} ${id} belongs to another ${rule?.type} in this registry` };
  if (!store.hasRoom(body.json.length, known))
    return { problem: `this registry is full: no room for ${type} ${id}` };
  store.put({ type, id, version, body, parent, home, at, bodyAt });
  return { id, isNew: !known };
}

/** Any two registries have to come to the same end, and what a client registers has to be later than all that was here. */
function isNewer(one: Pick<Resource, 'version' | 'body' | 'bodyAt'>, known: Resource): boolean {
  const order = compareVersions(one.version, known.version);
  if (order !== 0) return order > 0;
  if (one.bodyAt !== known.bodyAt) return one.bodyAt > known.bodyAt;
  if (one.body.apiVersion !== known.body.apiVersion) return one.body.apiVersion > known.body.apiVersion;
  return one.body.json > known.body.json;
}

/** A removal of what was registered after it came too late: then the peer, which has removed it with what belongs to it, is given it again. */
export function mergeRemoval(store: Store, [id, time]: RemoveEntry): void {
  const at = BigInt(time);
  const isNews = store.removals.remember(id, at);
  const known = store.get(id);
  if (known && known.at <= at) store.remove(known, { isOwn: false, at });
  else if (known && isNews) store.confirmTree(known);
}
