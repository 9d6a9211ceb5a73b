import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WhitelineError } from '../protocol/errors';
import { agentHostCommands, checkedHostMessage } from '../protocol/fleet/agent-host-messages';
import { mostMovies, movieListSchema } from '../protocol/fleet/movie-list';
import { presenceOf } from '../protocol/fleet/presence';
import { toHostSubject } from '../protocol/fleet/subjects';
import { plainLine } from '../protocol/plain-text';
import { packRecords, unpackRecords } from '../protocol/record-block';
import { safeParse } from '../protocol/safe-parse';
import { captures, misses, range, sourceRecords, submits } from '../testing/columns';
import { mutated } from '../testing/fuzz/mutate';
import { loadSample, roleLoad } from '../testing/load-sample';
import { cases, Random, seeds } from '../testing/random';
import { Lease } from './bus/lease';
import { Agents } from './console/agents';
import { Fleet } from './console/fleet';
import { Bench, leaseKeyOf } from './fleet.fixture';

const count = cases(3000, 20_000);
const [seed] = seeds;

/** Values like these, each varied at random; of a failure the seed is told. */
async function each(good: readonly unknown[], act: (value: unknown) => unknown): Promise<void> {
  for (let index = 0; index < count; index++) {
    const random = new Random(seed + index);
    try {
      await act(mutated(random.pick(good), random));
    } catch (error) {
      expect.fail(`WHITELINE_SEED=${seed + index}: ${(error as Error).stack}`);
    }
  }
}

/** What is asked is done or refused in words, and nothing else. True: it is done. */
function isDone(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof WhitelineError) return false;
      throw error;
    },
  );
}

/** No lease has it: they are given higher ones. */
const fence = 999_999;
const firstFence = 1e9;
const key = 'a1b2c3d4e5f6a7b8'.repeat(2);
const agentCommands = [
  { name: 'hello', protocol: 1, version: '1.0.0' },
  { name: 'lease.acquire', holder: 'control-1', key },
  { name: 'lease.renew', fence, key },
  { name: 'lease.release', fence, key },
  { name: 'host.start', fence, key, role: 'sending', number: 1, transport: { name: 'ndi' } },
  { name: 'host.end', fence, key, hostId: 'a1b2c3d4e5f6a7b8' },
  { name: 'movies.list', key },
  { name: 'movies.inspect', key, settings: { source: 'a.mov', format: '640x360@30', pixelFormat: 'uyvy' } },
  { name: 'time' },
  { name: 'log.list', fence, key },
  { name: 'log.read', fence, key, logId: 1, from: 0 },
  { name: 'log.digest', fence, key, logId: 1 },
];

