import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { machineClock } from '../../engine/clock';
import { machineBooks } from '../../engine/machine/machine-books';
import { wordsOf } from '../../facts/reason-words';
import { numberOf } from '../../facts/row-figures';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { holdersOf, networkOf } from '../../testing/network-holders';
import { type FanOutCase, type FanOutParameters, fanOutCases, fanOutParameters } from './declaration';
import { measuredRow } from './fan-out-rows';
import { beginAheadMs, type FanOutReadings, matchLimitMs, measure } from './measure';
import { type End, type OpenPath, openPath } from './path';
import { isAllCounted, pathFault } from './proof';
import { caseFacts, type RowPlan } from './row-plan';

// Own namespaces need root, as those of e2e/network do.
const helpers = new Helpers(machineClock, () => undefined);
const opened: OpenPath[] = [];
/** Away from the domain in which a console may run, and from those of other tests that run meanwhile. */
let domain = 80 + (process.pid % 11) * 10;

beforeEach(() => {
  domain += 1;
});

afterEach(async () => {
  await helpers.close();
  await Promise.all(opened.splice(0).map((path) => path.close()));
});

function given(changes: Record<string, unknown> = {}): FanOutParameters {
  const ports = { domain, groupPort: 8200 + (domain % 50) };
  // Fast DDS aborts when a write without acknowledgements takes longer than `keepMs`.
  const short = { holdSeconds: 0.5, keepMs: 999 };
  return fanOutParameters.parse({ ...short, subscribersPerProcess: 2, ...ports, ...changes });
}

function planOf(name: FanOutCase, changes: Partial<RowPlan> = {}): RowPlan {
  return { measure: 'throughput', case: name, sampleBytes: 1024, subscribers: 3, repeat: null, ...changes };
}

interface Order {
  parameters: FanOutParameters;
  plan: RowPlan;
  path?: OpenPath;
  helpers?: Helpers;
  run?: string;
  onBegin?(): void;
  onSecond?(): void;
}

async function pathOf(parameters: FanOutParameters): Promise<OpenPath> {
  const path = await openPath(parameters);
  opened.push(path);
  return path;
}

async function measured(order: Order): Promise<FanOutReadings> {
  const { parameters, plan, run = 'test', onBegin = () => undefined, onSecond = () => undefined } = order;
  const path = order.path ?? (await pathOf(parameters));
  const context = {
    clock: machineClock,
    machine: machineBooks,
    samples: () => [],
    helper: order.helpers ?? helpers,
    signal: new AbortController().signal,
  };
  const limits = { matchLimitMs, beginAheadMs };
  const rest = { index: 0, run, ...limits, onBegin, onSecond };
  const found = await measure(context, { parameters, plan, path, ...rest });
  if (!found) throw new Error('It was not stopped');
  return found;
}

/** Measures until a row could be measured: on a busy machine, the publisher may not get to send, or the counter may miss packets. */
async function measuredWith(leastSamples: number, order: Order): Promise<FanOutReadings> {
  for (;;) {
    const found = await measured(order);
    if (isMeasured(found, leastSamples)) return found;
  }
}

function isMeasured({ published, counted }: FanOutReadings, leastSamples: number): boolean {
  return published.samples >= leastSamples && isAllCounted(counted);
}

/** The kernel may swap datagrams that leave from two cores, and a best-effort reader throws away what comes late. */
function keepPublisherOnOneCore(): void {
  for (const id of helpers.processIds['fan-out-publisher'] ?? []) execSync(`taskset -a -c -p 0 ${id}`);
}

/** Packets that the kernel dropped since a core had too many waiting: the second number of each core’s line, hexadecimal. */
function droppedByBacklog(): number {
  const lines = readFileSync('/proc/net/softnet_stat', 'latin1').trim().split('\n');
  return lines.reduce((sum, line) => sum + Number.parseInt(line.split(' ')[1] ?? '', 16), 0);
}

/** Commands at an end; what the last of them prints. */
function nft(end: End | undefined, ...commands: string[]): string {
  return commands.map((command) => String(execSync(`${end?.inside.join(' ')} nft ${command}`))).at(-1) ?? '';
}

function around({ kind, linkMbps }: OpenPath) {
  return { way: { kind, linkMbps }, thresholds: defaultThresholds };
}

test.each(['unicast reliable', 'multicast best-effort'] as const)(
  '%s over loopback: each subscriber sends pings back in its turn, and the way is proved',
  async (name) => {
    const [plan, parameters] = [planOf(name, { measure: 'latency' }), given()];
    const found = await measuredWith(1, { parameters, plan });
    const { roundTrips, published } = found;
    expect(roundTrips.map(({ subscriber }) => subscriber).sort()).toEqual([-1, 0, 1, 2]);
    const [all, ...each] = [...roundTrips].sort((one, other) => one.subscriber - other.subscriber);
    expect((all?.count ?? 0) + (all?.timedOut ?? 0)).toBe(published.samples);
    expect(all?.count).toBeGreaterThan(0);
    expect(each.reduce((sum, { count }) => sum + count, 0)).toBe(all?.count);
    expect(all?.minNs).toBeGreaterThan(0);
    expect(found.received.map(({ subscriber }) => subscriber)).toEqual([0, 1, 2]);
    expect(pathFault(plan, found, parameters)).toBeNull();
    expect(found.unmatched).toEqual([]);
  },
);

