import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Problem, WhitelineError } from '../../protocol/errors';
import { parseFormat } from '../../protocol/format';
import { loadSample } from '../../testing/load-sample';
import { temporaryFolder } from '../../testing/temporary-folder';
import { Bench, leaseKeyOf, noMedia } from '../fleet.fixture';
import { Media } from './media';

const folder = temporaryFolder();

const source = {
  ...{ kind: 'white-line', width: 1280, height: 720, rateNumerator: 60, rateDenominator: 1 },
  pixelFormat: 'uyvy',
};
const openSource = { name: 'openSource', sourceId: 1, codeSourceId: 7, options: source };
const sender = { sourceId: 1, senderName: 'Whiteline 1', shareRecords: true, audio: true };
const openSender = (streamId: number): object => ({ name: 'openSender', streamId, ...sender });
const openReceiver = { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', askTime: true };
const presence = 'whiteline.from.*.presence';

test('says once a second what it is, and at its end that it leaves', async () => {
  const bench = new Bench();
  const agent = bench.agent({ limits: { streams: 2, format: parseFormat('1920x1080@60'), minutes: 30 } });
  await bench.clock.pass(3000);
  const said = bench.bus.published.filter(({ subject }) => subject.endsWith('.presence'));
  expect(said).toHaveLength(4);
  expect(said.at(-1)?.value).toMatchObject({
    ...{ id: 'a1b2c3d4e5f6g7h8', name: 'render-1', version: '1.0.0', protocol: 1, holder: null },
    limits: { streams: 2, format: '1920x1080@60', minutes: 30 },
    ...{ senders: 0, receivers: 0, hosts: [], leaving: false, machine: { cores: 8 } },
  });
  await agent.close();
  expect(bench.bus.newest(presence)).toMatchObject({ leaving: true });
});

test('says and answers nothing while another process may have its place, and speaks at once when it has it', async () => {
  const bench = new Bench();
  let isTaken = true;
  let take = (): void => undefined;
  const taken = (): Promise<void> => new Promise((resolve) => (take = resolve));
  bench.agent({
    place: {
      taken,
      get isTaken() {
        return isTaken;
      },
    },
  });
  const said = (): number =>
    bench.bus.published.filter(({ subject }) => subject.endsWith('.presence')).length;
  await bench.clock.pass(1000);
  expect(said()).toBe(2);
  isTaken = false;
  await bench.clock.pass(3000);
  expect(said()).toBe(2);
  isTaken = true;
  take();
  await bench.clock.pass(0);
  expect(said()).toBe(3);
  isTaken = false;
  let answer: unknown = null;
  void bench.ask({ name: 'time' }).then((given) => (answer = given));
  await bench.clock.pass(0);
  expect(answer).toBeNull();
  take();
  await bench.clock.pass(0);
  expect(answer).not.toBeNull();
});

test('answers the time by its own monotonic clock, without a lease', async () => {
  const bench = new Bench();
  bench.agent();
  const nowUs = bench.clock.monotonicNs() / 1000;
  expect(await bench.ask({ name: 'time' })).toEqual({ heardUs: nowUs, repliedUs: nowUs });
});

test.each([
  ['another command', { name: 'shell', command: 'id' }, 'Expected a command of an agent for command'],
  ['no command', null, 'Expected a command of an agent for command'],
  ['a lease of nobody', { name: 'lease.acquire', holder: '' }, 'for holder'],
  [
    'a path',
    {
      name: 'host.start',
      fence: 1,
      role: 'sending',
      number: 1,
      transport: { name: 'ndi', candidates: ['/x'] },
    },
    'candidates',
  ],
  [
    'a role that there is none of',
    { name: 'host.start', fence: 1, role: 'content', number: 1, transport: { name: 'ndi' } },
    'for role',
  ],
  [
    'a further field',
    {
      ...{ name: 'host.start', fence: 1, role: 'sending', number: 1, transport: { name: 'ndi' } },
      environment: { LD_PRELOAD: '/x' },
    },
    'environment',
  ],
])('refuses %s by name, and starts nothing', async (_, command, words) => {
  const bench = new Bench();
  bench.agent();
  await bench.acquire();
  await expect(bench.ask(command)).rejects.toThrow(words);
  expect(bench.application.hosts).toEqual([]);
});

test('without a lease, with an old one and with one of another console nothing starts', async () => {
  const bench = new Bench();
  bench.agent();
  const ended = { code: 'LEASE_ENDED' };
  await expect(bench.startHost(1)).rejects.toMatchObject(ended);
  const first = await bench.acquire();
  await expect(bench.acquire('control-2')).rejects.toMatchObject({
    code: 'LEASE_HELD',
    message: 'render-1 works for control-1, for at least another 5.0 s',
  });
  await bench.clock.pass(5000);
  const second = await bench.acquire('control-2');
  for (const name of ['lease.renew', 'lease.release'])
    await expect(bench.ask({ name, fence: first })).rejects.toMatchObject(ended);
  await expect(bench.startHost(first)).rejects.toMatchObject(ended);
  for (const name of ['lease.renew', 'lease.release'])
    await expect(bench.ask({ name, fence: second, key: leaseKeyOf('control-1') })).rejects.toMatchObject(
      ended,
    );
  expect(bench.application.hosts).toEqual([]);
  const hostId = await bench.startHost(second);
  await expect(bench.ask({ name: 'host.end', fence: first, hostId })).rejects.toMatchObject(ended);
  await expect(bench.ask({ name: 'host.end', fence: second, hostId: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(bench.application.host('sending').killed).toBe(false);
});

test.each([
  ['expired', (bench: Bench) => bench.clock.pass(5250)],
  ['given back', (bench: Bench, fence: number) => bench.ask({ name: 'lease.release', fence })],
  ['cut off by the end of the bus', async (bench: Bench) => bench.bus.become('closed')],
])('a lease that is %s ends all that was started under it', async (_, end) => {
  const bench = new Bench();
  bench.agent();
  const fence = await bench.acquire();
  await bench.startHost(fence, 'sending');
  await bench.startHost(fence, 'receiving');
  await bench.clock.pass(4000);
  await bench.ask({ name: 'lease.renew', fence });
  await bench.clock.pass(4500);
  expect(bench.application.hosts.map(({ killed }) => killed)).toEqual([false, false]);
  await end(bench, fence);
  expect(bench.application.hosts.map(({ killed }) => killed)).toEqual([true, true]);
});

test('the end of a host is told, with its reason, and its channel stays for a while', async () => {
  const bench = new Bench();
  bench.agent();
  const fence = await bench.acquire();
  const hostId = await bench.startHost(fence);
  const hostSubject = `whiteline.from.${bench.identity.id}.host.${hostId}`;
  await bench.ask({ name: 'lease.release', fence });
  await bench.clock.pass(6000);
  const words = 'was ended by its agent: its console gave the machine back';
  expect(bench.bus.newest(hostSubject)).toEqual({ type: 'exit', exitCode: 0, words });
  expect(bench.channels.to('from').isClosed).toBe(false);
  await bench.clock.pass(2000);
  expect(bench.channels.to('from').isClosed).toBe(true);
  expect(bench.bus.newest(presence)).toMatchObject({ hosts: [], holder: null });
});

test('a host that dies is told with its exit code', async () => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  bench.application.host('sending').die(139);
  await bench.clock.pass(0);
  const hostSubject = `whiteline.from.${bench.identity.id}.host.${hostId}`;
  expect(bench.bus.newest(hostSubject)).toEqual({ type: 'exit', exitCode: 139, words: null });
});

test('a host whose requests were lost on the way is ended', async () => {
  const bench = new Bench();
  bench.agent();
  await bench.startHost(await bench.acquire());
  bench.channels.to('from').lose();
  expect(bench.application.host('sending').killed).toBe(true);
});

test('its own user’s limit of time ends the lease', async () => {
  const bench = new Bench();
  bench.agent({ limits: { streams: 4, format: null, minutes: 0.1 } });
  const fence = await bench.acquire();
  await bench.startHost(fence);
  const stop = bench.clock.every(1000, () => {
    bench.ask({ name: 'lease.renew', fence }).catch(() => undefined);
  });
  await bench.clock.pass(6000);
  expect(bench.application.host('sending').killed).toBe(false);
  await bench.clock.pass(500);
  expect(bench.application.host('sending').killed).toBe(true);
  await expect(bench.ask({ name: 'lease.renew', fence })).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  stop();
});

test('a start gets the files and the wall offset of this machine, and no process number leaves it', async () => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  const reply = await bench.request(hostId, { name: 'start', searchHosts: ['192.0.2.7'] });
  expect(reply).toMatchObject({ requestId: 1, value: { processId: null }, problem: null });
  expect(bench.application.host('sending').commands).toEqual([
    {
      ...{ name: 'start', searchHosts: ['192.0.2.7'], wallOffsetUs: bench.clock.wallOffsetUs() },
      transport: { name: 'ndi', candidates: ['/opt/libndi.so'] },
    },
  ]);
});

test.each([
  ['checkMovie', { name: 'checkMovie', path: '/etc/passwd', decode: false }],
  ['writeContent', { name: 'writeContent', options: {} }],
  ['networkInterface', { name: 'networkInterface', interfaceName: 'eth0' }],
  ['keepPictures', { name: 'keepPictures', streamId: 1, options: null }],
  ['keptPictures', { name: 'keptPictures', streamId: 1 }],
  ['compareQuality', { name: 'compareQuality', options: {} }],
  ['measureWakeUps', { name: 'measureWakeUps', options: {} }],
  ['scoreProcessor', { name: 'scoreProcessor' }],
  ['constructor', { name: 'constructor' }],
  ['configuration', { name: 'start', configuration: '{}' }],
  ['wallOffsetUs', { name: 'start', wallOffsetUs: 0 }],
  ['transport', { name: 'start', transport: { name: 'ndi', candidates: ['/x'] } }],
  ['searchHosts', { name: 'start', searchHosts: ['a/b'] }],
  ['captureLogPath', { ...openReceiver, captureLogPath: '/etc/x' }],
  ['address', { ...openReceiver, address: '192.0.2.7' }],
  ['kind', { ...openSource, options: { ...source, kind: 'movie' } }],
  ['kind', { ...openSource, options: { ...source, kind: 'hap' } }],
  ['command', { ...openSource, options: { ...source, command: { file: 'sh', arguments: [] } } }],
  ['hap', { ...openSource, options: { ...source, hap: { path: '/x', startFrame: 0, preload: true } } }],
  ['an even width', { ...openSource, options: { ...source, width: 1279 } }],
  ['frames per second', { ...openSource, options: { ...source, rateNumerator: 1e9 } }],
  ['control characters', { ...openSender(1), senderName: 'a\u0007' }],
  ['parts of an environment', { name: 'sendEnvironment', messages: ['<x/>'] }],
  [
    'delayMs',
    { name: 'setFaults', streamId: 1, faults: [{ verb: 'delay', first: 1, last: 1, delayMs: 1e6 }] },
  ],
  ['seconds', { name: 'discover', seconds: 1e9 }],
])('a host is not asked what only this machine may: %s', async (words, command) => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  const reply = await bench.request(hostId, command, 9);
  expect(reply).toMatchObject({ type: 'reply', requestId: 9, value: null, problem: { code: 'BAD_INPUT' } });
  expect(JSON.stringify(reply)).toContain(words);
  expect(bench.application.host('sending').commands).toEqual([]);
});

test('what is no request at all is passed over', async () => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  for (const value of [
    null,
    'x',
    { type: 'request' },
    { type: 'request', requestId: 0, command: openSource },
  ])
    bench.bus.publish(`whiteline.to.${bench.identity.id}.host.${hostId}`, value);
  await bench.clock.pass(0);
  expect(bench.application.host('sending').commands).toEqual([]);
});

