import { json, noContent, Refusal, type Reply, serialized } from '../http/reply';
import type { ApiRequest, Router } from '../http/router';
import { readAncestry, relativesOf } from './query/ancestry';
import { type Page, type Paging, pageOf, pagingHeaders, readPaging } from './query/paging';
import { isWanted, onlyOnce, parseQuery, shown, unsupported } from './query/query';
import { Seen, translatedJson } from './query/translate';
import { type ApiVersion, apiVersions, pluralOf, type ResourceType, resourceTypes } from './resource';
import { Slices } from './slices';
import type { Store } from './store';
import type { Subscriptions } from './subscriptions';

/** The Query API of IS-04 v1.2 and v1.3. */

export const queryBase = '/x-nmos/query';

export function addQueryApi(router: Router, store: Store, subscriptions: Subscriptions): void {
  const slices = new Slices(store.options.clock);
  router.list(queryBase, apiVersions);
  for (const version of apiVersions) {
    const root = `${queryBase}/${version}`;
    router.list(root, [...resourceTypes.map(pluralOf), 'subscriptions']);
    for (const type of resourceTypes) {
      const path = `${root}/${pluralOf(type)}`;
      router.on('GET', path, (request) => collection({ store, slices }, type, version, request));
      router.on('GET', `${path}/{id}`, (request) => single(store, type, version, request));
    }
    addSubscriptions(router, root, version, { subscriptions, slices });
  }
}

/** Of many resources it is made in steps. */
function collection(
  { store, slices }: { store: Store; slices: Slices },
  type: ResourceType,
  version: ApiVersion,
  request: ApiRequest,
): Reply | Promise<Reply> {
  const { paging, others } = readPaging(onlyOnce(request.query));
  const { ancestry, others: rest } = readAncestry(others);
  if (ancestry && type !== 'source' && type !== 'flow') throw unsupported('query.ancestry_id');
  const query = parseQuery(version, rest);
  const reply = function* (): Generator<void, Reply> {
    const relatives = ancestry && (yield* relativesOf(ancestry, store.list(type, 'create')));
    const page = pageOf(store.list(type, paging.order), paging, (resource) => {
      const isThere = store.get(resource.id) === resource && (!relatives || relatives.has(resource.id));
      return isThere ? counted(shown(query, type, resource.body), request) : null;
    });
    const generations = ancestry && { 'X-Ancestry-Generations': String(ancestry.generations) };
    return yield* pageReply(page, paging, others, request, generations);
  };
  return slices.run(reply());
}

/** A page that would have no room is given up before it is whole. */
function counted(text: string | null, { reserve }: ApiRequest): string | null {
  if (text !== null) reserve(text.length);
  return text;
}

function* pageReply(
  making: Generator<void, Page>,
  paging: Paging,
  others: [string, string][],
  { origin, path }: ApiRequest,
  headers: Record<string, string> | null = null,
): Generator<void, Reply> {
  const page = yield* making;
  return serialized(200, `[${page.items.join(',')}]`, {
    ...pagingHeaders(origin + path, paging, page, others),
    ...headers,
  });
}

function single(store: Store, type: ResourceType, version: ApiVersion, request: ApiRequest): Reply {
  const { id = '' } = request.parameters;
  const resource = store.find(type, id);
  if (!resource) throw new Refusal(404, `There is no ${type} ${id.slice(0, 40)} in the registry`);
  const downgrade = [...onlyOnce(request.query)].filter(([name]) => name === 'query.downgrade');
  const { body } = resource;
  if (!isWanted(parseQuery(version, downgrade), new Seen(type, body))) {
    const location = `${queryBase}/${body.apiVersion}/${pluralOf(type)}/${id}`;
    const message = `The ${type} ${id} is registered with ${body.apiVersion}, which is older than ${version}`;
    throw new Refusal(409, message, 'query.downgrade asks for older versions', { Location: location });
  }
  return serialized(200, translatedJson(type, body, version));
}

function addSubscriptions(
  router: Router,
  root: string,
  version: ApiVersion,
  { subscriptions, slices }: { subscriptions: Subscriptions; slices: Slices },
): void {
  const path = `${root}/subscriptions`;
  router.on('POST', path, ({ body, origin }) => {
    const { subscription, isNew } = subscriptions.request(version, body);
    const location = `${path}/${subscription.id}`;
    return json(isNew ? 201 : 200, subscription.shown(origin), { Location: location });
  });
  router.on('GET', path, (request) => {
    const { paging, others } = readPaging(onlyOnce(request.query));
    const { filter } = parseQuery(version, others);
    const page = pageOf(subscriptions.list(version), paging, (one) => {
      const value = one.shown(request.origin);
      return filter === null || filter(value) ? counted(JSON.stringify(value), request) : null;
    });
    return slices.run(pageReply(page, paging, others, request));
  });
  router.on('GET', `${path}/{id}`, ({ parameters, origin }) =>
    json(200, subscriptions.get(version, parameters.id ?? '').shown(origin)),
  );
  router.on('DELETE', `${path}/{id}`, ({ parameters }) => {
    subscriptions.delete(version, parameters.id ?? '');
    return noContent();
  });
}