test('a round trip takes at least as long as the link takes to carry a sample', async () => {
  const parameters = given({ namespaces: 1, link: 20 });
  const plan = planOf('unicast best-effort', { measure: 'latency', subscribers: 1, sampleBytes: 63_000 });
  const path = await pathOf(parameters);
  const found = await measured({ parameters, plan, path });
  const row = measuredRow(frameOf(0), plan, found, parameters, around(path));
  const carriedMs = (8 * 63_000) / 20e6 / 1e-3;
  // By the way back nothing is shaped.
  expect(numberOf(row, 'ddsFanOut.latency.p50Us')).toBeGreaterThan((1000 * carriedMs) / 2);
  const [all] = found.roundTrips.filter(({ subscriber }) => subscriber === -1);
  expect((all?.count ?? 0) * carriedMs).toBeLessThan(1000);
});

const batchOfCase: Record<FanOutCase, number> = {
  ...{ 'unicast best-effort': 0, 'unicast reliable': 8192, 'multicast best-effort': 8192 },
  ...{ 'multicast reliable': 0, 'multicast reliable without acks': 8192 },
};
/** Of one payload: a batch of 8192 bytes goes in several. */
const datagramsOf = (batchBytes: number): number => (batchBytes === 0 ? 1 : 7);
/** Samples of 1024 bytes: by themselves, or as many as fit into a batch. */
const samplesOfPayload = (batchBytes: number): number => (batchBytes === 0 ? 1 : 8);

test('one data datagram in a hundred is dropped: counts agree at both ends, the log of the kernel and the proof of the way', async () => {
  const parameters = given({ namespaces: 2, link: 100 });
  const path = await pathOf(parameters);
  const chain = `'add chain ip loss in { type filter hook input priority 0 ; }'`;
  for (const end of path.subscribers) nft(end, 'add table ip loss', chain);
  for (const name of fanOutCases) {
    const batchBytes = batchOfCase[name];
    // A datagram of acknowledgements or heartbeats is smaller.
    const rule = 'add rule ip loss in udp length \\> 1000 numgen inc mod 100 0 counter drop';
    const order = { parameters: { ...parameters, batchBytes }, plan: planOf(name, { subscribers: 2 }), path };
    let backlogBefore = 0;
    const onBegin = (): void => {
      for (const end of path.subscribers) nft(end, 'flush chain ip loss in', rule);
      backlogBefore = droppedByBacklog();
      keepPublisherOnOneCore();
    };
    const found = await measuredWith(1000, { ...order, onBegin });
    const dropped = path.subscribers.map((end) =>
      Number(/counter packets (\d+)/.exec(nft(end, 'list table ip loss'))?.[1]),
    );
    for (const count of dropped) expect(count, name).toBeGreaterThan(0);
    const backlogDropped = droppedByBacklog() - backlogBefore;
    const { isReliable } = caseFacts(name);
    const samplesLost = samplesOfPayload(batchBytes);
    const { samples: sent, payloads, refused, isAcknowledged } = found.published;
    const [firstSentNs, lastSentNs] = [Number(found.published.firstNs), Number(found.published.lastNs)];
    expect(firstSentNs, name).toBeGreaterThanOrEqual(found.startNs);
    expect(firstSentNs, name).toBeLessThan(lastSentNs);
    expect(lastSentNs, name).toBeGreaterThanOrEqual(found.startNs + parameters.holdSeconds * 1e9);
    expect({ refused, isAcknowledged }, name).toEqual({ refused: 0, isAcknowledged: true });
    for (const [place, one] of found.received.entries()) {
      expect(one.samples + one.lost, name).toBe(sent);
      expect(lostIn(one.lostRanges), name).toBe(one.lost);
      expect(Number(one.firstNs), name).toBeGreaterThan(firstSentNs);
      expect(Number(one.firstNs), name).toBeLessThan(Number(one.lastNs));
      expect(one, name).toMatchObject({ duplicated: 0, damaged: 0, reordered: 0, bytes: one.samples * 1024 });
      // Exactly those of the rule, where a busy machine dropped none by itself. The last payload may be smaller.
      const most = isReliable ? 0 : samplesLost * (dropped[place] ?? 0);
      expect(one.lost, name).toBeGreaterThanOrEqual(Math.max(0, most - samplesLost));
      expect(one.lost, name).toBeLessThanOrEqual(most + (isReliable ? 0 : samplesLost * backlogDropped));
    }
    expect(found.strangers, name).toEqual([]);
    expect(pathFault(order.plan, found, order.parameters), name).toBeNull();
    for (const { data } of found.destinations.filter((one) => one.data > 0))
      expect(data, name).toBe(payloads * datagramsOf(batchBytes));
  }
});

