import { isResourceType, nodeOf, parentOfType, resourceTypes } from '../resource';
import type { Store } from '../store';
import type { HealthEntry, SetEntry } from './message';

/**
 * All that a peer holds when a connection begins, and what follows from what is missing in it. Of a node and what belongs to it, the
 * registry that the node last spoke to knows best: what it no longer has, it removed. A registry that was started anew is another.
 */
export class Snapshot {
  /** Ids of what the peer holds, and whether they were not here before. */
  private readonly seen = new Map<string, boolean>();
  private readonly health: ReadonlyMap<string, HealthEntry>;
  private readonly removedHere = new Set<string>();

  constructor(
    private readonly store: Store,
    health: readonly HealthEntry[],
  ) {
    this.health = new Map(health.map((entry) => [entry[0], entry]));
  }

  get size(): number {
    return this.seen.size;
  }

  /** Whether the peer only has it because it did not hear of its removal. */
  wasRemovedHere([type, , data]: SetEntry): boolean {
    if (!isResourceType(type) || typeof data !== 'object' || data === null) return false;
    const rule = parentOfType[type];
    const [id, parentId] = [Reflect.get(data, 'id'), rule && Reflect.get(data, rule.attribute)];
    if (typeof id !== 'string' || this.store.get(id)) return false;
    const parent = typeof parentId === 'string' ? this.store.get(parentId) : undefined;
    const nodeId = parent ? nodeOf(parent).id : id;
    const isOurs = this.health.get(nodeId)?.[2] === this.store.options.instance;
    if (!isOurs && !this.removedHere.has(String(parentId))) return false;
    this.removedHere.add(id);
    return true;
  }

  add({ id, isNew }: { id: string; isNew: boolean }): void {
    this.seen.set(id, isNew);
  }

  /** @param instance of the peer */
  complete(instance: string): void {
    for (const [id, ageMs, home] of this.health.values()) {
      const node = this.store.find('node', id);
      // One that is here since a moment ago is as old as the peer says.
      if (node && this.seen.get(id)) this.store.setHealth(node, ageMs, home);
      else takeHealth(this.store, [id, ageMs, home]);
    }
    const gone = resourceTypes
      .flatMap((type) => this.store.list(type, 'create'))
      .filter((resource) => nodeOf(resource).health?.home === instance && !this.seen.has(resource.id));
    for (const { id } of gone) {
      const resource = this.store.get(id);
      if (resource) this.store.remove(resource, false);
    }
  }
}

export function takeHealth(store: Store, [id, ageMs, home]: HealthEntry): void {
  const node = store.find('node', id);
  if (node) store.heard(node, ageMs, home);
}
