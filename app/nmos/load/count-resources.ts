import { Agent } from 'node:http';
import { ask, type WholeAnswer } from '../node/http-client';
import { type NodeApiVersion, resourceTypes } from '../node/resources';
import { loadTag } from './simulated-node';

const pageSize = 100;
const timeoutMs = 30_000;
const largestBytes = 32_000_000;
/** Of one type: more than any registry holds. */
const mostPages = 100_000;

/** What a registry holds: resources with the tag of a load, and others. */
export interface ResourceCounts {
  ours: number;
  others: number;
}

/**
 * Reads all pages of all types, oldest first; each resource counts once, however often it changed meanwhile. No filter is asked
 * for, so that a registry which knows none is counted too.
 * @param query URL of the Query API
 * @throws Error with what it answered in place of a page
 */
export async function countResources(
  query: string,
  version: NodeApiVersion,
  run: string,
): Promise<ResourceCounts> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = { ours: new Set<string>(), others: new Set<string>() };
  try {
    for (const type of resourceTypes) {
      let next: string | null =
        `${query}/x-nmos/query/${version}/${type}s?paging.since=0:0&paging.limit=${pageSize}`;
      for (let page = 0; next !== null; page++) {
        if (page === mostPages) throw new Error(`more than ${mostPages} pages of ${type}s`);
        const answer: WholeAnswer = await ask({ method: 'GET', url: next, agent, timeoutMs, largestBytes });
        const resources = resourcesOf(answer);
        for (const { id, isOurs } of resources.map((resource) => ownership(resource, run)))
          seen[isOurs ? 'ours' : 'others'].add(id);
        next = resources.length === 0 ? null : nextPage(answer, next);
      }
    }
  } finally {
    agent.destroy();
  }
  return { ours: seen.ours.size, others: seen.others.size };
}

function resourcesOf({ status, body }: WholeAnswer): unknown[] {
  if (status === 200 && Array.isArray(body)) return body;
  throw new Error(`its Query API answered ${status} ${Array.isArray(body) ? '' : 'without a list'}`.trim());
}

function ownership(resource: unknown, run: string): { id: string; isOurs: boolean } {
  if (typeof resource !== 'object' || resource === null || !('id' in resource))
    throw new Error('its Query API gave a resource without an id');
  const tags = 'tags' in resource ? resource.tags : null;
  const values: unknown = Object.entries(tags ?? {}).find(([name]) => name === loadTag)?.[1];
  return { id: String(resource.id), isOurs: Array.isArray(values) && values.includes(run) };
}

/** Null: it names none, or one that leads elsewhere or nowhere. IS-04 Query Parameters, Pagination. */
function nextPage({ headers }: WholeAnswer, url: string): string | null {
  const link = [headers.link].flat().join(', ');
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  if (target === undefined) return null;
  const next = new URL(target, url);
  const here = new URL(url);
  // A registry behind another name may name itself: only the place of the next page is taken from it.
  const path = `${here.origin}${here.pathname}${next.search}`;
  return path === url ? null : path;
}
