import { type NmosKind, type NmosMessage, type NmosResource, nmosKinds } from '../../app/protocol/nmos';

/** All resources of the chosen registry, as far as they have come, in the order of their labels. */
export class ResourceBook {
  private readonly byKind: Record<NmosKind, Map<string, NmosResource>> = {
    node: new Map(),
    device: new Map(),
    sender: new Map(),
    receiver: new Map(),
  };
  private readonly orders = new Map<NmosKind, NmosResource[]>();
  /** Kinds of which some have changed, and none its place. */
  private readonly stale = new Set<NmosKind>();
  private generation = -1;

  /** True if anything has changed. */
  take({ generation, changed, removed }: Omit<NmosMessage, 'type' | 'view'>): boolean {
    const isOther = generation !== this.generation;
    if (isOther) this.clear();
    this.generation = generation;
    for (const { kind, id } of removed) if (this.byKind[kind].delete(id)) this.orders.delete(kind);
    for (const resource of changed) {
      const { kind, id, label } = resource;
      if (this.byKind[kind].get(id)?.label === label) this.stale.add(kind);
      else this.orders.delete(kind);
      this.byKind[kind].set(id, resource);
    }
    return isOther || changed.length > 0 || removed.length > 0;
  }

  get(kind: NmosKind, id: string): NmosResource | undefined {
    return this.byKind[kind].get(id);
  }

  /** The same array until the next change. */
  list(kind: NmosKind): readonly NmosResource[] {
    const known = this.orders.get(kind);
    if (known && !this.stale.has(kind)) return known;
    const held = this.byKind[kind];
    const list = known?.flatMap(({ id }) => held.get(id) ?? []) ?? inOrder([...held.values()]);
    this.orders.set(kind, list);
    this.stale.delete(kind);
    return list;
  }

  private clear(): void {
    for (const kind of nmosKinds) this.byKind[kind].clear();
    this.orders.clear();
  }
}

interface Placed {
  key: string;
  resource: NmosResource;
}

/** By label, those of one label by id. Keys are made once each: a collator would hold the window up for thousands. */
function inOrder(resources: readonly NmosResource[]): NmosResource[] {
  const placed = resources.map((resource): Placed => ({ key: keyOf(resource.label), resource }));
  return placed.sort(byKey).map(({ resource }) => resource);
}

/** "Camera 2" stands before "camera 10", and "Übergabe" among those with U. */
function keyOf(label: string): string {
  const letters = label
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return letters.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

function byKey(one: Placed, other: Placed): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.resource.id < other.resource.id ? -1 : 1;
}

/** Those whose label or id holds what was typed, letters small or large. */
export function matching(resources: readonly NmosResource[], typed: string): readonly NmosResource[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return resources;
  return resources.filter(
    ({ label, id }) => label.toLowerCase().includes(text) || id.toLowerCase().includes(text),
  );
}

/** What a resource is called where its label is empty. */
export function nameOf({ label, id }: NmosResource): string {
  return label.trim() === '' ? id : label;
}

/** Label, device and node, as far as they are known. */
export function fullNameOf(book: ResourceBook, resource: NmosResource): string {
  const device = book.get('device', resource.parentId);
  const node = device && book.get('node', device.parentId);
  const places = [device, node].flatMap((place) => (place ? [nameOf(place)] : []));
  return places.length === 0 ? nameOf(resource) : `${nameOf(resource)} (${places.join(', ')})`;
}

/** A receiver that takes something, and the registry does not say from which sender. */
export function isConnectedElsewhere({ isActive, senderId }: NmosResource): boolean {
  return isActive && senderId === null;
}

/** Neither can carry what the other does: `rtp.mcast` and `rtp` are one family. */
export function isOtherTransport(sender: NmosResource, receiver: NmosResource): boolean {
  const family = ({ transport }: NmosResource): string => transport.split('.')[0] ?? '';
  return family(sender) !== family(receiver);
}
