import { execSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cpus } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type FanOutCase,
  type FanOutParameters,
  fanOutCases,
  fanOutParameters,
} from '../../../protocol/experiments/fan-out/declaration';
import { wordsOf } from '../../../protocol/reason-words';
import type { ClosedRow } from '../../../protocol/row';
import { numberOf } from '../../../protocol/row-figures';
import { defaultThresholds } from '../../../protocol/thresholds';
import { frameOf } from '../../../testing/made-up-quiet';
import { Random, seeds } from '../../../testing/random';
import { Helpers } from '../../capabilities/helper/helpers';
import { machineClock } from '../../clock';
import type { ContextWith } from '../experiment';
import { fanOut } from './fan-out';
import { fanOutProgram } from './fan-out-program';
import { measuredRow } from './fan-out-rows';
import { beginAheadMs, type Measured, measure } from './measure';
import { type End, type OpenPath, openPath } from './path';
import { pathFault } from './proof';
import { caseFacts, datagramBytes, type RowPlan } from './row-plan';

// Own namespaces need root, as those of e2e/network do.
const helpers = new Helpers(machineClock, () => undefined);
const opened: OpenPath[] = [];
/** Away from the domain in which a console may run. */
let domain = 200;

beforeEach(() => {
  domain += 1;
});

afterEach(async () => {
  await helpers.close();
  await Promise.all(opened.splice(0).map((path) => path.close()));
});

function given(changes: Record<string, unknown> = {}): FanOutParameters {
  const ports = { domain, groupPort: 8200 + (domain % 50) };
  const short = { durationSeconds: 0.5, keepMs: 400 };
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
  matchLimitMs?: number;
  run?: string;
  onBegin?(): void;
}

async function pathOf(parameters: FanOutParameters): Promise<OpenPath> {
  const path = await openPath(parameters);
  opened.push(path);
  return path;
}

async function measured(order: Order): Promise<Measured> {
  const { parameters, plan, matchLimitMs = 30_000, run = 'test', onBegin = () => undefined } = order;
  const path = order.path ?? (await pathOf(parameters));
  const context = {
    clock: machineClock,
    helper: order.helpers ?? helpers,
    signal: new AbortController().signal,
  };
  const limits = { matchLimitMs, beginAheadMs };
  const rest = { index: 0, run, ...limits, onBegin, onSecond: () => undefined };
  const found = await measure(context, { parameters, plan, path, ...rest });
  if (!found) throw new Error('It was not stopped');
  return found;
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
  return { way: { kind, linkMbps }, cores: cpus().length, thresholds: defaultThresholds };
}

test.each([
  ['unicast reliable', 8192],
  ['multicast best-effort', 0],
  ['multicast reliable without acks', 8192],
] as const)(
  '%s, batches of %d bytes: counts agree at both ends, and the way is proved',
  async (name, batchBytes) => {
    const parameters = given({ batchBytes });
    const plan = planOf(name);
    const found = await measured({ parameters, plan, onBegin: keepPublisherOnOneCore });
    const { samples, refused, isAcknowledged } = found.published;
    expect(samples).toBeGreaterThan(100);
    expect({ refused, isAcknowledged }).toEqual({ refused: 0, isAcknowledged: true });
    expect(found.received.map(({ subscriber }) => subscriber)).toEqual([0, 1, 2]);
    for (const one of found.received) {
      expect(one.samples + one.lost).toBe(samples);
      expect(one).toMatchObject({ duplicated: 0, damaged: 0, reordered: 0 });
      expect(one.bytes).toBe(one.samples * 1024);
      // In the other cases nothing holds the publisher back where a socket or the kernel’s backlog is full.
      if (caseFacts(name).acknowledges) expect(one.lost).toBe(0);
    }
    expect(pathFault(plan, found, parameters)).toBeNull();
    expect(found.strangers).toEqual([]);
    expect(found.unmatched).toEqual([]);
    const perPayload = batchBytes === 0 ? 1 : 7;
    for (const { data } of found.destinations.filter((one) => one.data > 0))
      expect(data).toBe(found.published.payloads * perPayload);
  },
);

