import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import type { TaiStamps } from '../tai';
import { Departures } from './departures';
import { Dormant } from './dormant';
import { type DepartureEntry, type Heard, type Life, setText } from './entry';
import { Orders } from './orders';
import { type Body, type Health, nodeOf, type Resource, type ResourceType } from './resource';
import type { SharedClock } from './shared-clock';

/** A resource that came, changed (both bodies) or went. */
export interface Change {
  type: ResourceType;
  id: string;
  pre: Body | null;
  post: Body | null;
  /** The resource after the change, or as it was before it went. */
  resource: Resource;
}

/** A change for the snapshot and for peers. An expired node is one change; what it took with it is none. */
export interface Logged {
  what: { kind: 'set'; resource: Resource } | DepartureEntry;
  /** Whether a client or the clock of this registry caused it, not a peer. */
  isOwn: boolean;
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
  /** Whether a client of this registry registers it, not a peer. */
  isOwn: boolean;
  /** When a client last registered it, and when with this body; default: now. */
  at?: bigint;
  bodyAt?: bigint;
  /** Of a node that is new here; default: it was heard of now. */
  life?: Life | null;
}

/** Who removes a resource, and when; default: now. */
export interface Removal {
  isOwn: boolean;
  at?: bigint;
}

/** How long a peer may take to say that a node was heard of. */
const mostLateMs = 3000;
/** A smaller difference between two clocks is the delay of a message. */
const jumpNs = 1_000_000_000n;

export interface StoreOptions {
  stamps: TaiStamps;
  /** Dates changes, in one order with those of peers. */
  shared: SharedClock;
  clock: Clock;
  /** How long a node is kept without a heartbeat (IS-04 Behaviour – Registration, "Heartbeating"). */
  expiryMs: number;
  /** This registry, among its peers. */
  instance: string;
  /** Whether the registry to which a node spoke is unreachable, so that other peers may lack what the node registered there. */
  isLostTo?: (home: string) => boolean;
  limits?: StoreLimits;
}

/** All resources of a registry. It trusts what it is given: bodies are valid, parents are there. */
export class Store {
  private readonly byId = new Map<string, Resource>();
  private readonly orders = new Orders();
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly logListeners = new Set<(logged: Logged) => void>();
  private readonly jumpListeners = new Set<() => void>();
  readonly departures = new Departures();
  readonly dormant = new Dormant();
  private readonly unconfirmed = new Set<Resource>();
  /** Until this date, a peer knows our clock; null: no peer has connected yet. */
  private agreedAt: bigint | null = null;
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

  onLog(listener: (logged: Logged) => void): () => void {
    this.logListeners.add(listener);
    return () => this.logListeners.delete(listener);
  }

  /** Called after the shared clock jumped forward and dates changed. */
  onJump(listener: () => void): () => void {
    this.jumpListeners.add(listener);
    return () => this.jumpListeners.delete(listener);
  }

  /** Sets the shared clock forward to that of a peer, and moves the dates that no peer has seen by as much. */
  agreeOn(peerNow: bigint): void {
    const { shared } = this.options;
    const byNs = shared.reach(peerNow);
    if (byNs >= jumpNs) {
      const after = this.agreedAt ?? -1n;
      const moved = (date: bigint): bigint => (date > after ? date + byNs : date);
      for (const resource of this.byId.values()) {
        resource.at = moved(resource.at);
        resource.bodyAt = moved(resource.bodyAt);
        const { health } = resource;
        if (health) Object.assign(health, { heardAt: moved(health.heardAt), bornAt: moved(health.bornAt) });
      }
      this.departures.shift(after, byNs);
      for (const listener of this.jumpListeners) listener();
    }
    this.agreedAt = shared.now();
  }

