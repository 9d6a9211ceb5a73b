import type { Resource } from './resource';

/** Characters of all that is kept; the oldest goes first. */
const mostCharacters = 20_000_000;

interface Awake {
  node: Resource;
  entries: readonly string[];
}

/**
 * Entries of nodes that expired here, and of all below them. Such a node may be alive at an unreachable peer that lacks what it last
 * registered here.
 */
export class Dormant {
  private readonly byNode = new Map<string, readonly string[]>();
  private characters = 0;

  /** @param entries the node's, and those of all below it, parents first */
  keep(nodeId: string, entries: readonly string[]): void {
    this.take(nodeId);
    this.byNode.set(nodeId, entries);
    this.characters += lengthOf(entries);
    for (const oldest of this.byNode.keys()) {
      if (this.characters <= mostCharacters) return;
      this.take(oldest);
    }
  }

  /** Returns the entries of a node and forgets them. */
  take(nodeId: string): readonly string[] {
    const entries = this.byNode.get(nodeId) ?? [];
    this.characters -= lengthOf(entries);
    this.byNode.delete(nodeId);
    return entries;
  }

  /** Takes the entries of all nodes that are registered again. */
  wake(store: { find(type: 'node', id: string): Resource | undefined }): Awake[] {
    const awake: Awake[] = [];
    for (const id of this.byNode.keys()) {
      const node = store.find('node', id);
      if (node) awake.push({ node, entries: this.take(id) });
    }
    return awake;
  }

  list(): string[] {
    return [...this.byNode.values()].flat();
  }
}

function lengthOf(entries: readonly string[]): number {
  return entries.reduce((sum, { length }) => sum + length, 0);
}
