import type { WholeAnswer } from '../node/http-client';
import { shown } from './query-api';
import { statusText, wrongAnswer } from './rest-client';

/** The pages of a collection of a Query API (IS-04 Query Parameters, "Pagination"). */

export interface PageWalk {
  ask(url: string): Promise<WholeAnswer>;
  /** URL without parameters. */
  collection: string;
  /** What it is a collection of, in the plural. */
  what: string;
  /** Attributes that all have to have, as in `tags.studio: 'HQ1'`. */
  params?: Readonly<Record<string, string>>;
  /** Resources that are asked for at once; a registry may give fewer. */
  pageSize: number;
}

export interface Page {
  url: string;
  /** Newest first. */
  items: unknown[];
  /** Of the answer's body. */
  bytes: number;
  /** URL; null: it is the last one. */
  next: string | null;
}

/**
 * Goes from the oldest change to the newest, so that what changes meanwhile is on a later page.
 * @throws WhitelineError for what is no page, and for links that go round
 */
export async function* walkPages({
  ask,
  collection,
  what,
  params = {},
  pageSize,
}: PageWalk): AsyncGenerator<Page, void, void> {
  const asked = new Set<string>();
  let url = addressOf(collection, params, pageSize);
  for (;;) {
    asked.add(url);
    let answer = await ask(url);
    // A Query API need not have pages, and says so.
    if (answer.status === 501 && asked.size === 1) answer = await ask(addressOf(collection, params, null));
    const { status, body, text, bytes } = answer;
    if (status !== 200) throw wrongAnswer(url, `a page of ${what}`, statusText(answer));
    if (!Array.isArray(body)) throw wrongAnswer(url, `a page of ${what}`, shown(text));
    const isLast = body.length === 0 || isShort(answer, body.length);
    const next = isLast ? null : nextOf(answer, url, collection);
    yield { url, items: body, bytes, next };
    if (next === null) return;
    if (asked.has(next)) throw earlierPage(url, next);
    url = next;
  }
}

export function earlierPage(url: string, next: string): Error {
  return wrongAnswer(url, 'a link to a further page', `a link to an earlier page, ${next}`);
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

/** Fewer than the registry says that it gives: an API that does not say so has to be asked until nothing comes. */
function isShort({ headers }: WholeAnswer, items: number): boolean {
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
