import type { Launch } from '../../engine/capabilities/helper/launch';
import { here } from '../../engine/tools/namespace';
import { type HelperScript, type ScriptedHelper, scriptedLaunch } from '../../testing/scripted-helper';
import type { SimulatedClock } from '../../testing/simulated-clock';
import {
  type FanOutCommand,
  type FanOutMessage,
  type FanOutMessageOf,
  fanOutProgram,
} from './fan-out-program';

/** What the processes of one row do. */
export interface MadeUpSamples {
  perSecond: number;
  /** Of each subscriber, beside that it received all. */
  received?(subscriber: number): Partial<FanOutMessageOf<'received'>>;
  /** Subscribers that never match. */
  deaf?: readonly number[];
  /** The publisher never says that it has sent all. */
  neverEnds?: boolean;
  published?: Partial<FanOutMessageOf<'published'>>;
  counted?: Partial<FanOutMessageOf<'counted'>>;
  strangers?: readonly FanOutMessageOf<'stranger'>[];
  /** Of the subscribing processes. */
  stoppedNs?: number;
  /** So long after the first sample was due, or before it, something else happens to one process. */
  happens?: {
    to: 'publisher' | 'subscribers' | 'counter';
    afterSeconds: number;
    what(helper: ScriptedHelper): void;
  };
}

type CommandOf<Type extends FanOutCommand['type']> = Extract<FanOutCommand, { type: Type }>;
type Endpoint = CommandOf<'publish'>;
type Reply = (message: FanOutMessage) => void;

const { commands } = fanOutProgram('publisher', here);
/** From the last process that opened until all have found each other. */
const matchMs = 200;
const sendBufferBytes = 100_000;
const receiveBufferBytes = 8 * 1024 * 1024;
/** RTPS, UDP and IP, in each datagram; on the wire, Ethernet's own beside. */
const headBytes = 96;
const framingBytes = 38;

/** What the processes of a row know of each other. */
class Row {
  endpoint: Endpoint | null = null;
  subscribed = 0;
  readonly onMatched: (() => void)[] = [];

  constructor(
    readonly clock: SimulatedClock,
    readonly samples: MadeUpSamples,
  ) {}

  get sent(): number {
    const { perSecond, published } = this.samples;
    return published?.samples ?? Math.round(perSecond * this.seconds);
  }

  seconds = 0;

  subscribe(count: number): void {
    this.subscribed += count;
    if (this.subscribed < (this.endpoint?.subscribers ?? 0)) return;
    this.clock.after(matchMs, () => {
      for (const act of this.onMatched) act();
    });
  }

  matches(subscriber: number): boolean {
    return !this.samples.deaf?.includes(subscriber);
  }
}

/** Publisher, subscribers and counter, row by row. The publisher is the first of a row. */
export function madeUpDds(clock: SimulatedClock, rows: readonly MadeUpSamples[]): Launch {
  const begun: Row[] = [];
  return scriptedLaunch(clock, (role) => {
    if (role === 'fan-out-publisher') {
      const samples = rows[begun.length];
      if (!samples) throw new Error(`no one made up the samples of row ${begun.length}`);
      begun.push(new Row(clock, samples));
    }
    const row = begun.at(-1);
    if (!row) throw new Error('the publisher is the first of a row');
    if (role === 'fan-out-publisher') return scriptOf('publisher', row, publish);
    return role === 'fan-out-counter' ? scriptOf('counter', row, count) : subscriberScript(row);
  }).launch;
}

/** What a machine says of itself, of one card with that address. */
export function madeUpInspector(clock: SimulatedClock, address: string): Launch {
  return scriptedLaunch(clock, () => ({
    onCommand(_, helper) {
      helper.say({ type: 'card', name: 'eth0', address, prefixBits: 24, speedMbps: 10_000 });
      const room = { memoryMb: 16_000, threads: 10_000, openFiles: 10_000 };
      helper.say({ type: 'inspected', version: '2.9.1', cores: 8, ...room });
    },
  })).launch;
}

type Part = (command: FanOutCommand, row: Row, say: Reply, helper: ScriptedHelper) => void;

function scriptOf(to: 'publisher' | 'subscribers' | 'counter', row: Row, part: Part): HelperScript {
  return {
    onCommand(text, helper) {
      const command = commands.parse(text);
      part(command, row, (message) => helper.say(message), helper);
      const { happens } = row.samples;
      if (command.type === 'begin' && happens?.to === to)
        helper.at(Number(command.startNs) + happens.afterSeconds * 1e9, () => happens.what(helper));
    },
  };
}

