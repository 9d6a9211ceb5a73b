import { Refusal } from '../../http/reply';
import { taiOf, taiText } from '../../tai';
import type { Resource } from '../resource';

/** Pages of a collection (IS-04 APIs – Query Parameters, "Pagination"). */

export interface Paging {
  order: 'create' | 'update';
  /** Exclusive, inclusive; ns of TAI. */
  since: bigint | null;
  until: bigint | null;
  limit: number;
}

const usualLimit = 1000;
const largestLimit = 10_000;
const pagingNames = ['paging.order', 'paging.since', 'paging.until', 'paging.limit'] as const;

/**
 * Reads the parameters of paging and returns the others.
 * @throws Refusal 400 for a value that is none, or a time since that is after the time until
 */
export function readPaging(query: URLSearchParams): { paging: Paging; others: [string, string][] } {
  const order = query.get('paging.order') ?? 'update';
  if (order !== 'create' && order !== 'update')
    throw new Refusal(400, `Expected create or update for paging.order but received ${order}`);
  const limitText = query.get('paging.limit') ?? String(usualLimit);
  if (!/^\d{1,15}$/.test(limitText))
    throw new Refusal(400, `Expected a whole number for paging.limit but received ${limitText}`);
  const since = timeOf(query, 'paging.since');
  const until = timeOf(query, 'paging.until');
  if (since !== null && until !== null && since > until)
    throw new Refusal(
      400,
      `Expected a time not after paging.until for paging.since but received ${taiText(since)}`,
    );
  const others = [...query].filter(([name]) => !pagingNames.some((known) => known === name));
  return { paging: { order, since, until, limit: Math.min(Number(limitText), largestLimit) }, others };
}

function timeOf(query: URLSearchParams, name: string): bigint | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = taiOf(text);
  if (time === null)
    throw new Refusal(400, `Expected <seconds>:<nanoseconds> for ${name} but received ${text}`);
  return time;
}

export interface Page {
  /** Newest first. */
  resources: Resource[];
  since: bigint;
  until: bigint;
}

/**
 * @param list oldest first by the order of the paging
 * @param isWanted filters go before paging
 */
export function pageOf(
  list: readonly Resource[],
  { order, since, until, limit }: Paging,
  isWanted: (resource: Resource) => boolean,
): Page {
  const timeAt = (resource: Resource): bigint => (order === 'create' ? resource.created : resource.updated);
  const last = list.at(-1);
  const newest = last ? timeAt(last) : 0n;
  const end = until ?? (since !== null && since > newest ? since : newest);
  const found: Resource[] = [];
  if (since !== null) {
    for (let index = firstAfter(list, since, timeAt); index < list.length; index++) {
      const resource = list[index];
      if (!resource || timeAt(resource) > end) break;
      if (found.length === limit) {
        const lastFound = found.at(-1);
        return { resources: found.reverse(), since, until: lastFound ? timeAt(lastFound) : since };
      }
      if (isWanted(resource)) found.push(resource);
    }
    return { resources: found.reverse(), since, until: limit === 0 ? since : end };
  }
  for (let index = firstAfter(list, end, timeAt) - 1; index >= 0; index--) {
    const resource = list[index];
    if (!resource || !isWanted(resource)) continue;
    if (found.length === limit)
      return { resources: found, since: limit === 0 ? end : timeAt(resource), until: end };
    found.push(resource);
  }
  return { resources: found, since: limit === 0 ? end : 0n, until: end };
}

function firstAfter(list: readonly Resource[], time: bigint, timeAt: (resource: Resource) => bigint): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const resource = list[middle];
    if (resource && timeAt(resource) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param url of the collection, without a query */
export function pagingHeaders(
  url: string,
  paging: Paging,
  page: Page,
  others: [string, string][],
): Record<string, string> {
  const kept = new URLSearchParams(others);
  if (paging.order !== 'update') kept.append('paging.order', paging.order);
  const [since, until] = [taiText(page.since), taiText(page.until)];
  const link = (rel: string, cursor: string): string => {
    const query = [kept.toString(), cursor, `paging.limit=${paging.limit}`].filter(Boolean).join('&');
    return `<${url}?${query}>; rel="${rel}"`;
  };
  return {
    Link: [
      link('next', `paging.since=${until}`),
      link('prev', `paging.until=${since}`),
      link('first', 'paging.since=0:0'),
      link('last', ''),
    ].join(', '),
    'X-Paging-Limit': String(paging.limit),
    'X-Paging-Since': since,
    'X-Paging-Until': until,
  };
}
