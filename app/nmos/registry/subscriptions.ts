import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { boundedLog, type Log } from '../http/bounded-log';
import { Refusal } from '../http/reply';
import { refuseNoWebSockets, refuseUpgrade } from '../http/server';
import { lookRegularly } from '../regular-look';
import { validate } from '../schemas/schemas';
import { type TaiStamps, taiText } from '../tai';
import { Outboxes } from './outbox';
import { parseQuery, unsupported } from './query/query';
import { Seen } from './query/translate';
import { type ApiVersion, isApiVersion, typeOfPlural } from './resource';
import { Slices } from './slices';
import type { Change, Store } from './store';
import { Subscription, type SubscriptionRequest } from './subscription';
import { Feed } from './subscription-feed';

export interface SubscriptionLimits {
  subscriptions: number;
  /** Clients of all subscriptions. */
  sockets: number;
  /** How long a subscription that is not persistent stays without a client. */
  aloneMs: number;
  /** Between two pings; a client that answers none until the next is cut. */
  pingMs: number;
  /** That all clients together have not taken yet. */
  waitingBytes: number;
}

export const usualSubscriptionLimits: SubscriptionLimits = {
  ...{ subscriptions: 1000, sockets: 1000, aloneMs: 30_000, pingMs: 15_000 },
  waitingBytes: 200_000_000,
};

const longestRateMs = 3_600_000;
const longestRequest = 10_000;
const pathPattern = /^\/x-nmos\/query\/(v\d+\.\d+)\/subscriptions\/([\da-f-]{36})\/ws\/?$/;

/** All subscriptions of the Query API (IS-04 Behaviour – Querying, "Subscriptions"). */
export class Subscriptions {
  private readonly byId = new Map<string, Subscription>();
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 4096, clientTracking: true });
  private readonly outboxes: Outboxes;
  private readonly slices: Slices;
  private isWorking = false;
  /** That no subscription has heard of yet. */
  private changes: Change[] = [];
  /** With something to do. */
  private readonly awake = new Set<Feed>();
  private readonly silent = new Set<WebSocket>();
  private readonly endPings: () => void;
  private readonly log: Log;
  private readonly stopListening: () => void;

  constructor(
    private readonly store: Store,
    private readonly stamps: TaiStamps,
    private readonly sourceId: string,
    private readonly limits: SubscriptionLimits,
    log: Log,
  ) {
    const { clock } = store.options;
    this.slices = new Slices(clock);
    this.log = boundedLog(log, clock);
    this.outboxes = new Outboxes(limits.waitingBytes);
    refuseNoWebSockets(this.server);
    this.stopListening = store.onChange((change) => {
      if (this.server.clients.size === 0 || change.pre === change.post) return;
      this.changes.push(change);
      this.goOn();
    });
    this.endPings = lookRegularly(clock, limits.pingMs, () => this.pingAll());
  }

  /**
   * A subscription with these attributes, or the one there is.
   * @throws Refusal 400, 501, 503
   */
  request(version: ApiVersion, body: unknown): { subscription: Subscription; isNew: boolean } {
    const request = readRequest(version, body);
    const query = parseQuery(version, textsOf(request.params));
    const alike = JSON.stringify(request);
    if (alike.length > longestRequest)
      throw new Refusal(
        413,
        `Expected params of at most ${longestRequest} characters but received longer ones`,
      );
    for (const subscription of this.list(version))
      if (JSON.stringify(subscription.request) === alike) return { subscription, isNew: false };
    this.removeAbandoned();
    if (this.byId.size >= this.limits.subscriptions)
      throw new Refusal(
        503,
        `There are ${this.byId.size} subscriptions already, the most that this registry allows`,
      );
    const subscription = new Subscription(
      ...([randomUUID(), version, request, query, this.stamps.next(), this.nowMs()] as const),
    );
    this.byId.set(subscription.id, subscription);
    return { subscription, isNew: true };
  }

  list(version: ApiVersion): Subscription[] {
    this.removeAbandoned();
    return [...this.byId.values()].filter((one) => one.version === version);
  }

  /** @throws Refusal 404, 409 */
  get(version: ApiVersion, id: string): Subscription {
    this.removeAbandoned();
    const found = this.byId.get(id);
    if (!found) throw new Refusal(404, `There is no subscription ${id.slice(0, 40)}`);
    if (found.version !== version) {
      const location = `/x-nmos/query/${found.version}/subscriptions/${id}`;
      throw new Refusal(409, `The subscription ${id} belongs to ${found.version}`, null, {
        Location: location,
      });
    }
    return found;
  }

  /** @throws Refusal 403 for one that is not persistent, 404, 409 */
  delete(version: ApiVersion, id: string): void {
    const subscription = this.get(version, id);
    if (!subscription.request.persist)
      throw new Refusal(403, `The subscription ${id} is not persistent: it ends with its last client`);
    this.byId.delete(id);
    for (const feed of subscription.feeds) feed.end();
  }

  /** Connects a client to the subscription that the path names. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      const [, version, id = ''] = pathPattern.exec((request.url ?? '').split('?')[0] ?? '') ?? [];
      if (!isApiVersion(version)) throw new Refusal(404, 'There is no WebSocket at this path');
      const subscription = this.get(version, id);
      if (this.server.clients.size >= this.limits.sockets)
        throw new Refusal(
          503,
          `There are ${this.server.clients.size} WebSockets already, the most that this registry allows`,
        );
      this.server.handleUpgrade(request, socket, head, (client) => this.serve(client, subscription));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.log(`WebSocket ${(request.url ?? '').slice(0, 200)}: ${error.status} ${error.message}`);
      refuseUpgrade(socket, error);
    }
  }

  close(): void {
    this.endPings();
    this.stopListening();
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private serve(socket: WebSocket, subscription: Subscription): void {
    const outbox = this.outboxes.open(socket, (why) => {
      this.log(`disconnected a client of subscription ${subscription.id}: ${why}`);
      socket.terminate();
    });
    const feed = new Feed({
      ...{ socket, outbox, subscription, store: this.store, sourceId: this.sourceId },
      taiNow: () => taiText(this.stamps.next()),
      wake: (one) => {
        this.awake.add(one);
        this.goOn();
      },
    });
    subscription.feeds.add(feed);
    socket.on('pong', () => this.silent.delete(socket));
    socket.on('error', () => socket.terminate());
    socket.once('close', () => {
      feed.close();
      this.awake.delete(feed);
      this.silent.delete(socket);
      subscription.feeds.delete(feed);
      subscription.aloneSinceMs = this.nowMs();
    });
  }

  private goOn(): void {
    if (this.isWorking) return;
    this.isWorking = true;
    void this.slices.later(this.work());
  }

  /** Each change goes to all before anyone's next step, so that what a step reads from the store comes after all changes until then. */
  private *work(): Generator<void> {
    for (;;) {
      for (const change of this.changes.splice(0)) {
        const { type, pre, post, resource } = change;
        const seen = { pre: pre && new Seen(type, pre), post: post && new Seen(type, post) };
        for (const subscription of this.byId.values()) {
          if (!subscription.hears(type)) continue;
          this.attempt(subscription, subscription.feeds, () => subscription.changed(resource, seen));
          yield;
        }
      }
      if (this.changes.length > 0) continue;
      const [feed] = this.awake;
      if (!feed) break;
      this.awake.delete(feed);
      this.attempt(feed.subscription, [feed], () => {
        if (feed.step()) this.awake.add(feed);
      });
      yield;
    }
    this.isWorking = false;
  }

  /** A fault of our own costs the clients that it concerns their connection, and no other its messages: they ask for all there is again. */
  private attempt({ id }: Subscription, feeds: Iterable<Feed>, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.log(`subscription ${id}: ${String(error)}`);
      for (const feed of feeds) feed.cut('its messages could not be made');
    }
  }

  private pingAll(): void {
    for (const client of this.server.clients) {
      if (this.silent.has(client)) client.terminate();
      else {
        this.silent.add(client);
        client.ping();
      }
    }
    this.removeAbandoned();
  }

  private removeAbandoned(): void {
    const oldestMs = this.nowMs() - this.limits.aloneMs;
    for (const { id, request, feeds, aloneSinceMs } of this.byId.values())
      if (!request.persist && feeds.size === 0 && aloneSinceMs < oldestMs) this.byId.delete(id);
  }

  private nowMs(): number {
    return this.store.nowMs();
  }
}