function publish(command: FanOutCommand, row: Row, say: Reply, helper: ScriptedHelper): void {
  if (command.type === 'publish') {
    row.endpoint = command;
    say({ type: 'open', sendBufferBytes, publisher: '010f' });
    row.onMatched.push(() => {
      const readers = Array.from({ length: command.subscribers }, (_, number) => number).filter((number) =>
        row.matches(number),
      ).length;
      say({ type: 'matched', readers, replyWriters: readers });
      for (const stranger of row.samples.strangers ?? []) say(stranger);
    });
  }
  if (command.type !== 'begin' || !row.endpoint) return;
  const { startNs, durationNs } = command;
  const [fromNs, toNs] = [Number(startNs), Number(startNs) + durationNs];
  row.seconds = durationNs / 1e9;
  const { published } = row.samples;
  const { sampleBytes, isLatency, subscribers } = row.endpoint;
  for (let second = 0; fromNs + (second + 1) * 1e9 <= toNs; second += 1)
    helper.at(fromNs + (second + 1) * 1e9, () => say({ type: 'second', second }));
  if (row.samples.neverEnds) return;
  helper.at(toNs, () => {
    const samples = row.sent;
    if (isLatency) sayRoundTrips(samples, subscribers, say);
    say({
      ...{ type: 'published', samples, payloads: samples, bytes: samples * sampleBytes, refused: 0 },
      ...{ firstNs: startNs, lastNs: String(toNs), isAcknowledged: true, sleptNs: 0.02 * durationNs },
      // Its thread is what sets the pace.
      ...{ processorNs: durationNs, busiestThreadNs: 0.95 * durationNs, stoppedNs: 0, starvedNs: 0 },
      ...published,
    });
  });
}

function sayRoundTrips(samples: number, subscribers: number, say: Reply): void {
  const trips = { timedOut: 0, minNs: 90_000, p50Ns: 120_000, p90Ns: 150_000, p99Ns: 240_000 };
  const longest = { p9999Ns: 900_000, maxNs: 1_000_000 };
  const sayOf = (subscriber: number, count: number): void =>
    say({ type: 'roundTrips', subscriber, count, ...trips, ...longest });
  sayOf(-1, samples);
  for (let subscriber = 0; subscriber < subscribers; subscriber += 1)
    sayOf(subscriber, Math.floor((samples + subscribers - 1 - subscriber) / subscribers));
}

function subscriberScript(row: Row): HelperScript {
  let own: CommandOf<'subscribe'> | null = null;
  const numbers = (): number[] =>
    Array.from({ length: own?.count ?? 0 }, (_, index) => (own?.first ?? 0) + index);
  const matchedNs = new Map<number, string>();
  let startNs = '';
  const part: Part = (command, _, say) => {
    if (command.type === 'subscribe') {
      own = command;
      say({ type: 'open', receiveBufferBytes });
      row.onMatched.push(() => {
        for (const subscriber of numbers().filter((number) => row.matches(number))) {
          const atNs = String(row.clock.monotonicNs());
          matchedNs.set(subscriber, atNs);
          say({ type: 'matched', subscriber, matchedNs: atNs });
        }
      });
      row.subscribe(command.count);
    }
    if (command.type === 'begin') startNs = command.startNs;
    if (command.type !== 'finish' || !own) return;
    const { isMulticast, groupPort, sampleBytes } = own;
    const lastNs = String(Number(startNs) + row.seconds * 1e9);
    for (const subscriber of numbers()) {
      const samples = matchedNs.has(subscriber) ? (command.samples ?? 0) : 0;
      const changes = row.samples.received?.(subscriber) ?? {};
      const port = isMulticast ? groupPort : 7411 + 2 * subscriber;
      say({
        ...{ type: 'received', subscriber, samples, lost: (command.samples ?? 0) - samples, duplicated: 0 },
        ...{ reordered: 0, damaged: 0, lostRanges: [], firstNs: startNs, lastNs, overflowed: 0, port },
        ...{ matchedNs: matchedNs.get(subscriber) ?? '0', ...changes },
        bytes: (changes.samples ?? samples) * sampleBytes,
      });
    }
    const processorNs = 0.2e9 * row.seconds * own.count;
    const stoodStill = { stoppedNs: row.samples.stoppedNs ?? 0, starvedNs: 0 };
    say({ type: 'done', processorNs, busiestThreadNs: processorNs / own.count, ...stoodStill });
  };
  return scriptOf('subscribers', row, part);
}

function count(command: FanOutCommand, row: Row, say: Reply): void {
  if (command.type === 'count') say({ type: 'open', ringBytes: 1 << 22 });
  if (command.type !== 'finish' || !row.endpoint) return;
  const { isMulticast, isReliable, acknowledges, sampleBytes, group, groupPort, subscribers } = row.endpoint;
  const { datagramBytes } = row.endpoint;
  const fragments = Math.ceil(sampleBytes / (datagramBytes - headBytes));
  const { address } = row.endpoint;
  const matched = Array.from({ length: subscribers }, (_, number) => number).filter((number) =>
    row.matches(number),
  );
  const places = isMulticast
    ? [{ address: group, port: groupPort }]
    : matched.map((subscriber) => ({ address, port: 7411 + 2 * subscriber }));
  const data = row.sent * fragments;
  const dataBytes = row.sent * (sampleBytes + fragments * headBytes);
  for (const place of places)
    say({
      ...{ type: 'destination', ...place, isGroup: isMulticast, data, dataBytes },
      ...{ resends: 0, heartbeats: isReliable ? 60 : 0, other: 0 },
    });
  const datagrams = places.length * data;
  say({
    ...{ type: 'counted', datagrams, wireBytes: places.length * dataBytes + datagrams * framingBytes },
    ...{ acknowledgements: acknowledges ? 200 : 0, discovery: 40, dropped: 0, unread: 0, ipFragments: 0 },
    ...{ groupOfOthers: 0, processorNs: 0.04e9 * row.seconds, stoppedNs: 0, starvedNs: 0 },
    ...row.samples.counted,
  });
}
