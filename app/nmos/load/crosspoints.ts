import type { Clock } from '../../protocol/clock';
import { valueText, WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { type ConnectResult, type Crosspoint, connectAll } from '../controller/connect';
import { DeviceClient } from '../controller/device-client';
import { ResourceMirror } from '../controller/mirror';
import { readPages } from '../controller/pages';
import type { QueryApi } from '../controller/query-api';
import type { SeenReceiver } from '../controller/resources';
import type { RestClient } from '../controller/rest-client';
import { monotonicMs } from '../monotonic-ms';
import { simulatedControlType, simulatedFile, simulatedId } from './simulated-node';

/** Measures how long a controller waits for its matrix of senders and receivers, and for crosspoints of a load. */

export interface FillOptions {
  client: RestClient;
  clock: Clock;
  query: QueryApi;
  /** Of the load. */
  run: string;
  /** Nodes of the load. */
  nodes: number;
}

export interface FillFigures {
  /** Those of others among them. */
  senders: number;
  receivers: number;
  /** Of the load. */
  ownSenders: number;
  ownReceivers: number;
  /** From the first request until all senders and receivers are there. */
  seconds: number;
  /** Pages, or messages of subscriptions. */
  messages: number;
  /** Of their bodies. */
  bytes: number;
  /** How often a subscription was lost. */
  losses: number;
  /** Of anybody, which cannot be used, and what is wrong with the first. */
  leftOut: number;
  leftOutFirst: string | null;
}

const matrixTypes = ['sender', 'receiver'] as const;
/** As IS-04 proposes. */
const usualRateMs = 100;
const lookEveryMs = 20;
/** Reads receivers at most a fifth of the time, so that the reading does not load the registry. */
const restPerRead = 4;

/** @throws WhitelineError */
export async function fillByPages(options: FillOptions): Promise<FillFigures> {
  const { client, clock, query } = options;
  const startedMs = monotonicMs(clock);
  const [senders, receivers] = await Promise.all([
    readPages({ client, clock, query, type: 'sender' }),
    readPages({ client, clock, query, type: 'receiver' }),
  ]);
  return {
    seconds: (monotonicMs(clock) - startedMs) / 1000,
    ...sizeOf(options, idsOf(senders.resources), idsOf(receivers.resources)),
    messages: senders.pages + receivers.pages,
    bytes: senders.bytes + receivers.bytes,
    losses: 0,
    leftOut: senders.leftOut.count + receivers.leftOut.count,
    leftOutFirst: senders.leftOut.first ?? receivers.leftOut.first,
  };
}

/**
 * What pages say is compared afterwards, and counts in neither time nor bytes.
 * @throws WhitelineError if it is not complete within `limitMs`
 */
export async function fillBySubscriptions(options: FillOptions, limitMs: number): Promise<FillFigures> {
  const { client, clock, query } = options;
  const asking = { client, clock, query, types: matrixTypes };
  const mirror = new ResourceMirror({ ...asking, maxUpdateRateMs: usualRateMs });
  try {
    const untilMs = monotonicMs(clock) + limitMs;
    while (mirror.now.is !== 'complete') {
      if (mirror.now.is === 'lost' || monotonicMs(clock) > untilMs)
        throw new WhitelineError({
          code: 'TOOL_FAILED',
          message:
            mirror.now.is === 'lost'
              ? mirror.now.reason
              : `The subscriptions were not complete within ${limitMs / 1000} s`,
        });
      await clock.sleep(lookEveryMs);
    }
    const { syncedMs, messages, bytes, losses, leftOut, leftOutFirst } = mirror.figures();
    const size = sizeOf(options, mirror.all('sender'), mirror.all('receiver'));
    const counts = { messages, bytes, losses, leftOut, leftOutFirst };
    return { ...size, ...counts, seconds: (syncedMs ?? 0) / 1000 };
  } finally {
    await mirror.close();
  }
}

interface Ids {
  has(id: string): boolean;
  readonly size: number;
}

function sizeOf({ run, nodes }: FillOptions, senders: Ids, receivers: Ids) {
  const ownOf = (type: 'sender' | 'receiver', seen: Ids): number =>
    Array.from({ length: nodes }, (_, number) => seen.has(simulatedId(run, number, type))).filter(Boolean)
      .length;
  return {
    ...{ senders: senders.size, receivers: receivers.size },
    ...{ ownSenders: ownOf('sender', senders), ownReceivers: ownOf('receiver', receivers) },
  };
}

function idsOf(resources: readonly { id: string }[]): Ids {
  return new Set(resources.map(({ id }) => id));
}

/** The load’s receivers and senders alone are connected. */
export interface ChangeOptions extends FillOptions {
  /** URL of its Connection API, as its devices name it: nothing else is asked, whatever the registry says. */
  controls: string;
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
  /** Why the first crosspoint that failed did so. */
  firstProblem: string | null;
  /** From the first request to the last answer, transport files among them; null: no device was asked. */
  seconds: number | null;
  /** Of one crosspoint, or of one bulk request, transport files among them; null: no device was asked. */
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
  /** From the first request until the Query API shows all that were not refused; null: it did not in time, or all were refused. */
  shownSeconds: number | null;
}

/**
 * Connects receivers of a load with its senders.
 * @throws WhitelineError if the Query API cannot be read
 */
export async function changeCrosspoints(options: ChangeOptions): Promise<ChangeFigures> {
  const { by, atOnce, clock } = options;
  // Its address is ours, not one that the registry names.
  const client = new DeviceClient(options.client, options.controls);
  const { wanted, changed } = await crosspointsOf(options);
  const startedMs = monotonicMs(clock);
  const asked = await connectAll(wanted, { client, clock, by, atOnce });
  const seconds = asked.length === 0 ? null : (monotonicMs(clock) - startedMs) / 1000;
  const results = [...changed, ...asked];
  const failed = results.filter(({ problem }) => problem !== null);
  const done = new Map(
    results
      .filter(({ problem }) => problem === null)
      .map(({ receiverId, senderId }) => [receiverId, senderId]),
  );
  const isShown = done.size > 0 && (await shownAll(options, done));
  const shownSeconds = isShown ? (monotonicMs(clock) - startedMs) / 1000 : null;
  return {
    ...{ crosspoints: results.length, failed: failed.length, seconds, shownSeconds },
    firstProblem: failed[0]?.problem ?? null,
    ...percentilesOf(asked.map(({ tookMs }) => tookMs)),
  };
}

/** Crosspoints to connect, and those whose addresses the registry changed. */
async function crosspointsOf(
  options: ChangeOptions,
): Promise<{ wanted: Crosspoint[]; changed: ConnectResult[] }> {
  const { client, clock, query, run, nodes, crosspoints, offset, controls } = options;
  const [senders, receivers, devices] = await Promise.all([
    readPages({ client, clock, query, type: 'sender' }).then(({ resources }) => byId(resources)),
    readPages({ client, clock, query, type: 'receiver' }).then(({ resources }) => byId(resources)),
    readPages({ client, clock, query, type: 'device' }).then(({ resources }) => byId(resources)),
  ]);
  const all = Array.from({ length: Math.min(crosspoints, nodes) }, (_, number): Crosspoint[] => {
    const receiver = receivers.get(simulatedId(run, number, 'receiver'));
    const sender = senders.get(simulatedId(run, (number + offset) % nodes, 'sender'));
    const device = devices.get(simulatedId(run, number, 'device'));
    return receiver && sender && device ? [{ receiver, sender, device }] : [];
  }).flat();
  const problems = all.map((one) => ({ one, problem: changeByRegistry(one, controls) }));
  return {
    wanted: problems.filter(({ problem }) => problem === null).map(({ one }) => one),
    changed: problems
      .filter(({ problem }) => problem !== null)
      .map(({ one: { receiver, sender }, problem }) => ({
        ...{ receiverId: receiver.id, senderId: sender?.id ?? null, problem, isWaiting: false, tookMs: 0 },
      })),
  };
}

/** A registry may name another host than that of the load; the run must not change that host. */
function changeByRegistry({ device, sender }: Crosspoint, controls: string): string | null {
  const other = device.controls.find(({ href, type }) => href !== controls || type !== simulatedControlType);
  if (other !== undefined || device.controls.length === 0) {
    const held = other?.href === controls ? `${controls} of type ${other.type}` : other?.href;
    return changedText('controls of the device', device.id, held ?? 'nothing', controls);
  }
  const file = sender && simulatedFile(controls, sender.id);
  return sender && sender.manifestHref !== file
    ? changedText('manifest_href of the sender', sender.id, sender.manifestHref ?? 'nothing', String(file))
    : null;
}

function changedText(what: string, id: string, said: string, registered: string): string {
  const text = plainLine(valueText(said.slice(0, 100)));
  return `The registry changed ${what} ${id}: it holds ${text}, but the node registered ${registered}`;
}

function byId<One extends { id: string }>(resources: readonly One[]): Map<string, One> {
  return new Map(resources.map((one) => [one.id, one]));
}

/** Whether each of these receivers shows its sender in time. */
async function shownAll(
  { client, clock, query, limitMs }: ChangeOptions,
  done: ReadonlyMap<string, string | null>,
): Promise<boolean> {
  const untilMs = monotonicMs(clock) + limitMs;
  const isShown = (receivers: readonly SeenReceiver[]): boolean => {
    const there = receivers.filter(({ id, senderId }) => done.has(id) && done.get(id) === senderId);
    return there.length === done.size;
  };
  for (;;) {
    const readAtMs = monotonicMs(clock);
    const { resources } = await readPages({ client, clock, query, type: 'receiver' });
    if (isShown(resources)) return true;
    const nowMs = monotonicMs(clock);
    if (nowMs > untilMs) return false;
    await clock.sleep(Math.min(Math.max(lookEveryMs, restPerRead * (nowMs - readAtMs)), untilMs - nowMs));
  }
}

function percentilesOf(times: readonly number[]): Pick<ChangeFigures, 'p50Ms' | 'p99Ms' | 'maxMs'> {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): number | null =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
