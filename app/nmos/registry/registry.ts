import { randomUUID } from 'node:crypto';
import type { Log } from '../http/bounded-log';
import { Router } from '../http/router';
import { type HttpLimits, type HttpServer, listen } from '../http/server';
import { TaiStamps } from '../tai';
import { addQueryApi } from './query-api';
import { addRegistrationApi } from './registration-api';
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
  log?: Log;
  httpLimits?: Partial<HttpLimits>;
  subscriptionLimits?: Partial<SubscriptionLimits>;
  storeLimits?: StoreLimits;
  /** Clocks in ms: one that only goes forward, and UTC since 1970. */
  clocks?: { nowMs: () => number; wallMs: () => number };
}

export interface Registry {
  readonly store: Store;
  readonly http: HttpServer;
  close(): Promise<void>;
}

export const usualExpirySeconds = 12;

/** Between two looks for nodes that expired. */
const lookMs = 500;

/** @throws WhitelineError for hosts, ports and system parameters that cannot be used */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { clocks = { nowMs: () => performance.now(), wallMs: Date.now }, log = () => undefined } = options;
  const stamps = new TaiStamps(clocks.wallMs);
  const instance = randomUUID();
  const store = new Store({
    ...{ stamps, instance, nowMs: clocks.nowMs },
    expiryMs: options.expirySeconds * 1000,
    limits: options.storeLimits,
  });
  const router = new Router();
  router.list('/', ['x-nmos']);
  router.list('/x-nmos', ['query', 'registration', 'system']);
  addRegistrationApi(router, store);
  addSystemApi(router, options.system ?? usualSystem);
  const limits = { ...usualSubscriptionLimits, ...options.subscriptionLimits };
  const subscriptions = new Subscriptions(store, stamps, instance, limits, log);
  addQueryApi(router, store, subscriptions);
  const stopExpiry = expireRegularly(store, clocks.nowMs, log);
  const stop = (): void => {
    stopExpiry();
    subscriptions.close();
  };
  try {
    const http = await listen({
      ...{ hosts: options.hosts, port: options.port, router, log, limits: options.httpLimits },
      onUpgrade: (request, socket, head) => subscriptions.upgrade(request, socket, head),
    });
    const close = async (): Promise<void> => {
      stop();
      await http.close();
    };
    return { store, http, close };
  } catch (error) {
    stop();
    throw error;
  }
}

function expireRegularly(store: Store, nowMs: () => number, log: Log): () => void {
  let lastMs = nowMs();
  const timer = setInterval(() => {
    const late = nowMs() - lastMs - lookMs;
    lastMs = nowMs();
    // Heartbeats that came meanwhile have not been read yet.
    if (late > lookMs) store.excuse(late);
    const gone = store.expire();
    if (gone > 0) log(`${gone} nodes expired: no heartbeat for ${store.options.expiryMs / 1000} s`);
  }, lookMs);
  return () => clearInterval(timer);
}