const source = {
  ...{ kind: 'white-line', width: 1280, height: 720, rateNumerator: 60, rateDenominator: 1 },
  ...{ aspect: 1.78, pixelFormat: 'uyvy' },
};
const load = { measuredNs: 1, cpuPercent: 1, gpuPercent: null, othersPercent: 1, stealPercent: 0 };
const hostCommands = [
  { name: 'start', searchHosts: ['192.0.2.7', 'render-pc'] },
  { name: 'openSource', sourceId: 1, codeSourceId: 2, options: source },
  { name: 'closeSource', sourceId: 1 },
  { name: 'openSender', streamId: 1, sourceId: 1, senderName: 'a', shareRecords: true, audio: true },
  { name: 'closeSender', streamId: 1 },
  { name: 'setFaults', streamId: 1, faults: [{ verb: 'delay', first: 1, last: 2, delayMs: 3 }] },
  { name: 'sendLoad', load },
  { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', address: '192.0.2.7:5961', askTime: true },
  { name: 'closeReceiver', streamId: 1 },
  { name: 'discover', seconds: 1 },
  { name: 'threadPolicy' },
  { name: 'sendEnvironment', messages: [] },
  { name: 'cancel', requestId: 1 },
  { name: 'flush' },
];
const requests = hostCommands.map((command) => ({ type: 'request', requestId: 3, command }));

const records = packRecords({
  ...{ type: 'records', atNs: 5, processIds: [], traffic: { atNs: 1, sockets: null } },
  standstills: [{ kind: 'stopped', fromNs: 1, toNs: 2 }],
  logGaps: [{ streamId: 1, frames: 2, why: 'No space left on device', isFinal: true }],
  sources: [
    {
      sourceId: 1,
      status: {
        ...{ state: 'running', sourceId: 5, startNs: 1, message: '', commandProcessId: 0 },
        ...{ diskRateMBps: 1, damagedPictures: 0, damage: '', realTimeFinding: '' },
      },
      records: sourceRecords([1, 2, 3]),
    },
  ],
  senders: [
    {
      ...{ streamId: 1, firstSlot: 0, connections: 1, metadataDropped: 0, realTimeFinding: '' },
      submits: submits([1, 2], { beginNs: () => 6 }),
      misses: misses([3]),
    },
  ],
  receivers: [
    {
      ...{
        streamId: 1,
        sourceName: 'M (s)',
        address: '',
        openedNs: 2,
        listed: null,
        status: null,
        metadata: ['<a/>'],
        soundPeakDbfs: -20,
      },
      captures: captures([{ captureNs: 7, frameNumber: 1 }]),
      audio: {
        ...{ captureNs: new Float64Array(1), frameNumber: new Float64Array(1), samples: new Uint32Array(1) },
        ...{ sampleRate: new Uint32Array(1), burstNs: new Float64Array(1), overflowed: 0 },
      },
      time: {
        ...{ askedUs: new Float64Array(1), heardUs: new Float64Array(1), repliedUs: new Float64Array(1) },
        ...{ answeredUs: new Float64Array(1), overflowed: 0 },
      },
    },
  ],
});
const hostMessages = [
  records,
  { type: 'reply', requestId: 3, value: null, problem: null },
  { type: 'reply', requestId: 3, value: null, problem: { code: 'BAD_INPUT', message: 'no', remedy: 'yes' } },
  {
    ...{ type: 'reply', requestId: 3, problem: null },
    value: { processId: null, addonProblem: null, transport: { name: 'memory' }, transportProblem: null },
  },
  { type: 'reply', requestId: 3, value: [{ name: 'M (s)', address: '192.0.2.7:5961' }], problem: null },
  { type: 'progress', requestId: 3, framesDone: 1, frames: 2 },
  { type: 'exit', exitCode: 1, words: 'was ended' },
];

test('whatever an agent is asked without its lease, it answers or refuses in words, and starts nothing', async () => {
  const bench = new Bench();
  bench.agent({ lease: new Lease(firstFence, () => undefined) });
  await each(agentCommands, (value) => isDone(bench.ask(value)));
  expect(bench.application.hosts).toEqual([]);
  expect(await bench.ask({ name: 'time' })).toMatchObject({ heardUs: expect.any(Number) });
});

test('whatever a stream host is asked, it is given nothing but what an agent passes on', async () => {
  const bench = new Bench();
  bench.agent({ limits: { streams: 64, format: null, minutes: null } });
  const hostId = await bench.startHost(await bench.acquire());
  const host = bench.application.host('sending');
  const subject = toHostSubject(bench.identity.id, hostId, leaseKeyOf('control-1'));
  await each(requests, (value) => bench.bus.publish(subject, value));
  await bench.clock.pass(0);
  expect(host.commands.length).toBeGreaterThan(count / 100);
  for (const command of host.commands) {
    expect(Object.keys(agentHostCommands)).toContain(command.name);
    if (command.name === 'start')
      expect(command.transport).toEqual({ name: 'ndi', candidates: ['/opt/libndi.so'] });
    if (command.name === 'openSource') expect(Object.keys(command.options)).not.toContain('command');
    if (command.name === 'openSource') expect(Object.keys(command.options)).not.toContain('hap');
    if (command.name === 'openReceiver') expect(command.captureLogPath).toBeUndefined();
  }
  expect(host.killed).toBe(false);
});

test('whatever an agent says for a host, the console takes what a host says, and makes no view outside of it', async () => {
  const names = Object.keys(agentHostCommands) as (keyof typeof agentHostCommands)[];
  let taken = 0;
  await each(hostMessages, (value) => {
    for (const name of names) {
      try {
        const message = checkedHostMessage(value, (requestId) => (requestId === 3 ? name : undefined));
        taken += 1;
        if (message.type !== 'records') continue;
        const { block } = message;
        const columns = [message]
          .map(unpackRecords)
          .flatMap(({ sources, senders, receivers }) => [
            ...sources.map((report) => report.records),
            ...senders.flatMap(({ submits: sent, misses: missed }) => [sent, missed]),
            ...receivers.flatMap(({ captures: seen, audio, time }) => [seen, audio, time]),
          ])
          .flatMap((ring) => Object.values(ring).filter(ArrayBuffer.isView));
        for (const view of columns.filter(({ byteLength }) => byteLength > 0)) {
          expect(view.buffer).toBe(block.buffer);
          expect(view.byteOffset).toBeGreaterThanOrEqual(block.byteOffset);
          expect(view.byteOffset + view.byteLength).toBeLessThanOrEqual(block.byteOffset + block.byteLength);
        }
      } catch (error) {
        if (!(error instanceof WhitelineError)) throw error;
      }
    }
  });
  expect(taken).toBeGreaterThan(0);
});

test('whatever an agent says for a host that runs, the console goes on', async () => {
  await each(hostMessages, async (value) => {
    const bench = new Bench();
    bench.agent();
    const remote = await bench.remote();
    const host = remote.spawnStreamHost('receiving');
    await bench.clock.pass(0);
    bench.bus.publish(bench.channels.to('from').sends, value);
    await bench.clock.pass(0);
    expect(remote.lost).toBeNull();
    host.kill();
  });
});

test('whatever an agent says of itself, the list of agents is a list of agents', async () => {
  const bench = new Bench();
  bench.agent();
  await bench.clock.pass(0);
  const said = bench.bus.newest('whiteline.from.*.presence');
  const agents = new Agents({ bus: bench.bus, clock: bench.clock, version: '1.0.0' });
  await each([said], (value) => bench.bus.publish(`whiteline.from.${bench.identity.id}.presence`, value));
  await bench.clock.pass(0);
  expect(agents.views().every(({ id }) => id === bench.identity.id)).toBe(true);
});

test.each<[string, Record<string, unknown>]>([
  ['less than nothing', { cpuPercent: -1 }],
  ['more than a machine has', { gpuPercent: 1e9 }],
  ['without end', { wireReceiveMbps: Number.POSITIVE_INFINITY }],
  ['that is no number', { memoryUsedMb: Number.NaN }],
  ['of a role, less than nothing', { roles: { sending: roleLoad(1, -1, 'send') } }],
  ['of too many roles', { roles: Object.fromEntries(range(1, 65).map((one) => [`role ${one}`, null])) }],
  ['with too many reasons', { notMeasured: Object.fromEntries(range(1, 201).map((one) => [one, ''])) }],
  ['of no time', { atNs: null }],
])('a load %s is not read, and a reason stays on one line', async (_, change) => {
  const bench = new Bench();
  bench.agent();
  bench.sample(loadSample({ atNs: 5e9, roles: {}, notMeasured: { gpuPercent: 'a\nb' } }));
  await bench.clock.pass(1000);
  const said = Object(bench.bus.newest('whiteline.from.*.presence'));
  said.load.notMeasured.gpuPercent = 'a\nb';
  expect(presenceOf(said)?.load?.notMeasured.gpuPercent).toBe('a b');
  expect(presenceOf({ ...said, load: { ...said.load, ...change } })).toBeUndefined();
});

test('whatever an agent answers, a console has a lease or a refusal', async () => {
  const answers = [
    { protocol: 1, version: '1.0.0', session: 'a' },
    { fence: 1, leaseMs: 5000, wallOffsetUs: 1e9 },
  ];
  let [asked, leases] = [0, 0];
  await each(answers, async (value) => {
    const bench = new Bench();
    const subject = `whiteline.to.${bench.identity.id}.ask`;
    // Every other one comes to its lease.
    const isGoodHello = asked++ % 2 === 0;
    bench.bus.serve(subject, async (command) =>
      isGoodHello && Object(command).name === 'hello' ? answers[0] : value,
    );
    if (await isDone(bench.remote().then((remote) => remote.release()))) leases += 1;
  });
  expect(leases).toBeGreaterThan(0);
  expect(leases).toBeLessThan(count / 2);
});

test('whatever an agent says that its movies are, the console has names below a folder, or refuses them', async () => {
  const names = ['opening.mov', 'show/../../../etc/passwd', '/etc/passwd', 'a\u001b[2J.mov', 'b'.repeat(500)];
  const lists = names.map((name) => ({ hasFolders: true, names: [name, 'end.mov'], more: 3, isWhole: true }));
  const many = { hasFolders: true, names: range(1, 501).map((one) => `${one}.mov`), more: 0, isWhole: true };
  let taken = 0;
  await each([...lists, many], async (value) => {
    const { success, data } = safeParse(movieListSchema, value);
    if (!success) return;
    taken += 1;
    expect(data.names.length).toBeLessThanOrEqual(mostMovies);
    for (const name of data.names) {
      expect(join('/media', name)).toMatch(/^\/media\/./);
      expect(plainLine(name)).toBe(name);
      expect(name.length).toBeLessThanOrEqual(400);
    }
  });
  expect(taken).toBeGreaterThan(0);
  const bench = new Bench();
  bench.agent();
  const fleet = new Fleet({
    ...{ bus: bench.bus, clock: bench.clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
    ...{ openChannel: bench.channels.open, onLost: () => undefined },
  });
  await bench.clock.pass(1000);
  bench.bus.serve(`whiteline.to.${bench.identity.id}.ask`, async () => lists[1]);
  await expect(fleet.movies('render-1')).rejects.toMatchObject({ code: 'TOOL_FAILED' });
});