test('more streams than its user allows are refused, in all hosts together; those that could not be opened do not count', async () => {
  const bench = new Bench();
  bench.agent({ limits: { streams: 2, format: null, minutes: null } });
  const fence = await bench.acquire();
  const first = await bench.startHost(fence);
  await bench.request(first, openSource);
  bench.application.answer = () => {
    throw new Error('no');
  };
  await bench.request(first, openSender(1));
  bench.application.answer = () => null;
  await bench.request(first, openSender(1));
  const receiving = await bench.startHost(fence, 'receiving');
  await bench.request(receiving, openReceiver);
  expect(await bench.request(first, openSender(2))).toMatchObject({
    problem: { message: 'This agent opens at most 2 streams for a console' },
  });
  await bench.clock.pass(1000);
  expect(bench.bus.newest(presence)).toMatchObject({ senders: 1, receivers: 1 });
  await bench.request(receiving, { name: 'closeReceiver', streamId: 1 });
  expect(await bench.request(first, openSender(2))).toMatchObject({ problem: null });
  expect(await bench.request(first, openSender(2))).toMatchObject({
    problem: { message: 'This agent opens at most 2 streams for a console' },
  });
  await bench.startHost(fence);
  await bench.startHost(fence);
  await expect(bench.startHost(fence)).rejects.toThrow('starts at most 4 stream hosts');
});

