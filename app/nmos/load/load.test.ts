import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { standstillGuards } from '../../engine/load/standstills';
import { fine, type Guard, violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import { defaultThresholds } from '../../protocol/thresholds';
import { TestRegistry } from '../../testing/nmos-registry';
import { ScriptedRegistry } from '../../testing/scripted-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually, settled } from '../../testing/time-passes';
import { json } from '../http/reply';
import { ask } from '../node/http-client';
import { Load, type LoadOptions } from './load';
import { type LoadFigures, LoadLedger, type NodeLedger } from './load-figures';
import { type Held, judgeLoad, type Removal } from './load-judgement';
import { loadTag } from './simulated-node';

/** Of the nodes; a registry has its own. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

const usual: Omit<LoadOptions, 'registries' | 'clock'> = {
  ...{ run: 'test', nodes: 20, connections: 'per-node', rampSeconds: 0 },
  ...{ heartbeatSeconds: 5, expirySeconds: 12, httpTimeoutSeconds: 30, retrySeconds: 1 },
  log: () => {},
};

const awake = { standstillMs: 5, standstillPercent: 0 };
const allFine = { others: fine, own: [] };
const allThere = { there: 6, expected: 6, why: '' };
/** Nodes wake at multiples of 40 ms. */
const heartbeatMs = 5050;
const steps = { stepMs: 100 };

function ofRun(registry: TestRegistry, type: string): Promise<string[]> {
  return registry.ids(`${type}?tags.${encodeURIComponent(loadTag)}=test`);
}

test.each(['per-node', 4] as const)(
  'with connections: %s all nodes are registered, and removed; a node of others stays',
  async (connections) => {
    const registry = await TestRegistry.start();
    const { node: stranger } = await registry.registerNode(1);
    const load = new Load({ ...usual, clock, connections, registries: [registry.origin] });
    await load.settled;
    for (const type of ['nodes', 'devices', 'sources', 'flows', 'senders', 'receivers'])
      expect(await ofRun(registry, type)).toHaveLength(20);
    const { times, ...figures } = load.figures();
    expect(figures).toMatchObject({
      nodes: 20,
      registered: 20,
      failures: 0,
      refused: 0,
      heartbeatsMissed: 0,
    });
    expect(figures.answers).toEqual({ registration: { 201: 120 }, heartbeat: {}, removal: {} });
    const { firstSeconds, p50Seconds, p99Seconds, lastSeconds } =
      times ?? expect.fail('no node was registered');
    expect([firstSeconds, p50Seconds, p99Seconds, lastSeconds]).toEqual(
      [firstSeconds, p50Seconds, p99Seconds, lastSeconds].sort((one, other) => one - other),
    );
    await load.close();
    expect(await registry.ids('nodes')).toEqual([stranger.id]);
    expect(load.figures()).toMatchObject({ registered: 0, answers: { removal: { 204: 120 } } });
  },
);

test('nodes that a registry forgot register again, and each heartbeat that it did not know is missed', async () => {
  const registry = await TestRegistry.start();
  const load = new Load({ ...usual, clock, registries: [registry.origin] });
  await load.settled;
  for (let heartbeats = 20; heartbeats <= 40; heartbeats += 20) {
    await clock.pass(heartbeatMs);
    await answered(load, heartbeats);
  }
  expect(load.figures().heartbeatsMissed).toBe(0);
  await registry.pass(13_000);
  await clock.pass(heartbeatMs);
  await eventually(clock, () => {
    expect(load.figures().heartbeatsMissed).toBe(20);
    expect(load.figures().registered).toBe(20);
  });
  expect(load.figures().answers.heartbeat['404']).toBe(20);
  expect(await ofRun(registry, 'senders')).toHaveLength(20);
  expect(judged(load.figures(), 5)).toMatchObject({
    verdict: 'FAIL',
    reason: '20 heartbeats missed (unknown to the registry (404): 20)',
  });
  await load.close();
});

test('where one of two registries ends, its nodes go to the other', async () => {
  const [one, other] = [await TestRegistry.start(), await TestRegistry.start()];
  const load = new Load({ ...usual, clock, registries: [one.origin, other.origin] });
  await load.settled;
  expect(await ofRun(one, 'nodes')).toHaveLength(10);
  expect(await ofRun(other, 'nodes')).toHaveLength(10);
  await one.close();
  await clock.pass(heartbeatMs);
  await eventually(clock, async () => expect(await ofRun(other, 'receivers')).toHaveLength(20), steps);
  await eventually(clock, () => expect(load.figures().registered).toBe(20), steps);
  expect(load.figures()).toMatchObject({ failures: 10, heartbeatsMissed: 10 });
  await load.close();
  expect(await ofRun(other, 'nodes')).toEqual([]);
});

test('a load without a registry ends when it is closed', async () => {
  const lines: string[] = [];
  const load = new Load({
    ...usual,
    clock,
    registries: ['http://127.0.0.1:1'],
    log: (line) => lines.push(line),
  });
  await eventually(clock, () => expect(load.figures().failures).toBeGreaterThan(20), steps);
  await load.close();
  const figures = load.figures();
  expect(figures).toMatchObject({ registered: 0, times: null, heartbeat: null, heartbeatsMissed: 0 });
  const reason = expect.stringMatching(/^0 of 20 nodes registered \(no answer: \d+\)$/);
  expect(judged(figures, 5)).toEqual({ verdict: 'FAIL', reason });
  expect(lines[0]).toContain(
    'The registry http://127.0.0.1:1 failed: connection refused, nothing listens on that port',
  );
});

/** It takes all resources, and answers no heartbeat once it is deaf. */
async function registryThatMayBeDeaf(): Promise<{ origin: string; deafen(): void }> {
  let isDeaf = false;
  const server = createServer((request, response) => {
    const { url = '', method } = request;
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      if (method === 'DELETE') response.writeHead(204).end();
      else if (!url.includes('/health/')) response.writeHead(201).end(JSON.stringify(JSON.parse(text).data));
      else if (!isDeaf) response.end('{}');
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const deafen = (): void => {
    isDeaf = true;
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, deafen };
}

test('senders that another client deletes are missed when the load removes them', async () => {
  const registry = await TestRegistry.start();
  const load = new Load({ ...usual, clock, registries: [registry.origin] });
  await load.settled;
  const agent = new Agent();
  for (const id of (await ofRun(registry, 'senders')).slice(0, 3)) {
    const url = `${registry.origin}/x-nmos/registration/v1.3/resource/senders/${id}`;
    expect((await ask({ method: 'DELETE', url, timeoutMs: 5000, agent })).status).toBe(204);
  }
  agent.destroy();
  const figures = load.figures();
  const removal = { staying: await load.close(), answers: load.figures().answers.removal };
  expect(removal).toEqual({ staying: 0, answers: { 204: 117, 404: 3 } });
  expect(judged(figures, 5, removal)).toEqual({
    verdict: 'FAIL',
    reason:
      '3 removals not answered as IS-04 requires (404: 3): the registry lost resources (404), or another client removed them',
  });
});

test.each<[string, Partial<LoadFigures['answers']>, Partial<Removal>, string]>([
  [
    'registrations that came at a second try',
    { registration: { 201: 119, 503: 2, none: 1 } },
    {},
    '3 registrations not answered as IS-04 requires (503: 2, no answer: 1)',
  ],
  [
    'nodes that the registry does not remove',
    {},
    { answers: { 204: 60, 500: 10 }, staying: 10 },
    '10 removals not answered as IS-04 requires (500: 10); 10 nodes could not be removed at the end, and stay in the registry until they expire',
  ],
])('%s are a FAIL', (_, answers, removal, reason) => {
  const { ledger } = ledgerOfOne();
  const figures = ledger.figures();
  const answered = { ...figures, answers: { ...figures.answers, ...answers } };
  expect(judged(answered, 5, { answers: {}, staying: 0, ...removal })).toEqual({ verdict: 'FAIL', reason });
});

test('a load that stood still is INVALID, and what went wrong is said all the same', () => {
  const figures = ledgerOfOne().ledger.figures();
  const { verdict, reason } = judged(figures, 1200, { answers: { 404: 3 }, staying: 0 });
  expect(verdict).toBe('INVALID');
  expect(reason).toMatch(
    /^3 removals not answered as IS-04 requires \(404: 3\): .+, not judged: the simulated nodes stalled for 1\.20 s: /,
  );
});

test('removals of an earlier run’s nodes, before they are registered anew, are none of the end', () => {
  const figures = ledgerOfOne().ledger.figures();
  const before = { ...figures, answers: { ...figures.answers, removal: { 204: 1, 404: 2 } } };
  expect(judged(before, 5, { answers: { 204: 7, 404: 2 }, staying: 0 }).verdict).toBe('PASS');
});

test('heartbeats that are never answered hold up neither a stop nor the removal', async () => {
  const stop = new AbortController();
  const patience = { expirySeconds: 3600, httpTimeoutSeconds: 3600 };
  const { origin, deafen } = await registryThatMayBeDeaf();
  const load = new Load({ ...usual, clock, ...patience, registries: [origin] });
  await load.settled;
  deafen();
  await clock.pass(heartbeatMs);
  await eventually(clock, () => expect(load.figures().answers.heartbeat.underway).toBe(20));
  const over = load.heartbeatsOver(stop.signal);
  stop.abort();
  await settled(clock, over);
  await load.close();
  expect(load.figures().answers.removal).toEqual({ 204: 120 });
});

test('nodes that came after the time that was waited for them are late', () => {
  const { ledger } = ledgerOfOne();
  const { verdict, reason } = judgeLoad(
    ledger.figures(),
    awake,
    2,
    { answers: {}, staying: 0 },
    allFine,
    allThere,
  );
  expect([verdict, wordsOf(reason)]).toEqual([
    'FAIL',
    'the last of 1 node registered after the time limit of 2 s',
  ]);
});

test('where no node is removed any more, the others are not tried, and all that stay are counted', async () => {
  const { url } = await ScriptedRegistry.start(({ method }) =>
    method === 'DELETE' ? json(500, {}) : undefined,
  );
  const load = new Load({ ...usual, clock, nodes: 120, registries: [url] });
  await load.settled;
  expect(await load.close()).toBe(120);
  expect(load.figures().answers.removal).toEqual({ 500: 50 });
});

test('what a registry never said that it has does not stay there', async () => {
  const load = new Load({ ...usual, clock, nodes: 3, connections: 3, registries: ['http://127.0.0.1:1'] });
  await eventually(clock, () => expect(load.figures().failures).toBeGreaterThan(2), steps);
  expect(await load.close()).toBe(0);
});

test('what nodes do not send in a silence of ours is neither missed nor retried, and accuses no registry', async () => {
  const registry = await TestRegistry.start();
  const lines: string[] = [];
  const times = { httpTimeoutSeconds: 2, expirySeconds: 600 };
  const load = new Load({
    ...{ ...usual, ...times, clock, nodes: 3, registries: [registry.origin] },
    log: (line) => lines.push(line),
  });
  await load.settled;
  load.beginPart();
  load.isSilent = true;
  await clock.pass(heartbeatMs);
  expect(load.figures().registered).toBe(3);
  await clock.pass(2000);
  expect(load.figures()).toMatchObject({ registered: 0, failures: 0, missedBy: {} });
  load.isSilent = false;
  await eventually(clock, () => expect(load.figures().registered).toBe(3), steps);
  expect(lines.join()).not.toContain('not sent');
  await load.close();
});

/** Until the registries have answered so many heartbeats. Time stands still. */
function answered(load: Load, heartbeats: number): Promise<void> {
  return vi.waitFor(() => expect(load.figures().heartbeat?.count).toBe(heartbeats));
}

const taken = violatedBy([reasonOf('others-busy', { percent: 60, limitPercent: 25 })]);
const unknown: Guard = { state: 'not-evaluated', facts: [reasonOf('not-checked', { what: 'a', why: 'b' })] };

test.each<[string, number, Guard, Verdict, string[]]>([
  ['none is missed on a quiet machine', 0, fine, 'PASS', ['nodes-held']],
  ['none is missed whatever others took', 0, taken, 'PASS', ['nodes-held', 'others-busy']],
  ['some are missed on a quiet machine', 2, fine, 'FAIL', ['heartbeats-missed']],
  ['some are missed while others took the CPU', 2, taken, 'INVALID', ['heartbeats-missed', 'others-busy']],
  ['some are missed, and others are not known', 2, unknown, 'INVALID', ['heartbeats-missed', 'not-checked']],
])('of the heartbeats %s', (_, heartbeatsMissed, others, verdict, codes) => {
  const figures = { ...ledgerOfOne().ledger.figures(), heartbeatsMissed };
  const found = judgeLoad(
    figures,
    { ...awake, standstillMs: 0 },
    null,
    { answers: {}, staying: 0 },
    { ...allFine, others },
    allThere,
  );
  expect([found.verdict, found.reason.map(({ code }) => code)]).toEqual([verdict, codes]);
});

test.each<[string, 'stopped' | 'starved', number, number, Verdict, string[]]>([
  ['was stopped for longer than it may', 'stopped', 1.2, 0, 'INVALID', ['process-stopped']],
  ['was stopped for less, and missed some', 'stopped', 0.2, 2, 'FAIL', ['heartbeats-missed']],
  ['waited for a processor, and missed none', 'starved', 1.2, 0, 'PASS', ['nodes-held', 'process-starved']],
  ['waited so, and missed some', 'starved', 1.2, 2, 'INVALID', ['heartbeats-missed', 'process-starved']],
])('where the load %s', (_, kind, seconds, heartbeatsMissed, verdict, codes) => {
  const figures = { ...ledgerOfOne().ledger.figures(), heartbeatsMissed };
  const piece = { who: { role: 'nodes' }, kind, fromNs: 1e9, toNs: 1e9 * (1 + seconds) };
  const own = standstillGuards([piece], defaultThresholds);
  const removal = { answers: {}, staying: 0 };
  const found = judgeLoad(figures, awake, null, removal, { ...allFine, own }, allThere);
  expect([found.verdict, found.reason.map(({ code }) => code)]).toEqual([verdict, codes]);
});

test.each<[string, Held, Verdict, string[]]>([
  ['all are there', allThere, 'PASS', ['nodes-held']],
  ['what was answered with 201 is not there', { ...allThere, there: 0 }, 'FAIL', ['resources-lost']],
  [
    'it could not be asked',
    { ...allThere, there: null, why: 'no Query API' },
    'PASS',
    ['nodes-held', 'not-checked'],
  ],
])('of what a registry holds: %s', (_, held, verdict, codes) => {
  const figures = ledgerOfOne().ledger.figures();
  const found = judgeLoad(figures, awake, null, { answers: {}, staying: 0 }, allFine, held);
  expect([found.verdict, found.reason.map(({ code }) => code)]).toEqual([verdict, codes]);
});

function judged(
  figures: LoadFigures,
  standstillMs: number,
  removal: Removal = { answers: figures.answers.removal, staying: 0 },
): { verdict: string; reason: string } {
  const stall = { ...awake, standstillMs };
  const { verdict, reason } = judgeLoad(figures, stall, null, removal, allFine, allThere);
  return { verdict, reason: wordsOf(reason) };
}

/** A load of one node, by a clock that is set. */
function ledgerOfOne(): { ledger: LoadLedger; node: NodeLedger; at: (seconds: number) => void } {
  let nowMs = 0;
  const ledger = new LoadLedger(1, 12, () => nowMs);
  const at = (seconds: number): void => {
    nowMs = seconds * 1000;
  };
  const node = ledger.node();
  at(0.1);
  node.ended({ of: 'registration', status: 201, tookMs: 1 });
  node.registered('http://192.0.2.1');
  return { ledger, node, at };
}

test('a heartbeat that comes later than the registry keeps its node is missed, and a load that stood still is INVALID', () => {
  const { ledger, node, at } = ledgerOfOne();
  at(12.1);
  node.ended({ of: 'heartbeat', status: 200, tookMs: 2 });
  expect(ledger.figures().heartbeatsMissed).toBe(0);
  expect(judged(ledger.figures(), 5)).toEqual({
    verdict: 'PASS',
    reason: '1 node with 6 resources each registered in 0.10 s; 1 heartbeat, none missed',
  });
  at(24.2);
  node.ended({ of: 'heartbeat', status: 200, tookMs: 2 });
  expect(ledger.figures()).toMatchObject({ missedBy: { late: 1 }, heartbeat: { count: 2 } });
  expect(judged(ledger.figures(), 1001).verdict).toBe('INVALID');
});

test('a heartbeat that a silence of ours held back is not late', () => {
  const { ledger, node, at } = ledgerOfOne();
  ledger.isSilent = true;
  at(20);
  expect(ledger.figures().heartbeatsMissed).toBe(0);
  node.unsent();
  node.ended({ of: 'heartbeat', status: null, tookMs: 5000 });
  ledger.isSilent = false;
  node.ended({ of: 'heartbeat', status: 200, tookMs: 2 });
  expect(ledger.figures()).toMatchObject({ failures: 0, missedBy: {}, heartbeat: { count: 1 } });
});

test('a heartbeat that is never answered is waited for while it may come in time, and is missed then', () => {
  const { ledger, node, at } = ledgerOfOne();
  at(5);
  expect(ledger.heartbeatsUnderway()()).toBe(false);
  node.begins('heartbeat');
  const isWaiting = ledger.heartbeatsUnderway();
  at(12);
  expect(isWaiting()).toBe(true);
  expect(ledger.figures().answers.heartbeat).toEqual({ underway: 1 });
  expect(ledger.figures().heartbeatsMissed).toBe(0);
  at(12.2);
  expect(isWaiting()).toBe(false);
  expect(judged(ledger.figures(), 5)).toEqual({
    verdict: 'FAIL',
    reason: '1 heartbeat missed (later than the expiry: 1)',
  });
  node.ended({ of: 'heartbeat', status: null, tookMs: 8000 });
  expect(ledger.figures()).toMatchObject({ heartbeatsMissed: 1, missedBy: { none: 1 } });
});

test('of heartbeats those are waited for that were on their way then, not those that follow', () => {
  const { ledger, node } = ledgerOfOne();
  node.begins('heartbeat');
  const isWaiting = ledger.heartbeatsUnderway();
  expect(isWaiting()).toBe(true);
  node.ended({ of: 'heartbeat', status: 200, tookMs: 2 });
  node.begins('heartbeat');
  expect(isWaiting()).toBe(false);
});

test('a heartbeat that is answered with 201 is none, for the node as for its ledger', () => {
  const { ledger, node } = ledgerOfOne();
  node.ended({ of: 'heartbeat', status: 201, tookMs: 2 });
  expect(ledger.figures()).toMatchObject({ failures: 1, heartbeatsMissed: 1, missedBy: { 201: 1 } });
});

test('a node that is refused again and again is one, and is counted anew in the next part', () => {
  const { ledger, node } = ledgerOfOne();
  node.refused();
  node.refused();
  expect(ledger.figures().refused).toBe(1);
  ledger.beginPart();
  expect(ledger.figures().refused).toBe(0);
});

test('a node that stayed registered is back with its first heartbeat after a silence', () => {
  const { ledger, node, at } = ledgerOfOne();
  ledger.beginPart();
  ledger.isSilent = true;
  at(5);
  ledger.beginRecovery(null, () => {});
  ledger.isSilent = false;
  at(5.25);
  node.ended({ of: 'heartbeat', status: 200, tookMs: 250 });
  expect(ledger.recovered()).toMatchObject({ nodes: 1, back: 1, comings: { seconds: [0.25] } });
});

test('a node that comes back too late for its part is none of those of the next', () => {
  const { ledger, node } = ledgerOfOne();
  ledger.beginRecovery(null, () => {});
  node.left();
  ledger.beginPart();
  ledger.beginRecovery('http://192.0.2.2', () => {});
  node.registered('http://192.0.2.1');
  expect(ledger.recovered()).toMatchObject({ nodes: 0, back: 0 });
});
