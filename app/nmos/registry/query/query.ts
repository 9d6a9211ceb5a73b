import { Refusal } from '../../http/reply';
import { type ApiVersion, apiVersions, type Body, type ResourceType } from '../resource';
import { foldedIn, pathOf, someAt } from './attributes';
import { type Filter, parseRql } from './rql';
import { isAtLeast, Seen, translatedJson } from './translate';

/** Which resources a client asks for, over HTTP or a WebSocket (IS-04 APIs – Query Parameters). */
export interface Query {
  version: ApiVersion;
  /** The oldest version of resources that it takes. */
  oldest: ApiVersion;
  /** null: all. */
  filter: Filter | null;
}

const mostParameters = 50;

/** @throws Refusal 400 for a parameter that stands there twice, since none may */
export function onlyOnce(query: URLSearchParams): URLSearchParams {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name))
      throw new Refusal(400, `Expected each query parameter once but received ${name.slice(0, 100)} twice`);
    seen.add(name);
  }
  return query;
}

/**
 * Parameters of filters and versions, each once; those of paging and ancestry are for others to read.
 * @throws Refusal 400, 501
 */
export function parseQuery(version: ApiVersion, parameters: Iterable<[string, string]>): Query {
  const filters: Filter[] = [];
  let count = 0;
  let oldest = version;
  for (const [name, value] of parameters) {
    if (++count > mostParameters)
      throw new Refusal(400, `Expected at most ${mostParameters} query parameters but received more`);
    if (name === 'query.downgrade') oldest = downgradeOf(version, value);
    else if (name === 'query.rql') filters.push(parseRql(value));
    else if (/^(query|paging)\./.test(name)) throw unsupported(name);
    else filters.push(basicFilter(name, value));
  }
  const filter = filters.length === 0 ? null : (value: unknown) => filters.every((one) => one(value));
  return { version, oldest, filter };
}

export function unsupported(name: string): Refusal {
  return new Refusal(501, `The query parameter ${name.slice(0, 100)} is not supported`);
}

/** "Downgrade Queries": only between minor versions. */
function downgradeOf(version: ApiVersion, value: string): ApiVersion {
  const [, major, minor] = /^v(\d{1,6})\.(\d{1,6})$/.exec(value) ?? [];
  if (major === undefined)
    throw new Refusal(400, `Expected a version such as v1.2 for query.downgrade but received ${value}`);
  if (major !== '1')
    throw new Refusal(400, `Expected a version of major version 1 for query.downgrade but received ${value}`);
  const found = apiVersions.find((one) => Number(one.slice(3)) >= Number(minor)) ?? version;
  return isAtLeast(version, found) ? found : version;
}

function basicFilter(name: string, wanted: string): Filter {
  const path = pathOf(name);
  const text = foldedIn(path, wanted);
  return (value) => someAt(value, path, (found) => foldedIn(path, String(found)) === text);
}

/** Whether a resource is one of those asked for. */
export function isWanted(query: Query, seen: Seen): boolean {
  if (!isAtLeast(seen.body.apiVersion, query.oldest)) return false;
  return query.filter === null || query.filter(seen.value(query.version));
}

/** As the client gets it, as JSON; null: it does not. */
export function shown(query: Query, type: ResourceType, body: Body): string | null {
  return isWanted(query, new Seen(type, body)) ? translatedJson(type, body, query.version) : null;
}
