import { plainLine } from '../../protocol/plain-text';
import type { WholeAnswer } from '../node/http-client';
import { compareVersions } from '../tai';
import { type QueryApi, shown } from './query-api';
import { lengthOf, readSeen, type SeenResources, type SeenType } from './resources';
import { type RestClient, statusText, wrongAnswer } from './rest-client';

/** Reading a collection of a Query API by pages (IS-04 Query Parameters, "Pagination"). */

export interface PageOptions<Type extends SeenType> {
  client: Pick<RestClient, 'ask'>;
  query: QueryApi;
  type: Type;
  /** Attributes that all have to have, as in `tags.studio: 'HQ1'`. */
  params?: Readonly<Record<string, string>>;
  /** Resources that are asked for at once; a registry may give fewer. */
  pageSize?: number;
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
 * All resources of one type. Pages go from the oldest change to the newest, so that what changes meanwhile is on a later page.
 * @throws WhitelineError where no answer comes; for what is no page, and for links that go round
 */
export async function readPages<Type extends SeenType>(
  options: PageOptions<Type>,
): Promise<ReadCollection<Type>> {
  const { client, query, type, params = {}, pageSize = usualPageSize, signal } = options;
  const { withinMs = usualWithinMs, mostResources = usualMostResources } = options;
  const collection = `${query.origin}/x-nmos/query/${query.version}/${type}s`;
  const found = new Map<string, SeenResources[Type]>();
  const leftOut: LeftOut = { count: 0, first: null };
  const read = { pages: 0, bytes: 0 };
  let characters = 0;
  const asked = new Set<string>();
  const untilMs = performance.now() + withinMs;
  let url: string | null = addressOf(collection, params, pageSize);
  while (url !== null) {
    asked.add(url);
    let answer = await client.ask({ method: 'GET', url, largestBytes: largestPageBytes, signal });
    // A Query API need not have pages, and says so.
    if (answer.status === 501 && read.pages === 0)
      answer = await client.ask({
        ...{ method: 'GET', url: addressOf(collection, params, null), signal },
        largestBytes: largestPageBytes,
      });
    read.pages++;
    read.bytes += answer.bytes;
    const { items, isNew, added } = takePage({ type, url, answer, found, leftOut });
    characters += added;
    if (characters > mostCharacters)
      throw wrongAnswer(collection, `at most ${mostCharacters / 1e6} million characters`, 'more');
    if (found.size + leftOut.count > mostResources)
      throw wrongAnswer(collection, `at most ${mostResources} resources`, 'more');
    const next = nextOf(answer, url, collection);
    if (next === null || items === 0 || isLast(answer, items)) break;
    if (!isNew || asked.has(next))
      throw wrongAnswer(url, 'a link to a further page', `a link to an earlier page, ${next}`);
    if (performance.now() > untilMs)
      throw wrongAnswer(collection, `all pages within ${withinMs / 1000} s`, `${read.pages} pages`);
    url = next;
  }
  return { resources: [...found.values()], ...read, leftOut };
}

function addressOf(
  collection: string,
  params: Readonly<Record<string, string>>,
  pageSize: number | null,
): string {
  const paging = pageSize === null ? [] : ['paging.since=0:0', `paging.limit=${pageSize}`];
  const filters = new URLSearchParams(params).toString();
  const query = [filters, ...paging].filter(Boolean).join('&');
  return query === '' ? collection : `${collection}?${query}`;
}

interface TakenPage<Type extends SeenType> {
  type: Type;
  url: string;
  answer: WholeAnswer;
  found: Map<string, SeenResources[Type]>;
  leftOut: LeftOut;
}

/** Returns how many it has, whether it says anything that was not known, and by how many characters `found` grew. */
function takePage<Type extends SeenType>({
  type,
  url,
  answer,
  found,
  leftOut,
}: TakenPage<Type>): {
  items: number;
  isNew: boolean;
  added: number;
} {
  const { status, body } = answer;
  if (status !== 200) throw wrongAnswer(url, `a page of ${type}s`, statusText(answer));
  if (!Array.isArray(body)) throw wrongAnswer(url, `a page of ${type}s`, shown(answer.text));
  let isNew = false;
  let added = 0;
  // Newest first on each page.
  for (const item of body.reverse()) {
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
  return { items: body.length, isNew, added };
}

export function leaveOut(leftOut: LeftOut, why: string): void {
  leftOut.count++;
  leftOut.first ??= plainLine(why);
}

/** Fewer than the registry says that it gives: an API that does not say so has to be asked until nothing comes. */
function isLast({ headers }: WholeAnswer, items: number): boolean {
  const limit = headers['x-paging-limit'];
  return typeof limit === 'string' && /^\d{1,9}$/.test(limit) && items < Number(limit);
}

/**
 * A registry behind a proxy may write another scheme, host or port into its links: only the place of the page is taken from them.
 * @throws WhitelineError for a link that is no URL
 */
function nextOf({ headers }: WholeAnswer, url: string, collection: string): string | null {
  const target = linkTo('next', String(headers.link ?? ''));
  if (target === null) return null;
  const next = resolved(target, url);
  if (next === null) throw wrongAnswer(url, `a link to a page of ${collection}`, target.slice(0, 200));
  return `${collection}${next.search}`;
}

function resolved(target: string, base: string): URL | null {
  try {
    return new URL(target, base);
  } catch {
    return null;
  }
}

/** RFC 8288 section 3, as far as Query APIs use it: `<target>; rel="next", <target>; rel="prev"`. */
function linkTo(relation: string, header: string): string | null {
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const rel = parameters.split(/[;,]/).find((one) => one.trim().startsWith('rel='));
    const relations = rel?.trim().slice('rel='.length).replace(/"/g, '').split(' ') ?? [];
    if (relations.includes(relation)) return target;
  }
  return null;
}