function readRequest(version: ApiVersion, body: unknown): SubscriptionRequest {
  const failure = validate('is-04', version, 'queryapi-subscriptions-post-request', body ?? null);
  if (failure) throw new Refusal(400, failure.text);
  const {
    max_update_rate_ms: maxUpdateRateMs,
    persist,
    secure,
    authorization,
    ...rest
  } = body as {
    max_update_rate_ms: number;
    persist: boolean;
    secure?: boolean;
    authorization?: boolean;
    resource_path: string;
    params: Record<string, unknown>;
  };
  if (maxUpdateRateMs < 0 || maxUpdateRateMs > longestRateMs) {
    const expected = `Expected 0 to ${longestRateMs} for /max_update_rate_ms`;
    throw new Refusal(400, `${expected} but received ${maxUpdateRateMs}`);
  }
  if (secure === true)
    throw new Refusal(400, 'Expected false for /secure but received true: this API is HTTP');
  if (authorization === true)
    throw new Refusal(400, 'Expected false for /authorization but received true: this API has none');
  const type = typeOfPlural(rest.resource_path.slice(1));
  if (!type) throw new Refusal(400, `There is no collection ${rest.resource_path}`);
  return { type, maxUpdateRateMs, persist, params: rest.params };
}

/** @throws Refusal 400, 501 */
function textsOf(params: Record<string, unknown>): [string, string][] {
  return Object.entries(params).map(([name, value]) => {
    if (/^paging\./.test(name)) throw unsupported(name);
    if (typeof value === 'object')
      throw new Refusal(400, `Expected a text for /params/${name} but received ${JSON.stringify(value)}`);
    return [name, String(value)];
  });
}
