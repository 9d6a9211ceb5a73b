import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import type { TaiStamps } from '../tai';
import { Orders } from './orders';
import { Removals } from './removals';
import { type Body, type Health, nodeOf, type Resource, type ResourceType } from './resource';

/** A resource that came, changed (both bodies), was confirmed (the same body twice) or went. */
export interface Change {
  type: ResourceType;
  id: string;
  pre: Body | null;
  post: Body | null;
  /** The resource after the change, or as it was before it went. */
  resource: Resource;
  /** Whether a client of this registry caused it, and no peer of it. */
  isOwn: boolean;
  /** When; as `Resource.at`. */
  at: bigint;
}

export interface StoreLimits {
  resources: number;
  /** Characters of all resources. */
  characters: number;
}

export const usualStoreLimits: StoreLimits = { resources: 300_000, characters: 600_000_000 };

export interface Registered {
  type: ResourceType;
  id: string;
  version: string;
  body: Body;
  parent: Resource | null;
  /** The registry whose client registers it: an instance. */
  home: string;
  /** When a client last did, whatever the body, and when it did with this body; without them now. */
  at?: bigint;
  bodyAt?: bigint;
}

/** Who removes a resource, and when: without a time now; null for one that expired, which each registry sees by itself. */
export interface Removal {
  isOwn: boolean;
  at?: bigint | null;
}

/** How long a peer may take to say that a node was heard of, and to remove it itself. */
const mostLateMs = 3000;

export interface StoreOptions {
  stamps: TaiStamps;
  /** Of changes, in an order with those of peers. */
  changes: TaiStamps;
  clock: Clock;
  /** How long a node is kept without a heartbeat (IS-04 Behaviour – Registration, "Heartbeating"). */
  expiryMs: number;
  /** This registry, among its peers. */
  instance: string;
  limits?: StoreLimits;
}

/** All resources of a registry. It trusts what it is given: bodies are valid, parents are there. */
export class Store {
  private readonly byId = new Map<string, Resource>();
  private readonly orders = new Orders();
  private readonly listeners = new Set<(change: Change) => void>();
  readonly removals = new Removals();
  private characters = 0;
  private readonly limits: StoreLimits;

  constructor(readonly options: StoreOptions) {
    this.limits = options.limits ?? usualStoreLimits;
  }