test('one id is open once', async () => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  await bench.request(hostId, openSource);
  expect(await bench.request(hostId, openSource)).toMatchObject({
    problem: { message: 'Expected a source that is not open yet for sourceId but received 1' },
  });
  await bench.request(hostId, { name: 'closeSource', sourceId: 1 });
  expect(await bench.request(hostId, openSource)).toMatchObject({ problem: null });
});

test.each([
  ['1920x1080@60', true],
  ['1920x1080@59.94', true],
  ['1922x1080@60', false],
  ['1920x1082@60', false],
  ['1280x720@120', false],
])('with 1920x1080@60 as the limit, %s: %s', async (format, isAllowed) => {
  const bench = new Bench();
  bench.agent({ limits: { streams: 4, format: parseFormat('1920x1080@60'), minutes: null } });
  const hostId = await bench.startHost(await bench.acquire());
  const { width, height, rate } = parseFormat(format);
  const options = {
    ...{ ...source, width, height, rateNumerator: rate.numerator, rateDenominator: rate.denominator },
  };
  const { problem } = (await bench.request(hostId, { ...openSource, options })) as { problem: unknown };
  expect(problem === null).toBe(isAllowed);
  expect(bench.application.host('sending').commands).toHaveLength(isAllowed ? 1 : 0);
});

