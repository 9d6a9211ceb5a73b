import { isWanted, type Query } from './query/query';
import type { Seen } from './query/translate';
import { type ApiVersion, type Body, pluralOf, type Resource, type ResourceType } from './resource';
import type { Feed } from './subscription-feed';

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
  /** It does not change. */
  readonly updated: bigint;

  constructor(
    readonly id: string,
    readonly version: ApiVersion,
    readonly request: SubscriptionRequest,
    readonly query: Query,
    readonly created: bigint,
    nowMs: number,
  ) {
    this.updated = created;
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

  /** Whether changes of that type are for any client of it. */
  hears(type: ResourceType): boolean {
    return type === this.request.type && this.feeds.size > 0;
  }

  /** @param seen the bodies before and after; several subscriptions share them */
  changed(resource: Resource, seen: { pre: Seen | null; post: Seen | null }): void {
    const difference = { pre: this.wanted(seen.pre), post: this.wanted(seen.post), isBack: false };
    if (difference.pre === null && difference.post === null) return;
    for (const feed of this.feeds) feed.changed(resource, difference);
  }

  private wanted(seen: Seen | null): Body | null {
    return seen && isWanted(this.query, seen) ? seen.body : null;
  }
}