  /** Whether there is room for a body of this length, instead of that of `replaced`. */
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
    const { type, id, version, body, isOwn, at = this.options.shared.next(), bodyAt = at } = registered;
    const known = this.byId.get(id);
    if (!known) {
      // A new node registers all its resources itself.
      if (isOwn) this.dormant.take(id);
      return this.add(registered, at, bodyAt);
    }
    if (at > known.at) known.at = at;
    const pre = known.body;
    if (pre.json === body.json && pre.apiVersion === body.apiVersion) {
      if (bodyAt > known.bodyAt) known.bodyAt = bodyAt;
      this.log({ what: { kind: 'set', resource: known }, isOwn });
      return known;
    }
    known.bodyAt = bodyAt;
    known.body = body;
    known.version = version;
    known.updated = this.options.stamps.next();
    this.orders.of(type).update.toEnd(known);
    this.characters += body.json.length - pre.json.length;
    this.notify({ type, id, pre, post: body, resource: known });
    this.log({ what: { kind: 'set', resource: known }, isOwn });
    return known;
  }

  /** Notes that a client registered it again at a peer; the body here is the same or newer. */
  confirmAt(resource: Resource, at: bigint): void {
    if (at <= resource.at) return;
    resource.at = at;
    this.log({ what: { kind: 'set', resource }, isOwn: false });
  }

  /** Sends it and all below it to peers with the next `confirm`, though nothing changed. */
  confirmTree(resource: Resource): void {
    this.unconfirmed.add(resource);
  }

  /** Called once per message, because each of its entries may ask for the same tree. */
  confirm(): void {
    for (const top of this.unconfirmed)
      if (this.byId.get(top.id) === top)
        for (const resource of treeOf(top)) this.log({ what: { kind: 'set', resource }, isOwn: true });
    this.unconfirmed.clear();
  }

  /** Removes a resource after its children. */
  remove(resource: Resource, { isOwn, at = this.options.shared.next() }: Removal): void {
    this.detach(resource);
    this.removeTree(resource, isOwn, at);
  }

  /** Notes the removal of a resource that is not here; a peer may hold it. */
  removeUnknown(id: string): void {
    this.rememberDeparture({ kind: 'remove', id, at: this.options.shared.next() }, true);
  }

  /** Removes a node and all below it, because nothing was heard of it since that date. */
  expireNode(node: Resource, isOwn: boolean, at = aliveAt(node)): void {
    this.dormant.keep(node.id, treeOf(node).map(setText));
    this.expireTree(node, at);
    this.log({ what: { kind: 'expire', id: node.id, at }, isOwn });
  }

  /** Returns whether it was unknown. */
  rememberDeparture(departure: DepartureEntry, isOwn: boolean): boolean {
    const isNews = this.departures.remember(departure);
    if (isNews) this.log({ what: departure, isOwn });
    return isNews;
  }

  /** A client of this registry registered it or sent its heartbeat: a node is alive, and its home is this registry. */
  heardOf(resource: Resource): void {
    const { instance, shared, isLostTo } = this.options;
    const node = nodeOf(resource);
    const home = node.health?.home ?? instance;
    if (resource.health) this.heard(resource, { heardAt: shared.now(), home: instance });
    if (node.health) node.health.home = instance;
    if (home === instance || !isLostTo?.(home)) return;
    this.confirmTree(node);
    this.confirm();
  }

  /** Notes when a node was last heard of; an older date changes nothing. */
  heard({ health }: Resource, { heardAt, home }: Heard): void {
    if (!health || heardAt < health.heardAt) return;
    const { heardMs, seconds } = this.timesOf(heardAt);
    Object.assign(health, { heardAt, home, seconds, heardMs: Math.max(health.heardMs, heardMs) });
  }

  /** Notes when the present life of a node began, and removes what belongs to an earlier one. */
  bornAgain(node: Resource, bornAt: bigint): void {
    if (!node.health || bornAt <= node.health.bornAt) return;
    node.health.bornAt = bornAt;
    this.removeBelow(node, bornAt - 1n);
    // The peer may have dropped what stays here.
    if (node.children.length > 0) this.confirmTree(node);
  }

  /**
   * Removes the resources below this one that were last registered up to this date. A parent stays if one of its children is newer, because
   * a child is registered only with its parent.
   */
  removeBelow(parent: Resource, at: bigint): void {
    for (const child of [...parent.children]) {
      const latest = latestBelow(child);
      if (latest <= at) this.remove(child, { isOwn: false, at });
      else {
        this.confirmAt(child, latest);
        this.removeBelow(child, at);
      }
    }
  }

  get isAgreed(): boolean {
    return this.agreedAt !== null;
  }

  /**
   * Call it once the snapshot is read: the clock goes on from where it ended, and nodes have the whole expiry from now on.
   * @param aheadNs how far its clock was ahead of this machine's
   * @param latest the latest date that was read
   */
  resume(aheadNs: bigint, latest: bigint, isAgreed: boolean): void {
    this.options.shared.resume(aheadNs, latest);
    this.agreedAt = isAgreed ? latest : null;
    for (const { health } of this.list('node', 'create')) if (health) health.heardMs = this.nowMs();
  }

  private timesOf(heardAt: bigint): Pick<Health, 'heardMs' | 'seconds'> {
    const ageMs = Math.max(0, Number(this.options.shared.now() - heardAt) / 1e6);
    const seconds = this.options.stamps.seconds() - Math.round(ageMs / 1000);
    return { heardMs: this.nowMs() - ageMs, seconds };
  }

  /** Removes the nodes that were not heard of for too long, and what belongs to them; returns these nodes. */
  expire(): Resource[] {
    const { expiryMs, instance } = this.options;
    const oldestMs = this.nowMs() - expiryMs;
    const gone = this.list('node', 'create').filter(({ health }) => {
      // This registry hears later of a node whose heartbeats go to a peer.
      const lateMs = health?.home === instance ? 0 : mostLateMs;
      return (health?.heardMs ?? 0) < oldestMs - lateMs;
    });
    for (const node of gone) this.expireNode(node, true);
    return gone;
  }

  /** Time in which this process could not run counts for no node. */
  excuse(ms: number): void {
    const { instance, shared } = this.options;
    const [nowMs, now] = [this.nowMs(), shared.now()];
    for (const { health } of this.list('node', 'create')) {
      if (!health) continue;
      // Never later than now: a peer refuses dates in its future.
      health.heardMs = Math.min(nowMs, health.heardMs + ms);
      const excusedAt = health.heardAt + BigInt(Math.round(ms * 1e6));
      // Its heartbeats wait unread in our sockets. Other nodes speak to a peer, which knows better.
      if (health.home === instance) health.heardAt = excusedAt < now ? excusedAt : now;
    }
  }

  private add(registered: Registered, at: bigint, bodyAt: bigint): Resource {
    const { type, id, version, body, parent, isOwn, life } = registered;
    const { stamps, instance, shared } = this.options;
    const created = stamps.next();
    const known = life ?? { heardAt: shared.now(), home: instance, bornAt: at };
    const health = type === 'node' ? { ...known, ...this.timesOf(known.heardAt) } : null;
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
    this.notify({ type, id, pre: null, post: body, resource });
    this.log({ what: { kind: 'set', resource }, isOwn });
    return resource;
  }

  private detach(resource: Resource): void {
    const siblings = resource.parent?.children;
    siblings?.splice(siblings.indexOf(resource), 1);
  }

  private removeTree(resource: Resource, isOwn: boolean, at: bigint): void {
    // A peer may hold a later state of this child, so the removal of each child is sent.
    for (const child of resource.children.splice(0))
      this.removeTree(child, true, child.at > at ? this.options.shared.next() : at);
    this.drop(resource);
    const departure = { kind: 'remove' as const, id: resource.id, at };
    this.departures.remember(departure);
    this.log({ what: departure, isOwn });
  }

  private expireTree(resource: Resource, at: bigint): void {
    for (const child of resource.children.splice(0)) this.expireTree(child, at);
    this.drop(resource);
    // A child's own date never decides. It is noted so that the same child from a peer is not taken for an error.
    this.departures.remember({ kind: 'expire', id: resource.id, at: resource.health ? at : 0n });
  }

  private drop(resource: Resource): void {
    const { id, type, body } = resource;
    this.byId.delete(id);
    const orders = this.orders.of(type);
    orders.create.delete(resource);
    orders.update.delete(resource);
    this.characters -= body.json.length;
    this.notify({ type, id, pre: body, post: null, resource });
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  private log(logged: Logged): void {
    for (const listener of this.logListeners) listener(logged);
  }
}

/** When a node last registered or sent a heartbeat; ns of the shared clock. */
export function aliveAt({ at, health }: Resource): bigint {
  return health && health.heardAt > at ? health.heardAt : at;
}

/** When a resource, or anything below it, was last registered. */
export function latestBelow(resource: Resource): bigint {
  let latest = resource.at;
  for (const child of resource.children) {
    const below = latestBelow(child);
    if (below > latest) latest = below;
  }
  return latest;
}

/** A resource, then all below it. */
function treeOf(resource: Resource): Resource[] {
  return [resource, ...resource.children.flatMap(treeOf)];
}