/** Ranges are pairs of a first and a last number. */
function lostIn(ranges: readonly number[]): number {
  return ranges.reduce((sum, number, place) => sum + (place % 2 === 0 ? -number : number + 1), 0);
}

test('samples that never come are all lost, and pings that are never answered all timed out', async () => {
  const parameters = given({ namespaces: 1, link: 100 });
  const path = await pathOf(parameters);
  const chain = `'add chain ip loss in { type filter hook input priority 0 ; }'`;
  const rule = 'add rule ip loss in udp length \\> 1000 drop';
  for (const end of path.subscribers) nft(end, 'add table ip loss', chain, rule);
  const none = planOf('multicast best-effort', { subscribers: 1 });
  const { published, received } = await measuredWith(1, { parameters, plan: none, path });
  const { samples: sent } = published;
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ samples: 0, lost: sent, lostRanges: [0, sent - 1] });
  expect(received[0]).toMatchObject({ firstNs: '', lastNs: '' });
  const pings = planOf('unicast best-effort', { measure: 'latency', subscribers: 1 });
  const unanswered = await measuredWith(1, { parameters, plan: pings, path });
  const timedOut = unanswered.published.samples;
  expect(timedOut).toBeGreaterThan(0);
  for (const trips of unanswered.roundTrips) expect(trips).toMatchObject({ count: 0, timedOut });
});

test('others in the domain are named, and none of them is counted', async () => {
  const parameters = given({ holdSeconds: 1 });
  const plan = planOf('multicast reliable', { subscribers: 1 });
  const path = await pathOf(parameters);
  const runs = ['one', 'other'];
  const measureBoth = (): Promise<FanOutReadings[]> =>
    Promise.all(runs.map((run) => measured({ parameters, plan, path, run })));
  let both = await measureBoth();
  while (!both.every((found) => isMeasured(found, 1))) both = await measureBoth();
  for (const [index, found] of both.entries()) {
    const other = runs[1 - index];
    const { strangers, received, published } = found;
    expect(pathFault(plan, found, parameters)).toBeNull();
    expect(strangers.map(({ name }) => name)).toContain(`whiteline-fanout ${other} publisher 0`);
    // A participant that listens only to a group has no address.
    expect(strangers.map(({ address }) => address)).toContain('127.0.0.1');
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ lost: 0, samples: published.samples });
  }
});

test('a process that was stopped for a while is named, and its row is INVALID', async () => {
  const parameters = given({ namespaces: 1, link: 20, holdSeconds: 3 });
  const stoppedMs = 500;
  const plan = planOf('unicast reliable', { subscribers: 2 });
  const path = await pathOf(parameters);
  let isStopped = false;
  const onSecond = (): void => {
    const [id = Number.NaN] = helpers.processIds['fan-out-subscribers'] ?? [];
    if (!isStopped) process.kill(id, 'SIGSTOP');
    // Only from then on.
    if (!isStopped) setTimeout(() => process.kill(id, 'SIGCONT'), stoppedMs);
    isStopped = true;
  };
  const found = await measured({ parameters, plan, path, onSecond });
  const { stoppedNs = Number.NaN, starvedNs = Number.NaN } = found.processes[0] ?? {};
  // A look lies at most 50 ms before the stop, and the processor may have been away for the longer part of it.
  expect(stoppedNs + starvedNs).toBeGreaterThan(1e6 * (stoppedMs - 60));
  const row = measuredRow(frameOf(0), plan, found, parameters, around(path));
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toMatch(
    /our DDS fan-out \(subscribers 1 to 2\) process (was stopped|waited for a processor) for /,
  );
});

test('whichever process is killed, the row ends with its name, and nothing is left', async () => {
  await Promise.all(['fan-out-publisher', 'fan-out-subscribers', 'fan-out-counter'].map(killed));
});

async function killed(role: string): Promise<void> {
  const parameters = given({ namespaces: 1, link: 20, holdSeconds: 30 });
  const path = await pathOf(parameters);
  const own = new Helpers(machineClock, () => undefined);
  const onSecond = (): void => {
    for (const id of own.processIds[role] ?? []) process.kill(id, 'SIGKILL');
  };
  const ends = [path.publisher, ...path.subscribers];
  const namespaces = ends.map(({ inside: [, , processId = ''] }) => networkOf(processId));
  expect(holdersOf(namespaces)).not.toEqual([]);
  const plan = planOf('multicast reliable', { subscribers: 2 });
  await expect(measured({ parameters, path, plan, helpers: own, onSecond })).rejects.toThrow(
    /was killed \(SIGKILL\)/,
  );
  expect(own.processIds).toEqual({});
  await path.close();
  // What was killed may be on its way out.
  await vi.waitFor(() => expect(holdersOf(namespaces)).toEqual([]));
}
