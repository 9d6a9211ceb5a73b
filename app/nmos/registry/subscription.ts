import type { WebSocket } from 'ws';
import { type GrainEvent, grainText, merged, takeEvents } from './grain';
import type { Outbox } from './outbox';
import { isWanted, type Query, shown } from './query/query';
import { translatedJson } from './query/translate';
import { type ApiVersion, pluralOf, type ResourceType } from './resource';
import type { Change, Store } from './store';

export interface SubscriptionRequest {
  type: ResourceType;
  maxUpdateRateMs: number;
  persist: boolean;
  params: Record<string, unknown>;
}

/** A subscription of the Query API, and the clients that are connected to it. */
export class Subscription {
  readonly feeds = new Set<Feed>();
  /** On the monotonic clock; since when no client is connected. */
  aloneSinceMs: number;

  constructor(
    readonly id: string,
    readonly version: ApiVersion,
    readonly request: SubscriptionRequest,
    readonly query: Query,
    nowMs: number,
  ) {
    this.aloneSinceMs = nowMs;
  }

  /** As the API shows it. */
  shown(origin: string): Record<string, unknown> {
    const { id, version, request } = this;
    const path = `/x-nmos/query/${version}/subscriptions/${id}/ws`;
    return {
      ...{ id, ws_href: `${origin.replace(/^http/, 'ws')}${path}` },
      ...{ max_update_rate_ms: request.maxUpdateRateMs, persist: request.persist, secure: false },
      ...{ resource_path: `/${pluralOf(request.type)}`, params: request.params },
      ...(version === 'v1.3' && { authorization: false }),
    };
  }

  changed({ type, id, pre, post }: Change): void {
    if (type !== this.request.type || this.feeds.size === 0 || pre === post) return;
    const event = { id, pre: shown(this.query, type, pre), post: shown(this.query, type, post) };
    if (event.pre === null && event.post === null) return;
    for (const feed of this.feeds) feed.add(event);
  }
}

/** A client that does not take what it asked for is cut off. */
const mostWaitingBytes = 4_000_000;
const stuckMs = 10_000;

export interface FeedOptions {
  socket: Pick<WebSocket, 'close'>;
  outbox: Outbox;
  subscription: Subscription;
  store: Store;
  /** Of this registry, as the source of grains. */
  sourceId: string;
  taiNow: () => string;
}

/** One client of a subscription: first all there is, then what changes, not more often than it wants. */
export class Feed {
  private readonly pending = new Map<string, GrainEvent>();
  private lastMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private takingSinceMs: number | null = null;

  constructor(private readonly options: FeedOptions) {
    const { subscription, store } = options;
    const { query, request } = subscription;
    for (const { id, body } of store.list(request.type, 'create')) {
      if (!isWanted(query, request.type, body)) continue;
      const text = translatedJson(request.type, body, query.version);
      this.pending.set(id, { id, pre: text, post: text });
    }
    this.flush();
  }

  add(event: GrainEvent): void {
    const whole = merged(this.pending.get(event.id), event);
    if (whole) this.pending.set(event.id, whole);
    else this.pending.delete(event.id);
    this.schedule();
  }

  /** Closes the connection. */
  end(): void {
    this.options.socket.close(1001, 'The subscription was deleted');
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.pending.clear();
    this.options.outbox.close();
  }

  private schedule(): void {
    if (this.timer || this.pending.size === 0) return;
    const { store, subscription } = this.options;
    const waitMs = this.lastMs + subscription.request.maxUpdateRateMs - store.options.nowMs();
    // At the end of this turn at the earliest: what one request changes goes into one message.
    this.timer = setTimeout(() => this.flush(), Math.max(0, waitMs));
  }

  private flush(): void {
    this.timer = null;
    const { outbox, subscription, store, sourceId, taiNow } = this.options;
    const nowMs = store.options.nowMs();
    if (this.pending.size === 0) return;
    if (outbox.waitingBytes > mostWaitingBytes) {
      this.takingSinceMs ??= nowMs;
      if (nowMs - this.takingSinceMs > stuckMs) outbox.end('it did not take its messages');
      else this.timer = setTimeout(() => this.flush(), Math.max(100, subscription.request.maxUpdateRateMs));
      return;
    }
    this.takingSinceMs = null;
    this.lastMs = nowMs;
    const events = takeEvents(this.pending);
    outbox.send(grainText(sourceId, subscription.id, taiNow(), subscription.request.type, events));
    this.schedule();
  }
}