  /** Of the monotonic clock. */
  nowMs(): number {
    return monotonicMs(this.options.clock);
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Resource | undefined {
    return this.byId.get(id);
  }

  find(type: ResourceType, id: string): Resource | undefined {
    const resource = this.byId.get(id);
    return resource?.type === type ? resource : undefined;
  }

  /** Of a type, oldest first. */
  list(type: ResourceType, order: 'create' | 'update'): readonly Resource[] {
    return this.orders.of(type)[order].list;
  }

  /** The same, also those that come until the last was asked for, and without those that go before their turn. */
  each(type: ResourceType): Iterator<Resource> {
    return this.orders.of(type).create.each();
  }

  count(type: ResourceType): number {
    return this.orders.of(type).create.size;
  }

  onChange(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether there is room for a body of so many characters, in the place of one of `replaced`. */
  hasRoom(characters: number, replaced: Resource | undefined): boolean {
    const { limits } = this;
    const more = characters - (replaced?.body.json.length ?? 0);
    return (
      (replaced !== undefined || this.byId.size < limits.resources) &&
      this.characters + more <= limits.characters
    );
  }

  /** Adds a resource, or replaces the body of the one with its id; one that is the same is confirmed. */
  put(registered: Registered): Resource {
    const { type, id, version, body, at = this.options.changes.next(), bodyAt = at } = registered;
    const known = this.byId.get(id);
    if (!known) return this.add(registered, at, bodyAt);
    if (at > known.at) known.at = at;
    const pre = known.body;
    if (pre.json === body.json && pre.apiVersion === body.apiVersion) {
      if (bodyAt > known.bodyAt) known.bodyAt = bodyAt;
      if (this.isOwn(registered)) this.confirm(known);
      return known;
    }
    known.bodyAt = bodyAt;
    known.body = body;
    known.version = version;
    known.updated = this.options.stamps.next();
    this.orders.of(type).update.toEnd(known);
    this.characters += body.json.length - pre.json.length;
    this.notify({ type, id, pre, post: body, resource: known, isOwn: this.isOwn(registered), at });
    return known;
  }

  /** Says to peers that it is there, though it has not changed. */
  private confirm(resource: Resource): void {
    const { type, id, body, at } = resource;
    this.notify({ type, id, pre: body, post: body, resource, isOwn: true, at });
  }

  /** The same of all that belongs to it too. */
  confirmTree(resource: Resource): void {
    this.confirm(resource);
    for (const child of resource.children) this.confirmTree(child);
  }

  /** Removes a resource after its children. */
  remove(resource: Resource, { isOwn, at = this.options.changes.next() }: Removal): void {
    const { parent } = resource;
    if (parent) parent.children.splice(parent.children.indexOf(resource), 1);
    this.removeTree(resource, isOwn, at);
  }

  /** A client of this registry spoke for this resource: if it is a node, it lives; in any case its home is here, and peers hear so. */
  heardOf(resource: Resource): void {
    const node = nodeOf(resource);
    const { health } = node;
    if (!health) return;
    const { instance } = this.options;
    const isOfPeer = health.home !== instance;
    if (resource.health) this.heard(resource, 0, instance);
    else health.home = instance;
    // Where it lived, it may have expired meanwhile.
    if (isOfPeer) this.confirmTree(node);
  }

  /** A node was heard of so long ago, by which registry. What is older than what is known changes nothing. */
  heard(node: Resource, ageMs: number, home: string): void {
    if (node.health && this.nowMs() - ageMs >= node.health.heardMs) this.setHealth(node, ageMs, home);
  }

  setHealth({ health }: Resource, ageMs: number, home: string): void {
    if (!health) return;
    health.heardMs = this.nowMs() - ageMs;
    health.seconds = this.options.stamps.seconds() - Math.round(ageMs / 1000);
    health.home = home;
  }

  /** Removes the nodes that were not heard of for too long, and what belongs to them; returns these nodes. */
  expire(): Resource[] {
    const { expiryMs, instance } = this.options;
    const oldestMs = this.nowMs() - expiryMs;
    const gone = this.list('node', 'create').filter(({ health }) => {
      // Of a node that speaks to a peer this registry hears later.
      const lateMs = health?.home === instance ? 0 : mostLateMs;
      return (health?.heardMs ?? 0) < oldestMs - lateMs;
    });
    for (const node of gone) this.remove(node, { isOwn: false, at: null });
    this.removals.forgetOld(this.options.changes.next());
    return gone;
  }

  /** Time in which this process could not run counts for no node. */
  excuse(ms: number): void {
    for (const { health } of this.list('node', 'create')) if (health) health.heardMs += ms;
  }

  private add(registered: Registered, at: bigint, bodyAt: bigint): Resource {
    const { type, id, version, body, parent, home } = registered;
    const { stamps } = this.options;
    const created = stamps.next();
    const health: Health | null =
      type === 'node' ? { heardMs: this.nowMs(), seconds: stamps.seconds(), home } : null;
    const resource: Resource = {
      ...{ id, type, body, version, parent, health, created, at, bodyAt },
      ...{ updated: created, children: [] },
    };
    this.byId.set(id, resource);
    parent?.children.push(resource);
    const orders = this.orders.of(type);
    orders.create.toEnd(resource);
    orders.update.toEnd(resource);
    this.characters += body.json.length;
    this.notify({ type, id, pre: null, post: body, resource, isOwn: this.isOwn(registered), at });
    return resource;
  }

  private removeTree(resource: Resource, isOwn: boolean, at: bigint | null): void {
    for (const child of resource.children.splice(0)) {
      // A peer that removed the parent may have this child without it, or in a later state: it hears that the child went too.
      const childAt = at !== null && child.at > at ? this.options.changes.next() : at;
      this.removeTree(child, at !== null, childAt);
    }
    const { id, type, body } = resource;
    this.byId.delete(id);
    if (at !== null) this.removals.remember(id, at);
    const orders = this.orders.of(type);
    orders.create.delete(resource);
    orders.update.delete(resource);
    this.characters -= body.json.length;
    this.notify({ type, id, pre: body, post: null, resource, isOwn, at: at ?? resource.at });
  }

  private isOwn({ home }: Registered): boolean {
    return home === this.options.instance;
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
