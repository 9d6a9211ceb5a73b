import { Refusal } from '../../nmos/http/reply';
import { type ApiRequest, type Method, Router } from '../../nmos/http/router';
import { mergeEntry } from '../../nmos/registry/merge';
import { addQueryApi } from '../../nmos/registry/query-api';
import { addRegistrationApi } from '../../nmos/registry/registration-api';
import { parseMessage } from '../../nmos/registry/replication/message';
import { SharedClock } from '../../nmos/registry/shared-clock';
import { Store } from '../../nmos/registry/store';
import { Subscriptions, usualSubscriptionLimits } from '../../nmos/registry/subscriptions';
import { TaiStamps } from '../../nmos/tai';
import { nmosId, nmosNode, nmosTypes } from '../nmos-resources';
import { SimulatedClock } from '../simulated-clock';
import { mutated, mutatedText } from './mutate';
import { type FuzzTarget, never, ofTexts, ofValues, target } from './target';

/** All that a client or a peer of an NMOS registry sends, behind HTTP. The registry keeps what it takes from case to case. */

const versions = ['v1.2', 'v1.3'];
const registrations = [1, 2].flatMap((number) =>
  nmosTypes.map((type) => ({ type, data: nmosNode(number)[type] })),
);

type Send = (method: Method, path: string, sent?: { query?: string; body?: unknown }) => unknown;

/** A registry with two nodes in it, and requests to it whose query and body are a text and JSON already. */
function registryOf(): { store: Store; send: Send } {
  // It stands still, so that a case is the same each time.
  const clock = new SimulatedClock();
  const stamps = new TaiStamps(clock);
  const store = new Store({
    ...{ stamps, shared: new SharedClock(clock), clock, expiryMs: 3_600_000, instance: nmosId(9, 1) },
    limits: { resources: 200, characters: 1_000_000 },
  });
  const limits = { ...usualSubscriptionLimits, subscriptions: 20 };
  const router = new Router();
  addRegistrationApi(router, store);
  addQueryApi(router, store, new Subscriptions(store, stamps, nmosId(9, 2), limits, () => undefined));
  const send: Send = (method, path, { query = '', body } = {}) => {
    const { parameters, handlerOf } = router.find(path);
    const request: ApiRequest = {
      ...{ method, path, parameters, body, headers: {} },
      query: new URLSearchParams(query),
      ...{ origin: 'http://127.0.0.1:8010', remoteAddress: '127.0.0.1', reserve: () => undefined },
    };
    const reply = handlerOf(method)?.(request);
    return reply && 'body' in reply && reply.body ? { ...reply, body: JSON.parse(reply.body) } : reply;
  };
  for (const body of registrations) send('POST', '/x-nmos/registration/v1.3/resource', { body });
  return { store, send };
}

const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.status < 504 && error.status !== 500;

const paths = [
  `resource/nodes/${nmosId(0, 1)}`,
  `resource/senders/${nmosId(4, 1)}`,
  `health/nodes/${nmosId(0, 1)}`,
];
const queries = [
  `id=${nmosId(3, 1)}&frame_width=1920&tags.studio=HQ1`,
  'paging.order=create&paging.since=0:0&paging.until=9999999999:0&paging.limit=2',
  'query.downgrade=v1.2&label=flow%201&query.rql=in(tags.location,(Salford,London))',
  'query.rql=and(eq(format,urn%253Ax-nmos%253Aformat%253Avideo),or(gt(frame_width,1280),not(eq(label,string:x))))',
  `query.ancestry_id=${nmosId(3, 1)}&query.ancestry_type=children&query.ancestry_generations=3`,
];
const subscriptionRequests = ['/nodes', '/flows'].map((path) => ({
  ...{ max_update_rate_ms: 100, persist: false, secure: false, authorization: false, resource_path: path },
  params: { 'query.downgrade': 'v1.2', 'query.rql': 'eq(label,x)', 'tags.studio': 'HQ1' },
}));
const now = '1'.padEnd(19, '0');
const messages = [
  { now, hello: { protocol: 3, instance: 'x' }, health: [[nmosId(0, 1), now, 'x']] },
  { now, changes: nmosTypes.map((type) => ['set', type, 'v1.3', nmosNode(3)[type], now, now]) },
  { now, changes: [['set', 'node', 'v1.3', nmosNode(4).node, now, now, now, now, 'x']] },
  { now, changes: [['remove', nmosId(0, 1), now]], complete: true },
  { now, changes: [['expire', nmosId(0, 2), now]] },
];

/** Each target has a registry of its own, made when it is first used, which keeps what it takes from case to case. */
const registries = new Map<string, { store: Store; send: Send }>();

function registryFor(name: string): { store: Store; send: Send } {
  const registry = registries.get(name) ?? registryOf();
  registries.set(name, registry);
  return registry;
}

export const nmosTargets: FuzzTarget[] = [
  ofValues(
    'NMOS registrations',
    registrations,
    (body) => registryFor('registrations').send('POST', '/x-nmos/registration/v1.3/resource', { body }),
    isRefused,
  ),
  target(
    'NMOS paths of registration',
    paths,
    mutatedText,
    (path) =>
      (['GET', 'POST'] as const).map((method) =>
        registryFor('paths').send(method, `/x-nmos/registration/v1.3/${path}`),
      ),
    isRefused,
  ),
  ofTexts(
    'NMOS queries',
    queries,
    (query) =>
      versions.map((version) =>
        registryFor('queries').send('GET', `/x-nmos/query/${version}/flows`, { query }),
      ),
    isRefused,
  ),
  target(
    'NMOS values of RQL',
    ['and(eq(label,x),or(in(format,(a,b)),not(gt(frame_width,1))))', 'eq(tags.studio,number:1)'],
    mutatedText,
    (text) =>
      registryFor('queries').send('GET', '/x-nmos/query/v1.3/flows', {
        query: `query.rql=${encodeURIComponent(wellFormed(text))}`,
      }),
    isRefused,
  ),
  ofValues(
    'NMOS subscriptions',
    subscriptionRequests,
    (body) => registryFor('subscriptions').send('POST', '/x-nmos/query/v1.3/subscriptions', { body }),
    isRefused,
  ),
  target(
    'NMOS messages of a peer',
    messages,
    mutated,
    (message) =>
      parseMessage(JSON.stringify(message))?.changes.map((entry) =>
        mergeEntry(registryFor('peer').store, entry),
      ),
    never,
  ),
];

/** A lone surrogate has no percent-encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