test('records leave without numbers of processes, by which this machine samples its own load', async () => {
  const bench = new Bench();
  bench.agent();
  const hostId = await bench.startHost(await bench.acquire());
  const host = bench.application.host('sending');
  expect(bench.processIds()).toMatchObject({ sending: [host.processId], receiving: [] });
  host.report({ processIds: [host.processId, 77_777] });
  await bench.clock.pass(0);
  expect(bench.processIds()).toMatchObject({ sending: [host.processId, 77_777] });
  const sent = bench.bus.newest(`whiteline.from.${bench.identity.id}.host.${hostId}`);
  expect(sent).toMatchObject({ type: 'records', processIds: [] });
  host.die();
  expect(bench.processIds()).toMatchObject({ sending: [] });
});

test('its own load is told by role, without numbers of processes', async () => {
  const bench = new Bench();
  bench.agent();
  const { roles } = loadSample();
  const sending = roles.sending ? { ...roles.sending, stopped: true, stoppedProcessId: 77_777 } : null;
  const notMeasured = {
    'roles.receiving': 'process 77777 was not known to be one of ours when this second began',
    interfaces: 'this process could not open /proc/77777/stat: no file descriptor is left',
  };
  bench.sample(loadSample({ roles: { ...roles, sending }, notMeasured }));
  await bench.clock.pass(1000);
  const said = bench.bus.newest(presence);
  expect(said).toMatchObject({
    load: {
      cpuPercent: 20,
      roles: { sending: { cpuPercent: 5, stopped: true }, console: { cpuPercent: 1 } },
    },
  });
  expect(JSON.stringify(said)).not.toContain('77777');
});

