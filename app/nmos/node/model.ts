import type { Clock } from '../../protocol/clock';
import { validate } from '../schemas/schemas';
import { taiNs, taiText } from '../tai';
import {
  type NodeApiVersion,
  type Resources,
  type ResourceType,
  resourceTypes,
  type Versioned,
} from './resources';

export interface ModelChange {
  type: ResourceType;
  id: string;
  /** False: it was removed. */
  isThere: boolean;
}

/** What a version of the Node API shows; of what it cannot show only the newer version. */
export type Shown = { is: 'there'; resource: object } | { is: 'newer' } | { is: 'absent' };

type Stored = { [Type in ResourceType]: Map<string, Versioned<Resources[Type]>> };

/** Resources of one node, each with the version of its last change; every body fits its schema. */
export class NodeModel {
  private readonly stored: Stored = {
    node: new Map(),
    device: new Map(),
    source: new Map(),
    flow: new Map(),
    sender: new Map(),
    receiver: new Map(),
  };
  private readonly listeners = new Set<(change: ModelChange) => void>();
  private lastNs = 0n;

  constructor(private readonly clock: Pick<Clock, 'wallMs'>) {}

  /**
   * Adds a resource or replaces the one of its id.
   * @throws Error if it does not fit the schema of v1.3 or refers to nothing: an error of the caller
   */
  set<Type extends ResourceType>(type: Type, resource: Resources[Type]): void {
    const versioned = { ...this.withEndpoints(type, resource), version: this.nextVersion() };
    const failure = validate('is-04', 'v1.3', type, versioned);
    if (failure) throw new Error(`The ${type} ${resource.id}: ${failure.text}`);
    const map: Map<string, Versioned<Resources[Type]>> = this.stored[type];
    const isNew = !map.has(resource.id);
    map.set(resource.id, versioned);
    if (isNew) this.listInDevice(type, resource);
    this.notify({ type, id: resource.id, isThere: true });
  }

  remove(type: ResourceType, id: string): void {
    const resource = this.stored[type].get(id);
    if (!resource) return;
    this.stored[type].delete(id);
    this.notify({ type, id, isThere: false });
    this.listInDevice(type, resource);
  }

  get<Type extends ResourceType>(type: Type, id: string): Versioned<Resources[Type]> | undefined {
    const map: Map<string, Versioned<Resources[Type]>> = this.stored[type];
    return map.get(id);
  }

  /** The only node. @throws Error before it was set */
  get node(): Versioned<Resources['node']> {
    const [node] = this.stored.node.values();
    if (!node) throw new Error('The model has no node yet');
    return node;
  }

  ids(type: ResourceType): string[] {
    return [...this.stored[type].keys()];
  }

  show(type: ResourceType, id: string, version: NodeApiVersion): Shown {
    const resource = this.stored[type].get(id);
    if (!resource) return { is: 'absent' };
    const shown = this.conform(type, resource, version);
    return shown === null ? { is: 'newer' } : { is: 'there', resource: shown };
  }

  list(type: ResourceType, version: NodeApiVersion): object[] {
    return this.ids(type).flatMap((id) => {
      const shown = this.show(type, id, version);
      return shown.is === 'there' ? [shown.resource] : [];
    });
  }

  /** All that a registry of this version is to know, parents first. */
  all(version: NodeApiVersion): { type: ResourceType; id: string }[] {
    return resourceTypes.flatMap((type) =>
      this.ids(type)
        .filter((id) => this.show(type, id, version).is === 'there')
        .map((id) => ({ type, id })),
    );
  }

  onChange(listener: (change: ModelChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** By IS-04 Upgrade Path, Version Translations; null for what the version does not know. */
  private conform(type: ResourceType, resource: object, version: NodeApiVersion): object | null {
    if (version === 'v1.3') return resource;
    const older = this.withoutUnshown(type, withoutKeys(resource), version);
    return validate('is-04', version, type, older) === null ? older : null;
  }

  /** A device lists no sender or receiver that the same version does not show. */
  private withoutUnshown(type: ResourceType, resource: object, version: NodeApiVersion): object {
    if (type !== 'device' || !('senders' in resource) || !('receivers' in resource)) return resource;
    const shown = (of: 'sender' | 'receiver', ids: unknown): unknown =>
      Array.isArray(ids) ? ids.filter((id) => this.show(of, id, version).is === 'there') : ids;
    return {
      ...resource,
      senders: shown('sender', resource.senders),
      receivers: shown('receiver', resource.receivers),
    };
  }

  /** Its device has it in its lists from now on, or no longer. */
  private listInDevice(type: ResourceType, resource: object): void {
    if ((type !== 'sender' && type !== 'receiver') || !('device_id' in resource)) return;
    const device = this.stored.device.get(String(resource.device_id));
    if (device) this.set('device', device);
  }

  private withEndpoints<Resource extends { id: string }>(type: ResourceType, resource: Resource): Resource {
    if (type !== 'device') return resource;
    const ids = (of: 'sender' | 'receiver'): string[] =>
      [...this.stored[of].values()].filter((one) => one.device_id === resource.id).map(({ id }) => id);
    return { ...resource, senders: ids('sender'), receivers: ids('receiver') };
  }

  /** Two changes never have the same time. */
  private nextVersion(): string {
    const now = taiNs(this.clock);
    this.lastNs = now > this.lastNs ? now : this.lastNs + 1n;
    return taiText(this.lastNs);
  }

  private notify(change: ModelChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

const keysSinceVersion13 = ['authorization', 'attached_network_device', 'event_type'];

function withoutKeys<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (keysSinceVersion13.includes(key) ? undefined : inner)),
  );
}
