import type { Clock } from '../../protocol/clock';
import { plainLine } from '../../protocol/plain-text';
import { monotonicMs } from '../monotonic-ms';
import { compareVersions } from '../tai';
import type { QueryApi } from './query-api';
import { lengthOf, readSeen, type SeenResources, type SeenType } from './resources';
import { type RestClient, wrongAnswer } from './rest-client';
import { earlierPage, type Page, type PageWalk, walkPages } from './walk-pages';

export interface PageOptions<Type extends SeenType> extends Partial<Pick<PageWalk, 'params' | 'pageSize'>> {
  client: Pick<RestClient, 'ask'>;
  clock: Clock;
  query: QueryApi;
  type: Type;
  /** Of all pages together. */
  withinMs?: number;
  mostResources?: number;
  signal?: AbortSignal;
}

export interface ReadCollection<Type extends SeenType> {
  /** As they were last, each once, the one that has not changed for longest first. */
  resources: SeenResources[Type][];
  /** Requests that were answered. */
  pages: number;
  /** Of all answers' bodies. */
  bytes: number;
  leftOut: LeftOut;
}

/** Resources that cannot be used, and what is wrong with the first. */
export interface LeftOut {
  count: number;
  first: string | null;
}

export const usualPageSize = 1000;
const usualWithinMs = 60_000;
export const usualMostResources = 100_000;
/** Characters of all resources of a collection that are kept; 100,000 usual ones are about 30 million. */
export const mostCharacters = 100_000_000;
/** 1,000 resources of a page are about 1 MB. */
const largestPageBytes = 32_000_000;

/**
 * All resources of one type.
 * @throws WhitelineError if no answer comes; for what is no page, and for links that go round
 */
export async function readPages<Type extends SeenType>(
  options: PageOptions<Type>,
): Promise<ReadCollection<Type>> {
  const { client, clock, query, type, params, pageSize = usualPageSize, signal } = options;
  const { withinMs = usualWithinMs, mostResources = usualMostResources } = options;
  const collection = `${query.origin}/x-nmos/query/${query.version}/${type}s`;
  const found = new Map<string, SeenResources[Type]>();
  const leftOut: LeftOut = { count: 0, first: null };
  const read = { pages: 0, bytes: 0 };
  let characters = 0;
  const untilMs = monotonicMs(clock) + withinMs;
  const ask: PageWalk['ask'] = (url) =>
    client.ask({ method: 'GET', url, largestBytes: largestPageBytes, signal });
  for await (const page of walkPages({ ask, collection, what: `${type}s`, params, pageSize })) {
    read.pages++;
    read.bytes += page.bytes;
    const { isNew, added } = takePage(type, page, found, leftOut);
    characters += added;
    if (characters > mostCharacters)
      throw wrongAnswer(collection, `at most ${mostCharacters / 1e6} million characters`, 'more');
    if (found.size + leftOut.count > mostResources)
      throw wrongAnswer(collection, `at most ${mostResources} resources`, 'more');
    if (page.next === null) break;
    if (!isNew) throw earlierPage(page.url, page.next);
    if (monotonicMs(clock) > untilMs)
      throw wrongAnswer(collection, `all pages within ${withinMs / 1000} s`, `${read.pages} pages`);
  }
  return { resources: [...found.values()], ...read, leftOut };
}

/** Returns whether it says anything that was not known, and by how many characters `found` grew. */
function takePage<Type extends SeenType>(
  type: Type,
  { url, items }: Page,
  found: Map<string, SeenResources[Type]>,
  leftOut: LeftOut,
): { isNew: boolean; added: number } {
  let isNew = false;
  let added = 0;
  for (const item of items.reverse()) {
    const seen = readSeen(type, item);
    if (typeof seen === 'string') {
      isNew = true;
      leaveOut(leftOut, `a ${type} of ${url}: ${seen}`);
      continue;
    }
    const known = found.get(seen.id);
    if (known && compareVersions(seen.version, known.version) <= 0) continue;
    isNew = true;
    found.delete(seen.id);
    found.set(seen.id, seen);
    added += lengthOf(seen) - (known ? lengthOf(known) : 0);
  }
  return { isNew, added };
}

export function leaveOut(leftOut: LeftOut, why: string): void {
  leftOut.count++;
  leftOut.first ??= plainLine(why);
}