test('logs of captured numbers are written into a folder of the lease, where its user asked for them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-agent-'));
  try {
    const bench = new Bench();
    bench.agent({ logs: folder });
    const hostId = await bench.startHost(await bench.acquire('control 1/../x'), 'receiving');
    await bench.request(hostId, openReceiver);
    const [ofLease = ''] = readdirSync(folder);
    expect(ofLease).toMatch(/^[\dTZ-]+-1-control-1-x$/);
    expect(bench.application.host('receiving').named('openReceiver')).toEqual([
      {
        ...openReceiver,
        captureLogPath: join(folder, ofLease, 'captured-1.log'),
        captureLogMostBytes: 1e9,
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('each of its hosts is told twice a second that it lives, until the host is gone', async () => {
  const bench = new Bench();
  bench.agent();
  const fence = await bench.acquire();
  await bench.startHost(fence);
  const host = bench.application.host('sending');
  expect(host.keptAlive).toBe(1);
  await bench.clock.pass(2000);
  expect(host.keptAlive).toBe(5);
  host.die();
  await bench.clock.pass(2000);
  expect(host.keptAlive).toBe(5);
});

test('its end ends its hosts, and waits for them and for nothing else', async () => {
  const bench = new Bench();
  const agent = bench.agent();
  const fence = await bench.acquire();
  await bench.startHost(fence);
  bench.application.host('sending').die();
  await bench.startHost(fence);
  await agent.close();
  expect(bench.application.host('sending').killed).toBe(true);
  expect(bench.clock.waiting).toBe(0);
  await expect(bench.ask({ name: 'time' })).rejects.toThrow('does not answer');
});

test('a host whose message is too large for the bus is ended, and the agent goes on', async () => {
  const bench = new Bench();
  const channel = { isBehind: false, onMessage: () => undefined, onLost: () => undefined };
  const send = (): void => {
    throw new WhitelineError({ code: 'INTERNAL', message: 'The message has 17000000 bytes' });
  };
  let isFull = false;
  const full = { ...channel, close: () => undefined, send: () => (isFull ? send() : undefined) };
  bench.agent({ openChannel: () => full });
  await bench.startHost(await bench.acquire());
  const host = bench.application.host('sending');
  isFull = true;
  host.report({});
  isFull = false;
  expect(host.killed).toBe(true);
  await bench.clock.pass(1000);
  expect(bench.bus.newest(presence)).toMatchObject({ hosts: [] });
});

test('a movie is opened as the agent itself chooses it, and one that it does not have can be asked for again', async () => {
  const bench = new Bench();
  const options = { ...source, kind: 'hap', hap: { path: '/movies/clip.mov' } };
  const media = Object.assign(Object.create(noMedia), {
    choose: async ({ source: name }: { source: string }) => {
      if (name !== 'clip.mov') throw new WhitelineError({ code: 'NOT_FOUND', message: 'none' });
      return { options, told: (problem: Problem) => ({ ...problem, message: 'clip.mov is damaged' }) };
    },
  });
  bench.agent({ media });
  const hostId = await bench.startHost(await bench.acquire());
  const ask = (name: string) =>
    bench.request(hostId, {
      ...openSource,
      options: { ...source, kind: 'hap', elsewhere: { source: name, format: '', pixelFormat: 'uyvy' } },
    });
  expect(await ask('none.mov')).toMatchObject({ problem: { code: 'NOT_FOUND' } });
  expect(await ask('clip.mov')).toMatchObject({ problem: null });
  const host = bench.application.host('sending');
  expect(host.commands).toEqual([{ ...openSource, options }]);
  await bench.request(hostId, { name: 'closeSource', sourceId: 1 });
  // Its process knows where the movie is, and the console by what name it asked for it.
  host.deafTo = 'openSource';
  await ask('clip.mov');
  host.refuse({ code: 'MOVIE_UNREADABLE', message: '/movies/clip.mov is damaged' });
  await bench.clock.pass(0);
  expect(bench.bus.newest(`whiteline.from.${bench.identity.id}.host.${hostId}`)).toMatchObject({
    problem: { code: 'MOVIE_UNREADABLE', message: 'clip.mov is damaged' },
  });
});

test('movies are listed without a lease, and while a console has it for that one alone', async () => {
  const bench = new Bench();
  const movies = join(folder, 'movies');
  mkdirSync(movies);
  writeFileSync(join(movies, 'opening.mov'), '\0');
  bench.agent({ media: new Media('render-1', [movies], { request: async () => null }, () => undefined) });
  const listed = { hasFolders: true, names: ['opening.mov'], more: 0, isWhole: true };
  const ask = (holder: string) => bench.ask({ name: 'movies.list', key: leaseKeyOf(holder) });
  expect(await ask('control-2')).toEqual(listed);
  const fence = await bench.acquire('control-1');
  expect(await ask('control-1')).toEqual(listed);
  await expect(ask('control-2')).rejects.toMatchObject({
    code: 'LEASE_HELD',
    message: 'render-1 works for control-1, and shows its movies to no other console',
  });
  await bench.ask({ name: 'lease.release', fence });
  expect(await ask('control-2')).toEqual(listed);
  // It takes no folder from outside.
  await expect(
    bench.ask({ name: 'movies.list', key: leaseKeyOf('control-2'), folder: '/etc' }),
  ).rejects.toMatchObject({ code: 'BAD_INPUT' });
});
