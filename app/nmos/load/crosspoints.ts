import { setTimeout as sleep } from 'node:timers/promises';
import { WhitelineError } from '../../protocol/errors';
import { type Crosspoint, connectAll } from '../controller/connect';
import { DeviceClient } from '../controller/device-client';
import { ResourceMirror } from '../controller/mirror';
import { readPages } from '../controller/pages';
import type { QueryApi } from '../controller/query-api';
import type { SeenReceiver } from '../controller/resources';
import type { RestClient } from '../controller/rest-client';
import { simulatedId } from './simulated-node';

/** What a controller has to wait for: its matrix of senders and receivers, and crosspoints of a load that it changes. */

export interface FillFigures {
  senders: number;
  receivers: number;
  /** From the first request until all senders and receivers are there. */
  seconds: number;
  /** Pages, or messages of subscriptions. */
  messages: number;
  /** Of their bodies. */
  bytes: number;
}

const matrixTypes = ['sender', 'receiver'] as const;
/** As IS-04 proposes. */
const usualRateMs = 100;
const lookEveryMs = 20;

/** @throws WhitelineError */
export async function fillByPages(client: RestClient, query: QueryApi): Promise<FillFigures> {
  const startedMs = performance.now();
  const [senders, receivers] = await Promise.all([
    readPages({ client, query, type: 'sender' }),
    readPages({ client, query, type: 'receiver' }),
  ]);
  return {
    seconds: (performance.now() - startedMs) / 1000,
    ...{ senders: senders.resources.length, receivers: receivers.resources.length },
    messages: senders.pages + receivers.pages,
    bytes: senders.bytes + receivers.bytes,
  };
}

/**
 * What pages say is compared afterwards, and counts in neither time nor bytes.
 * @throws WhitelineError where it is not complete within `limitMs`
 */
export async function fillBySubscriptions(
  client: RestClient,
  query: QueryApi,
  limitMs: number,
): Promise<FillFigures> {
  const mirror = new ResourceMirror({ client, query, types: matrixTypes, maxUpdateRateMs: usualRateMs });
  try {
    const untilMs = performance.now() + limitMs;
    while (mirror.now.is !== 'complete') {
      if (mirror.now.is === 'lost' || performance.now() > untilMs)
        throw new WhitelineError({
          code: 'TOOL_FAILED',
          message:
            mirror.now.is === 'lost'
              ? mirror.now.reason
              : `The subscriptions were not complete within ${limitMs / 1000} s`,
        });
      await sleep(lookEveryMs);
    }
    const { messages, bytes, syncedMs } = mirror.figures();
    const [senders, receivers] = [mirror.all('sender').size, mirror.all('receiver').size];
    return { ...{ senders, receivers, messages, bytes }, seconds: (syncedMs ?? 0) / 1000 };
  } finally {
    await mirror.close();
  }
}

export interface ChangeOptions {
  client: RestClient;
  query: QueryApi;
  /** Of the load, whose receivers and senders alone are connected. */
  run: string;
  /** Nodes of the load. */
  nodes: number;
  crosspoints: number;
  by: 'single' | 'bulk';
  atOnce: number;
  /** Which sender each receiver gets: the one of its node for 0, of the next for 1. Another than before, so that something changes. */
  offset: number;
  /** For the Query API to show all, after the last was answered. */
  limitMs: number;
}

export interface ChangeFigures {
  crosspoints: number;
  failed: number;
  /** What was wrong with the first. */
  firstProblem: string | null;
  /** From the first request to the last answer, transport files among them. */
  seconds: number;
  /** Of one crosspoint, or of one bulk request, transport files among them. */
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** From the first request until the Query API shows all that were not refused; null: it did not in time. */
  shownSeconds: number | null;
}

/**
 * Connects receivers of a load with its senders.
 * @throws WhitelineError where the Query API cannot be read
 */
export async function changeCrosspoints(options: ChangeOptions): Promise<ChangeFigures> {
  const { by, atOnce } = options;
  const client = new DeviceClient(options.client, options.query.origin);
  const wanted = await crosspointsOf(options);
  const startedMs = performance.now();
  const results = await connectAll(wanted, { client, by, atOnce });
  const seconds = (performance.now() - startedMs) / 1000;
  const failed = results.filter(({ problem }) => problem !== null);
  const done = new Map(
    results
      .filter(({ problem }) => problem === null)
      .map(({ receiverId, senderId }) => [receiverId, senderId]),
  );
  const isShown = await shownAll(options, done);
  const shownSeconds = isShown ? (performance.now() - startedMs) / 1000 : null;
  return {
    ...{ crosspoints: wanted.length, failed: failed.length, seconds, shownSeconds },
    firstProblem: failed[0]?.problem ?? null,
    ...percentilesOf(results.map(({ tookMs }) => tookMs)),
  };
}

async function crosspointsOf({
  client,
  query,
  run,
  nodes,
  crosspoints,
  offset,
}: ChangeOptions): Promise<Crosspoint[]> {
  const [senders, receivers, devices] = await Promise.all([
    readPages({ client, query, type: 'sender' }).then(({ resources }) => byId(resources)),
    readPages({ client, query, type: 'receiver' }).then(({ resources }) => byId(resources)),
    readPages({ client, query, type: 'device' }).then(({ resources }) => byId(resources)),
  ]);
  return Array.from({ length: Math.min(crosspoints, nodes) }, (_, number): Crosspoint[] => {
    const receiver = receivers.get(simulatedId(run, number, 'receiver'));
    const sender = senders.get(simulatedId(run, (number + offset) % nodes, 'sender'));
    const device = devices.get(simulatedId(run, number, 'device'));
    return receiver && sender && device ? [{ receiver, sender, device }] : [];
  }).flat();
}

function byId<One extends { id: string }>(resources: readonly One[]): Map<string, One> {
  return new Map(resources.map((one) => [one.id, one]));
}

/** Whether each of these receivers shows its sender before the time is over. */
async function shownAll(
  { client, query, limitMs }: ChangeOptions,
  done: ReadonlyMap<string, string | null>,
): Promise<boolean> {
  const untilMs = performance.now() + limitMs;
  const isShown = (receivers: readonly SeenReceiver[]): boolean => {
    const there = receivers.filter(({ id, senderId }) => done.has(id) && done.get(id) === senderId);
    return there.length === done.size;
  };
  for (;;) {
    const { resources } = await readPages({ client, query, type: 'receiver' });
    if (isShown(resources)) return true;
    if (performance.now() > untilMs) return false;
    await sleep(lookEveryMs);
  }
}

function percentilesOf(times: readonly number[]): Pick<ChangeFigures, 'p50Ms' | 'p99Ms' | 'maxMs'> {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
