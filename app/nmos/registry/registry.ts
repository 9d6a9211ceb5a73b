import { randomUUID } from 'node:crypto';
import type { Clock } from '../../protocol/clock';
import type { Log } from '../http/bounded-log';
import { Router } from '../http/router';
import { type HttpLimits, type HttpServer, listen } from '../http/server';
import { TaiStamps } from '../tai';
import { Journal } from './journal';
import { addQueryApi } from './query-api';
import { addRegistrationApi } from './registration-api';
import { Feeds } from './replication/feeds';
import { replicationPath } from './replication/message';
import { Peer } from './replication/peer';
import { SharedClock } from './shared-clock';
import { SnapshotFile } from './snapshot-file';
import { Store, type StoreLimits } from './store';
import { type SubscriptionLimits, Subscriptions, usualSubscriptionLimits } from './subscriptions';
import { addSystemApi, type SystemParameters, usualSystem } from './system-api';

/** A registry of NMOS: Registration and Query API of IS-04 v1.2 and v1.3, System API of IS-09 v1.0, at one port. */

export interface RegistryOptions {
  hosts: readonly string[];
  /** 0 takes one that is free. */
  port: number;
  /** How long a node is kept without a heartbeat; 12 s in IS-04. */
  expirySeconds: number;
  system?: SystemParameters;
  /** A file that keeps what is held over restarts. */
  snapshot?: string;
  log?: Log;
  httpLimits?: Partial<HttpLimits>;
  subscriptionLimits?: Partial<SubscriptionLimits>;
  storeLimits?: StoreLimits;
  clock: Clock;
}

export interface Registry {
  readonly store: Store;
  readonly http: HttpServer;
  /**
   * Holds from now on what the registry at that URL holds; that the other way is for it to do.
   * @throws WhitelineError for what is no URL of a registry
   */
  addPeer(url: string): void;
  close(): Promise<void>;
}

export const usualExpirySeconds = 12;

/** Of nodes that expire together. */
const mostNamed = 5;
/** Between two looks for nodes that expired. */
const lookMs = 500;

/** @throws WhitelineError for hosts, ports and system parameters that cannot be used */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { clock, log = () => {} } = options;
  const stamps = new TaiStamps(clock);
  const peers: Peer[] = [];
  const store = new Store({
    // Peers alone know the instance; subscribers are given another id.
    ...{ stamps, instance: randomUUID(), shared: new SharedClock(clock), clock },
    expiryMs: options.expirySeconds * 1000,
    isLostTo: (home) => {
      const followed = peers.map((peer) => peer.followed);
      return !followed.includes(home) && followed.some((instance) => instance !== null);
    },
    limits: options.storeLimits,
  });
  const journal =
    options.snapshot === undefined
      ? null
      : await Journal.open(await SnapshotFile.open(options.snapshot), store, log);
  const router = new Router();
  router.list('/', ['x-nmos']);
  router.list('/x-nmos', ['query', 'registration', 'system']);
  addRegistrationApi(router, store);
  addSystemApi(router, options.system ?? usualSystem);
  const limits = { ...usualSubscriptionLimits, ...options.subscriptionLimits };
  const subscriptions = new Subscriptions(store, stamps, randomUUID(), limits, log);
  addQueryApi(router, store, subscriptions);
  // A peer knows a registry by the address at which it listens.
  const from = options.hosts.length === 1 ? options.hosts[0] : undefined;
  const feeds = new Feeds(store, log, () => peers);
  const stopExpiry = expireRegularly(store, log);
  const stop = async (): Promise<void> => {
    stopExpiry();
    for (const peer of peers) peer.close();
    feeds.close();
    subscriptions.close();
    await journal?.close();
  };
  try {
    const http = await listen({
      ...{ hosts: options.hosts, port: options.port, router, clock, log, limits: options.httpLimits },
      onUpgrade: (request, socket, head) =>
        (request.url === replicationPath ? feeds : subscriptions).upgrade(request, socket, head),
    });
    return {
      ...{ store, http },
      addPeer: (url) => peers.push(new Peer(url, store, log, () => peers, from)),
      close: async () => {
        await http.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function expireRegularly(store: Store, log: Log): () => void {
  let lastMs = store.nowMs();
  return store.options.clock.every(lookMs, () => {
    const lateMs = store.nowMs() - lastMs - lookMs;
    lastMs = store.nowMs();
    // Heartbeats that came meanwhile have not been read yet.
    if (lateMs > lookMs) store.excuse(lateMs);
    const gone = store.expire();
    const ids = gone.slice(0, mostNamed).map(({ id }) => id);
    const others = gone.length > ids.length ? ` and ${gone.length - ids.length} more` : '';
    if (ids.length > 0)
      log(`expired after ${store.options.expiryMs / 1000} s without a heartbeat: ${ids.join(', ')}${others}`);
  });
}
