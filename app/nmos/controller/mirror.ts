import type { Clock } from '../../protocol/clock';
import { type CollectionFigures, CollectionMirror, type MirrorState } from './collection-mirror';
import type { QueryApi } from './query-api';
import type { SeenResources, SeenType } from './resources';
import type { RestClient } from './rest-client';

export interface MirrorOptions<Type extends SeenType> {
  client: RestClient;
  clock: Clock;
  query: QueryApi;
  types: readonly Type[];
  /** Attributes that every resource must have. */
  params?: Readonly<Record<string, string>>;
  /** Between two messages of the registry for each type; usual: 100, and 0 if the time until it is complete is measured. */
  maxUpdateRateMs?: number;
  /** The most resources of one type. */
  mostResources?: number;
  /** What changed since the last call. */
  onChange?: (changes: MirrorChanges<Type>) => void;
  /** The worst of its types. */
  onState?: (state: MirrorState) => void;
  /** Between two calls of onChange; usual: 250. */
  batchMs?: number;
  firstBackOffMs?: number;
  longestBackOffMs?: number;
}

export type MirrorChanges<Type extends SeenType> = {
  [One in Type]?: { set: SeenResources[One][]; removed: string[] };
};

export interface MirrorFigures extends Omit<CollectionFigures, 'leftOut'> {
  resources: number;
  /** Cannot be used; `leftOutFirst` says what is wrong with the first. */
  leftOut: number;
  leftOutFirst: string | null;
}

const usualRateMs = 100;
const usualBatchMs = 250;
const worstFirst = ['lost', 'connecting', 'filling', 'complete'] as const;

type Collections<Type extends SeenType> = { [One in Type]: CollectionMirror<One> };

/**
 * Some collections of a Query API as they are, held by a subscription each. Where a subscription is lost, what it had stays and is
 * compared with the registry when that is back. It ends with `close` alone.
 */
export class ResourceMirror<Type extends SeenType> {
  private readonly collections: Collections<Type>;
  private readonly states = new Map<Type, MirrorState>();
  private state: MirrorState = { is: 'connecting' };
  private changed = new Map<Type, Set<string>>();
  /** Ends the wait for the next batch; null: none is waited for. */
  private stopBatch: (() => void) | null = null;
  private isClosed = false;

  constructor(private readonly options: MirrorOptions<Type>) {
    const entries = options.types.map((type) => [type, this.collect(type)]);
    this.collections = Object.fromEntries(entries);
  }

  get now(): MirrorState {
    return this.state;
  }

  all<One extends Type>(type: One): ReadonlyMap<string, SeenResources[One]> {
    return this.collections[type].resources;
  }

  /** Of all its types together; `syncedMs` is that of the last. */
  figures(): MirrorFigures {
    const each = this.options.types.map((type) => this.collections[type]);
    const sum = (of: (one: CollectionMirror<Type>) => number): number =>
      each.reduce((total, one) => total + of(one), 0);
    const synced = each.map(({ figures }) => figures.syncedMs);
    return {
      messages: sum(({ figures }) => figures.messages),
      bytes: sum(({ figures }) => figures.bytes),
      losses: sum(({ figures }) => figures.losses),
      resources: sum(({ resources }) => resources.size),
      leftOut: sum(({ figures }) => figures.leftOut.count),
      leftOutFirst: each.find(({ figures }) => figures.leftOut.first !== null)?.figures.leftOut.first ?? null,
      syncedMs: synced.includes(null) ? null : Math.max(...synced.map((ms) => ms ?? 0)),
    };
  }

  /** Nothing is said any more from here on. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stopBatch?.();
    await Promise.all(this.options.types.map((type) => this.collections[type].close()));
  }

  private collect<One extends Type>(type: One): CollectionMirror<One> {
    const { client, clock, query, params, mostResources, maxUpdateRateMs = usualRateMs } = this.options;
    const { firstBackOffMs, longestBackOffMs } = this.options;
    return new CollectionMirror({
      ...{ client, clock, query, type, params, mostResources, maxUpdateRateMs },
      ...{ firstBackOffMs, longestBackOffMs },
      onState: (state) => this.enter(type, state),
      onChange: (ids) => this.note(type, ids),
    });
  }

  private enter(type: Type, state: MirrorState): void {
    this.states.set(type, state);
    const states = this.options.types.map((one) => this.states.get(one) ?? { is: 'connecting' as const });
    const worst = worstFirst.map((is) => states.find((one) => one.is === is)).find(Boolean);
    if (!worst || this.isClosed) return;
    const isSame = worst.is === this.state.is && worst.is !== 'lost';
    this.state = worst;
    if (isSame) return;
    // Who hears that all is there has heard of all.
    if (worst.is === 'complete') this.flush();
    this.options.onState?.(worst);
  }

  private note(type: Type, ids: readonly string[]): void {
    if (!this.options.onChange || this.isClosed) return;
    const changed = this.changed.get(type) ?? new Set();
    this.changed.set(type, changed);
    for (const id of ids) changed.add(id);
    const { clock, batchMs = usualBatchMs } = this.options;
    this.stopBatch ??= clock.after(batchMs, () => this.flush());
  }

  private flush(): void {
    this.stopBatch?.();
    this.stopBatch = null;
    if (this.changed.size === 0) return;
    const changes: MirrorChanges<Type> = {};
    for (const [type, ids] of this.changed) this.fill(changes, type, ids);
    this.changed = new Map();
    this.options.onChange?.(changes);
  }

  private fill<One extends Type>(changes: MirrorChanges<Type>, type: One, ids: Iterable<string>): void {
    const held = this.all(type);
    const set: SeenResources[One][] = [];
    const removed: string[] = [];
    for (const id of ids) {
      const resource = held.get(id);
      if (resource) set.push(resource);
      else removed.push(id);
    }
    changes[type] = { set, removed };
  }
}
