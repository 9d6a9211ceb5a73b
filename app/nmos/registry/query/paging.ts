import { Refusal } from '../../http/reply';
import { taiOf, taiText } from '../../tai';

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

/** What a collection holds. */
export interface Listed {
  /** ns of TAI. */
  created: bigint;
  updated: bigint;
}

export interface Page {
  /** JSON of what is on it, newest first. */
  items: string[];
  since: bigint;
  until: bigint;
  /** How many it may have; fewer than asked for where more would be too long. */
  limit: number;
}

/** Characters of a page, except where it has one resource. */
const longestPage = 20_000_000;

/**
 * In steps; what changes between them belongs to a later page.
 * @param list oldest first by the order of the paging
 * @param shown one as JSON; null if a filter leaves it out, since filters go before paging
 */
export function* pageOf<One extends Listed>(
  list: readonly One[],
  { order, since, until, limit }: Paging,
  shown: (one: One) => string | null,
): Generator<void, Page> {
  const timeAt = (one: One): bigint => (order === 'create' ? one.created : one.updated);
  const last = list.at(-1);
  const newest = last ? timeAt(last) : 0n;
  const end = until ?? (since !== null && since > newest ? since : newest);
  if (limit === 0) return { items: [], since: since ?? end, until: since ?? end, limit };
  const items: string[] = [];
  let characters = 0;
  let lastTime = since ?? end;
  const isForward = since !== null;
  const first = isForward ? firstAfter(list, since, timeAt) : firstAfter(list, end, timeAt) - 1;
  for (let index = first; ; index += isForward ? 1 : -1) {
    const one = list[index];
    if (!one) break;
    const time = timeAt(one);
    if (time > newest) continue;
    if (time > end) break;
    yield;
    const text = time === timeAt(one) ? shown(one) : null;
    if (text === null) continue;
    const isTooLong = items.length > 0 && characters + text.length > longestPage;
    if (items.length === limit || isTooLong) {
      const most = isTooLong ? items.length : limit;
      return isForward
        ? { items: items.reverse(), since, until: lastTime, limit: most }
        : { items, since: time, until: end, limit: most };
    }
    items.push(text);
    characters += text.length;
    lastTime = time;
  }
  return isForward
    ? { items: items.reverse(), since, until: end, limit }
    : { items, since: 0n, until: end, limit };
}

function firstAfter<One>(list: readonly One[], time: bigint, timeAt: (one: One) => bigint): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one && timeAt(one) <= time) low = middle + 1;
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
    'X-Paging-Limit': String(page.limit),
    'X-Paging-Since': since,
    'X-Paging-Until': until,
  };
}