test.each(['unicast reliable', 'multicast best-effort'] as const)(
  '%s: each subscriber sends pings back in its turn',
  async (name) => {
    const plan = planOf(name, { measure: 'latency' });
    const { roundTrips, published } = await measured({ parameters: given(), plan });
    expect(roundTrips.map(({ subscriber }) => subscriber).sort()).toEqual([-1, 0, 1, 2]);
    const [all, ...each] = [...roundTrips].sort((one, other) => one.subscriber - other.subscriber);
    expect(all).toMatchObject({ timedOut: 0, count: published.samples });
    expect(each.reduce((sum, { count }) => sum + count, 0)).toBe(all?.count);
    expect(all?.minNs).toBeGreaterThan(0);
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

test.each(fanOutCases)('%s: one data datagram in a hundred is dropped', async (name) => {
  const parameters = given({ namespaces: 2, link: 100, batchBytes: 0 });
  const path = await pathOf(parameters);
  const chain = `'add chain ip loss in { type filter hook input priority 0 ; }'`;
  const rule = 'add rule ip loss in udp length \\> 1000 numgen inc mod 100 0 counter drop';
  for (const end of path.subscribers) nft(end, 'add table ip loss', chain, rule);
  const plan = planOf(name, { subscribers: 2 });
  const backlogBefore = droppedByBacklog();
  const found = await measured({ parameters, plan, path, onBegin: keepPublisherOnOneCore });
  const dropped = path.subscribers.map((end) => {
    return Number(/counter packets (\d+)/.exec(nft(end, 'list table ip loss'))?.[1]);
  });
  for (const count of dropped) expect(count).toBeGreaterThan(10);
  const backlogDropped = droppedByBacklog() - backlogBefore;
  const { isReliable } = caseFacts(name);
  for (const [place, { lost }] of found.received.entries()) {
    const byRule = isReliable ? 0 : (dropped[place] ?? 0);
    expect(lost).toBeGreaterThanOrEqual(byRule);
    // Exactly those, where a busy machine dropped none by itself.
    expect(lost).toBeLessThanOrEqual(byRule + (isReliable ? 0 : backlogDropped));
  }
  for (const { samples, lost } of found.received) expect(samples + lost).toBe(found.published.samples);
  expect(found.published).toMatchObject({ refused: 0, isAcknowledged: true });
  expect(found.strangers).toEqual([]);
  expect(pathFault(plan, found, parameters)).toBeNull();
});

test('a subscriber that never matches is named, and the others have their figures', async () => {
  const parameters = given({ namespaces: 2, link: 20 });
  const path = await pathOf(parameters);
  const [, silent] = path.subscribers;
  nft(
    silent,
    'add table ip wall',
    `'add chain ip wall in { type filter hook input priority 0 ; policy drop ; }'`,
  );
  const plan = planOf('unicast reliable', { subscribers: 2 });
  const found = await measured({ parameters, plan, path, matchLimitMs: 5000 });
  expect(found.unmatched).toEqual([1]);
  expect(found.received[0]).toMatchObject({ lost: 0, samples: found.published.samples });
  const row = measuredRow(frameOf(0), plan, found, parameters, around(path));
  expect(row.verdict).toBe('FAIL');
  expect(row.reason[0]).toMatchObject({ code: 'never-matched', data: { subscribers: 'subscriber 2' } });
  expect(row.subjects.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL']);
  expect(numberOf(row, 'ddsFanOut.minMbps')).toBeGreaterThan(0);
});

test('others in the domain are named, and none of them is counted', async () => {
  const parameters = given({ durationSeconds: 1 });
  const plan = planOf('multicast reliable', { subscribers: 1 });
  const path = await pathOf(parameters);
  const [first, second] = await Promise.all([
    measured({ parameters, plan, path, run: 'one' }),
    measured({ parameters, plan, path, run: 'other' }),
  ]);
  for (const [found, other] of [[first, 'other'] as const, [second, 'one'] as const]) {
    const { strangers, received, published } = found;
    expect(pathFault(plan, found, parameters)).toBeNull();
    expect(strangers.map(({ name }) => name)).toContain(`whiteline-fanout ${other} publisher 0`);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ lost: 0, samples: published.samples });
  }
});

test('a publisher of others that waits in the domain is a warning', async () => {
  // A link that is full, whatever else this machine does.
  const parameters = given({ namespaces: 1, link: 20 });
  const plan = planOf('multicast reliable', { subscribers: 1 });
  const path = await pathOf(parameters);
  const { helper } = await helpers.start(fanOutProgram('publisher', path.publisher));
  const { keepMs, group, groupPort, sendBufferBytes, receiveBufferBytes } = parameters;
  await helper.send({
    ...{ type: 'publish', domain, topic: 'waits', run: 'waits', address: path.publisher.address },
    ...{ ...caseFacts(plan.case), keepMs, group, groupPort, sampleBytes: 1024, batchBytes: 0 },
    ...{ datagramBytes, sendBufferBytes, receiveBufferBytes, subscribers: 1, isLatency: false },
  });
  expect(await helper.receive()).toMatchObject({ type: 'open' });
  const found = await measured({ parameters, plan, path });
  const row = measuredRow(frameOf(0), plan, found, parameters, around(path));
  expect(row.reason).toMatchObject([{ code: 'strangers-in-domain', data: { domain } }]);
  expect(wordsOf(row.reason)).toContain('whiteline-fanout waits publisher 0');
  expect(row.verdict).toBe('WARN');
});

test('a process that was stopped for a while is named, and its row is INVALID', async () => {
  const parameters = given({ namespaces: 1, link: 20, durationSeconds: 3 });
  const plan = planOf('unicast reliable', { subscribers: 2 });
  const path = await pathOf(parameters);
  const [stoppedMs, intoRowMs] = [500, 300];
  const stop = (id: number): void => {
    process.kill(id, 'SIGSTOP');
    // Only from then on: two timers that are held up end together.
    setTimeout(() => process.kill(id, 'SIGCONT'), stoppedMs);
  };
  const onBegin = (): void => {
    const [id = Number.NaN] = helpers.processIds['fan-out-subscribers'] ?? [];
    setTimeout(() => stop(id), beginAheadMs + intoRowMs);
  };
  const found = await measured({ parameters, plan, path, onBegin });
  expect(found.processes[0]?.stoodStillNs).toBeGreaterThan(300e6);
  const row = measuredRow(frameOf(0), plan, found, parameters, around(path));
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toContain('subscribers 1 to 2 stood still for up to ');
});

test.each(seeds)(
  'wherever a process is killed, the row ends with its name, and nothing is left: seed %d',
  async (seed) => {
    const random = new Random(seed);
    const roles = ['fan-out-publisher', 'fan-out-subscribers', 'fan-out-counter'];
    const kills = Array.from({ length: 7 }, () => ({
      role: random.pick(roles),
      afterMs: random.whole(0, 900),
    }));
    await Promise.all(
      kills.map(async ({ role, afterMs }) => {
        const parameters = given({ namespaces: 1, link: 20, durationSeconds: 30 });
        const path = await pathOf(parameters);
        const own = new Helpers(machineClock, () => undefined);
        const plan = planOf('multicast reliable', { subscribers: 2 });
        const outcome = expect(measured({ parameters, path, plan, helpers: own })).rejects.toThrow(
          /was ended by SIGKILL/,
        );
        await vi.waitFor(() => expect(own.processIds[role] ?? []).not.toEqual([]), pollOften);
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        const ends = [path.publisher, ...path.subscribers];
        const namespaces = ends.map(({ inside: [, , processId = ''] }) => namespaceOf(processId));
        const [victim] = own.processIds[role] ?? [];
        if (victim !== undefined) process.kill(victim, 'SIGKILL');
        await outcome;
        expect(own.processIds).toEqual({});
        await path.close();
        expect(holdersOf(namespaces)).toEqual([]);
      }),
    );
  },
);

test('rows before and behind those in which a process was killed are kept', async () => {
  const random = new Random(seeds[1] ?? 1);
  const victims = ['fan-out-publisher', 'fan-out-subscribers', 'fan-out-counter'];
  const changes = { cases: ['multicast reliable'], sampleBytes: [1024], subscribers: [2], repeats: 5 };
  // A row lasts for longer than until the latest kill.
  const parameters = given({ ...changes, namespaces: 1, link: 100, durationSeconds: 2 });
  const found: ClosedRow[] = [];
  for await (const row of fanOut.run(parameters, runContext())) {
    found.push(row);
    const role = victims[found.length - 1];
    if (role === undefined) continue;
    void vi
      .waitFor(() => expect(helpers.processIds[role] ?? []).not.toEqual([]), pollOften)
      .then(() => new Promise((resolve) => setTimeout(resolve, random.whole(0, 1000))))
      .then(() => process.kill(helpers.processIds[role]?.[0] ?? Number.NaN, 'SIGKILL'));
  }
  const [before, ...others] = found;
  const behind = others.pop();
  for (const row of [before, behind]) expect(row && numberOf(row, 'ddsFanOut.samplesLost')).toBe(0);
  expect(others.map(({ verdict }) => verdict)).toEqual(['INVALID', 'INVALID', 'INVALID']);
  for (const [index, who] of ['publisher', 'subscribers 1 to 2', 'counter'].entries())
    expect(wordsOf(others[index]?.reason ?? [])).toContain(`DDS fan-out (${who}) was ended by SIGKILL`);
});

function runContext(): ContextWith<'helper'> {
  return {
    ...{ thresholds: defaultThresholds, signal: new AbortController().signal, folder: '', helper: helpers },
    ...{ isoNow: () => new Date().toISOString(), progress: () => undefined, noteEvent: () => undefined },
    ...{ clock: machineClock, samples: () => [], processIds: () => [] },
  };
}

const pollOften = { timeout: 20_000, interval: 1 };

function namespaceOf(processId: string): string | null {
  try {
    return readlinkSync(`/proc/${processId}/ns/net`);
  } catch {
    return null;
  }
}

/** The kernel keeps a namespace as long as a process is in it. */
function holdersOf(namespaces: readonly (string | null)[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => namespaces.includes(namespaceOf(name) ?? 'none'));
}
