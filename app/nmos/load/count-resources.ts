import { Agent } from 'node:http';
import type { Clock } from '../../protocol/clock';
import { walkPages } from '../controller/walk-pages';
import { monotonicMs } from '../monotonic-ms';
import { ask, type WholeAnswer } from '../node/http-client';
import { type NodeApiVersion, type ResourceType, resourceTypes } from '../node/resources';
import { loadTag, simulatedId } from './simulated-node';

const pageSize = 100;
const largestPageBytes = 32_000_000;

/** Of what one count reads: a Query API may give pages without an end. */
export interface CountLimits {
  seconds: number;
  bytes: number;
}
const usualLimits: CountLimits = { seconds: 60, bytes: 1_000_000_000 };
/** As IS-04 writes ids; others are not kept. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What the nodes of a load have. */
export interface OwnedResources {
  /** Its name, the value of the tag on each. */
  run: string;
  ids: ReadonlyMap<ResourceType, ReadonlySet<string>>;
}

/** All resources of the nodes of a load, registered or not. */
export function ownedBy(run: string, nodes: number): OwnedResources {
  const idsOf = (type: ResourceType): ReadonlySet<string> =>
    new Set(Array.from({ length: nodes }, (_, number) => simulatedId(run, number, type)));
  return { run, ids: new Map(resourceTypes.map((type) => [type, idsOf(type)])) };
}

/** What a registry holds. */
export interface ResourceCounts {
  /** That nodes of the load have. */
  ours: number;
  /** With the tag of the load, and that none of its nodes has. */
  leftOver: number;
  others: number;
}

/** Ids of what a registry holds, by whose it is. */
export type ResourceIds = Record<keyof ResourceCounts, ReadonlySet<string>>;

/** How many resources a registry holds, by whose they are. @throws as `readResources` */
export async function countResources(...asked: Parameters<typeof readResources>): Promise<ResourceCounts> {
  const { ours, leftOver, others } = await readResources(...asked);
  return { ours: ours.size, leftOver: leftOver.size, others: others.size };
}

/**
 * Reads all pages of all types; each resource counts once, however often it changed meanwhile. Uses no
 * filter, so that it also works with registries without filters.
 * @param query URL of the Query API
 * @throws Error with the wrong answer, a link to an earlier page, or the limit that was passed
 */
export async function readResources(
  { query, version }: { query: string; version: NodeApiVersion },
  owned: OwnedResources,
  clock: Clock,
  limits = usualLimits,
): Promise<ResourceIds> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = { ours: new Set<string>(), leftOver: new Set<string>(), others: new Set<string>() };
  const untilMs = monotonicMs(clock) + 1000 * limits.seconds;
  let bytes = 0;
  const askInTime = (url: string): Promise<WholeAnswer> => {
    const leftMs = untilMs - monotonicMs(clock);
    if (leftMs <= 0) throw new Error(notWithin(limits.seconds));
    const timeoutMs = Math.ceil(leftMs) + 1;
    return ask({ method: 'GET', url, agent, largestBytes: largestPageBytes, timeoutMs }).catch(
      (error: unknown) => {
        throw monotonicMs(clock) >= untilMs ? new Error(notWithin(limits.seconds)) : error;
      },
    );
  };
  try {
    for (const type of resourceTypes) {
      const collection = `${query}/x-nmos/query/${version}/${type}s`;
      for await (const page of walkPages({ ask: askInTime, collection, what: `${type}s`, pageSize })) {
        bytes += page.bytes;
        if (bytes > limits.bytes)
          throw new Error(`its Query API sent more than ${limits.bytes / 1e6} MB without an end`);
        for (const resource of page.items) {
          const { id, whose } = ownership(resource, type, owned);
          seen[whose].add(id);
        }
      }
    }
  } finally {
    agent.destroy();
  }
  return seen;
}

function notWithin(seconds: number): string {
  return `its Query API did not send all pages within ${seconds} s`;
}

function ownership(
  resource: unknown,
  type: ResourceType,
  { run, ids }: OwnedResources,
): { id: string; whose: keyof ResourceCounts } {
  const id = typeof resource === 'object' && resource !== null && 'id' in resource ? resource.id : null;
  if (typeof id !== 'string' || !uuid.test(id))
    throw new Error(`its Query API sent a ${type} whose id is not a UUID`);
  if (ids.get(type)?.has(id)) return { id, whose: 'ours' };
  const tags = typeof resource === 'object' && resource !== null && 'tags' in resource ? resource.tags : null;
  const values: unknown = Object.entries(tags ?? {}).find(([name]) => name === loadTag)?.[1];
  const isTagged = Array.isArray(values) && values.includes(run);
  return { id, whose: isTagged ? 'leftOver' : 'others' };
}
