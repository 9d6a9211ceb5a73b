import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WhitelineError } from '../../protocol/errors';
import type { TransportSettings } from '../../protocol/transports';
import { misses, sourceRecords, submits } from '../../testing/columns';
import { FakeApplication } from '../../testing/fake-application';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { checked, fileOf, sourceStatus } from '../../testing/movie-facts';
import { sharedLoad } from '../../testing/shared-load';
import { stopped } from '../../testing/standstills';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { StandstillLog } from '../load/standstills';
import type { ActiveSource } from './stream';
import { StreamSet } from './stream-set';

/** One process of the tests has a sender that listens. */
vi.mock('./sender-address', () => ({
  senderAddress: (processId: number) => (processId >= 7000 ? `127.0.0.1:${processId}` : undefined),
}));

const movie = join(temporaryFolder(), 'clip.mov');
const settings = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let events: string[];
let reported: { kind: string; text: string; details?: Record<string, unknown> }[];
let set: StreamSet;
let standstills: StandstillLog;

beforeEach(async () => {
  application = new FakeApplication();
  events = [];
  reported = [];
  standstills = new StandstillLog();
  set = new StreamSet({
    ...{
      application,
      clock: machineClock,
      transport: { name: 'ndi', candidates: ['libndi'] },
      wallOffsetUs: 0,
      shareRecords: false,
    },
    standstills,
    noteEvent: (kind, text, details) => {
      events.push(kind);
      reported.push({ kind, text, details });
    },
    onChange: () => undefined,
  });
  await set.start();
});
afterEach(() => set.close());

const names = (): string[] => set.streams.map((stream) => stream.name);

test('a stream is a sender of the source and a receiver that looks for it', async () => {
  const source = await set.openSource(settings);
  expect(set.plays(settings)).toBe(true);
  expect(set.plays({ ...settings, format: '640x360@60' })).toBe(false);
  const stream = await set.addStream('Test');
  expect(application.host('sending').named('openSource')[0]?.options).toMatchObject({
    ...{ kind: 'white-line', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1 },
  });
  expect(application.host('sending').named('openSender')).toMatchObject([
    { streamId: stream.id, sourceId: source.id, senderName: 'Test 1' },
  ]);
  expect(application.host('receiving').named('openReceiver')).toHaveLength(1);
  await set.removeAll();
  expect(application.host('receiving').named('closeReceiver')).toEqual([
    { name: 'closeReceiver', streamId: stream.id },
  ]);
  expect(application.host('sending').named('closeSender')).toHaveLength(1);
  expect(names()).toEqual([]);
  expect(events).toEqual(['stream-added', 'stream-removed']);
});

test('a sending process that sends none of the streams excuses nothing', async () => {
  for (const role of ['sending', 'receiving']) standstills.addAll([stopped({ role }, 1, 3)]);
  const known = () => set.standstills(1e9, 2e9).map(({ who }) => who);
  expect(known()).toEqual([{ role: 'sending' }, { role: 'receiving' }]);
  await set.followed.add('PC (Mixer)');
  expect(known()).toEqual([{ role: 'receiving' }]);
  await set.openSource(settings);
  await set.addStream('Test');
  expect(known()).toEqual([{ role: 'sending' }, { role: 'receiving' }]);
});

test('a stream has the lowest number that is free, and a name that something else has is passed over', async () => {
  await set.openSource(settings);
  for (let count = 0; count < 3; count++) await set.addStream('Test');
  const [, second] = set.streams;
  if (second) await set.removeStream(second);
  await set.addStream('Test');
  await set.addStream('Other');
  expect(names()).toEqual(['Test 1', 'Test 3', 'Test 2', 'Other 1']);
  expect(set.streams.map(({ id }) => id)).toEqual([1, 3, 4, 5]);
  await set.removeAll();
  const inUse = new WhitelineError({ code: 'NAME_IN_USE', message: 'in use' });
  application.answer = (command) => {
    if (command.name === 'openSender' && command.senderName === 'Test 1') throw inUse;
    return null;
  };
  await set.addStream('Test');
  await set.addStream('Test');
  expect(names()).toEqual(['Test 2', 'Test 3']);
});

test('a sending host that dies is started again with its source and its senders', async () => {
  const source = await set.openSource(settings);
  await set.addStream('Test');
  await set.addStream('Test');
  const before = [...set.streams];
  application.host('sending').die();
  expect(set.deaths).toBe(1);
  await vi.waitFor(() => expect(events).toContain('host-started'));
  const host = application.host('sending');
  const [opened] = host.named('openSource');
  expect(opened?.sourceId).not.toBe(source.id);
  expect(host.named('openSender').map((command) => [command.senderName, command.sourceId])).toEqual([
    ['Test 1', opened?.sourceId],
    ['Test 2', opened?.sourceId],
  ]);
  expect(names()).toEqual(['Test 1', 'Test 2']);
  for (const [index, stream] of set.streams.entries()) expect(stream).not.toBe(before[index]);
});

test('a sending host learns what this machine is, and so is the one that takes its place', async () => {
  await set.openSource(settings);
  const messages = ['<whiteline_environment part="1"/>'];
  set.watchers.sendEnvironment(messages);
  const first = application.host('sending');
  expect(first.named('sendEnvironment')).toEqual([{ name: 'sendEnvironment', messages }]);
  first.die();
  await vi.waitFor(() => expect(application.host('sending')).not.toBe(first));
  await vi.waitFor(() => expect(application.host('sending').named('sendEnvironment')).toHaveLength(1));
});

test('a receiving host that dies is started again with its receivers', async () => {
  await set.openSource(settings);
  const stream = await set.addStream('Test');
  const windowsLook = set.receivingHost;
  application.host('receiving').die(0);
  await vi.waitFor(() => expect(events).toContain('host-started'));
  expect(reported.find(({ kind }) => kind === 'host-died')).toMatchObject({
    text: 'The receiving process ended unexpectedly',
  });
  expect(set.receivingHost).toBe(windowsLook + 1);
  expect(application.host('receiving').named('openReceiver')).toHaveLength(1);
  expect(set.streams).toEqual([stream]);
});

test.each(['sending', 'receiving'] as const)(
  'a stream that is added while the %s host dies is added to the new one',
  async (role) => {
    await set.openSource(settings);
    await set.addStream('Test');
    const victim = application.host(role);
    victim.deafTo = role === 'sending' ? 'openSender' : 'openReceiver';
    const added = set.addStream('Test');
    await vi.waitFor(() => expect(victim.commands.at(-1)?.name).toBe(victim.deafTo));
    victim.die();
    const stream = await added;
    expect(names()).toHaveLength(2);
    expect(names()).toContain(stream.name);
    const senders = application.hosts.filter((host) => host.role === 'sending');
    const open =
      senders
        .at(-1)
        ?.named('openSender')
        .map((command) => command.senderName) ?? [];
    const closed = senders.at(-1)?.named('closeSender').length ?? 0;
    expect(open.length - closed).toBe(2);
  },
);

test('a row can be flushed while a host dies', async () => {
  await set.openSource(settings);
  application.host('sending').deafTo = 'flush';
  const flushed = set.flush();
  application.host('sending').die();
  await expect(flushed).resolves.toBeUndefined();
});

test('a row can be flushed while a host hangs: it is late then, and INVALID for it', async () => {
  vi.useFakeTimers();
  application.host('receiving').deafTo = 'flush';
  const flushed = set.flush();
  await vi.advanceTimersByTimeAsync(16_000);
  vi.useRealTimers();
  await expect(flushed).resolves.toBeUndefined();
});

test('two hosts that die at once: it recovers until both are back', async () => {
  await set.openSource(settings);
  application.host('sending').die();
  application.host('receiving').die();
  while (set.recovering) {
    await Promise.resolve();
  }
  expect(events.filter((kind) => kind === 'host-started')).toHaveLength(2);
  expect(set.lost).toBe(false);
});

test('the right stream is removed when its host dies in between', async () => {
  await set.openSource(settings);
  const first = await set.addStream('Test');
  await set.addStream('Test');
  application.host('sending').die();
  await set.removeStream(first);
  expect(names()).toEqual(['Test 2']);
});

test('a host that dies again and again is given up, and says so', async () => {
  await set.openSource(settings);
  for (let death = 1; death <= 3; death++) {
    application.host('sending').die();
    await vi.waitFor(() => expect(events.filter((kind) => kind === 'host-started')).toHaveLength(death));
  }
  application.host('sending').die();
  await vi.waitFor(() => expect(events).toContain('problem'));
  expect([set.deaths, set.lost, set.recovering]).toEqual([4, true, false]);
  expect(application.hosts.filter((host) => host.role === 'sending')).toHaveLength(4);
  await expect(set.addStream('Test')).rejects.toMatchObject({ code: 'HOST_DIED' });
});

test('closing kills both hosts, and their end is no death', () => {
  set.close();
  for (const host of application.hosts) {
    expect(host.killed).toBe(true);
    host.die(0);
  }
  expect(events).toEqual([]);
});

test('a movie is read by the sending host, and opened as its rate and start say', async () => {
  application.answer = (command) => (command.name === 'checkMovie' ? checked() : null);
  const source = await set.openSource({ ...settings, source: fileOf(movie), rate: '30', startFrame: 5 });
  const host = application.host('sending');
  expect(host.named('checkMovie')).toEqual([{ name: 'checkMovie', path: movie, decode: false }]);
  expect(host.named('openSource')[0]?.options).toMatchObject({
    ...{ kind: 'hap', rateNumerator: 30, hap: { path: movie, startFrame: 5, preload: false } },
  });
  expect(source.format).toMatchObject({ width: 3840, rate: { numerator: 30, denominator: 1 } });
  expect(application.host('receiving').named('checkMovie')).toEqual([]);
  host.die();
  await vi.waitFor(() => expect(events).toContain('host-started'));
  const [again] = application.host('sending').named('openSource');
  expect(again?.options).toEqual(host.named('openSource')[0]?.options);
});

test('opening a source is cancelled by its signal', async () => {
  application.host('sending').deafTo = 'openSource';
  const abort = new AbortController();
  const opened = set.openSource(settings, { signal: abort.signal }).catch((error) => error);
  const host = application.host('sending');
  await vi.waitFor(() => expect(host.named('openSource')).toHaveLength(1));
  abort.abort();
  const requestId = host.requests.find(({ command }) => command.name === 'openSource')?.requestId;
  expect(host.named('cancel')).toEqual([{ name: 'cancel', requestId }]);
  host.refuse({ code: 'ABORTED', message: 'stopped' });
  expect(await opened).toMatchObject({ code: 'ABORTED' });
  expect(set.source).toBeNull();
});

test('senders send sound along unless set otherwise, also when they are opened again', async () => {
  await set.openSource(settings);
  await set.addStream('Test');
  await set.addStream('Test', { audio: false });
  await set.addSender('Test', { audio: false });
  const opened = () =>
    application
      .host('sending')
      .named('openSender')
      .map(({ audio }) => audio);
  expect(opened()).toEqual([true, false, false]);
  application.host('sending').die();
  await vi.waitFor(() => expect(events).toContain('host-started'));
  expect(opened()).toEqual([true, false, false]);
});

test('no one asks a sender of this machine for its time', async () => {
  await set.openSource(settings);
  await set.addStream('Test');
  expect(application.host('receiving').named('openReceiver')).toMatchObject([{ askTime: false }]);
});

test('of the faults the receiver stalls, and the sender does all the others', async () => {
  await set.openSource(settings);
  const stream = await set.addStream('Test');
  const skip = { verb: 'skip', first: 10, last: 12 } as const;
  const stall = { verb: 'stall', first: 20, last: 40 } as const;
  await set.setFaults(stream, [skip, stall]);
  const streamId = stream.id;
  expect(application.host('sending').named('setFaults')).toEqual([
    { name: 'setFaults', streamId, faults: [skip] },
  ]);
  expect(application.host('receiving').named('setFaults')).toEqual([
    { name: 'setFaults', streamId, faults: [stall] },
  ]);
  expect(reported.at(-1)).toMatchObject({ kind: 'fault-injected', text: 'skip:10-12; stall:20-40' });
});

test('a receiving process that is started again gets the stalls that are still due; what a sending one took with it is named', async () => {
  await set.openSource(settings);
  const stream = await set.addStream('Test');
  const stall = { verb: 'stall', first: 1000, last: 1020 } as const;
  await set.setFaults(stream, [{ verb: 'skip', first: 2000, last: 2002 }, stall]);
  application.host('receiving').die();
  await set.recovery;
  expect(application.host('receiving').named('setFaults')).toEqual([
    { name: 'setFaults', streamId: stream.id, faults: [stall] },
  ]);
  expect(stream.faultsLost).toBe('');
  application.host('sending').die();
  await set.recovery;
  expect(application.host('sending').named('setFaults')).toEqual([]);
  // Its numbers would be those of the new sender.
  expect(application.host('receiving').named('setFaults').at(-1)?.faults).toEqual([]);
  expect(stream.faultsLost).toBe('skip:2000-2002; stall:1000-1020');
  expect(reported.find(({ kind }) => kind === 'fault-lost')?.text).toBe(
    'faults of Test 1 were still due and were not put in (skip:2000-2002; stall:1000-1020)',
  );
});

test('faults that count from a frame of a sender that is gone are not put into the one in its place', async () => {
  await set.openSource(settings);
  const stream = await set.addStream('Test');
  application.host('sending').die();
  await set.setFaults(stream, [{ verb: 'skip', first: 5, last: 6 }], 100);
  expect(application.host('sending').named('setFaults')).toEqual([]);
  expect(stream.faultsLost).toBe('skip:5-6');
});

test('remote watchers learn how busy this machine is, and a host that is dying is no trouble', async () => {
  const roles = { sending: roleLoad(30, 60, 'sdk') };
  set.watchers.sendLoad(loadSample({ cpuPercent: 42, gpuPercent: null, cpuStealPercent: 2, roles }));
  expect(application.host('sending').named('sendLoad')).toEqual([
    {
      name: 'sendLoad',
      load: sharedLoad({ measuredNs: 3e9, cpuPercent: 42, othersPercent: 12, stealPercent: 2 }),
    },
  ]);
  application.host('sending').die();
  set.watchers.sendLoad(loadSample());
  set.close();
  set.watchers.sendLoad(loadSample());
});

describe('several sources', () => {
  const other = { ...settings, format: '320x180@60' };
  const senders = () => application.hosts.filter(({ role }) => role === 'sending');
  const openedBy = (index: number) =>
    senders()
      [index]?.named('openSender')
      .map(({ senderName, sourceId }) => [senderName, sourceId]);

  test('one beside another stays open; each stream is of its own one', async () => {
    const first = await set.openSource(settings);
    const second = await set.openSource(other, { beside: true });
    expect(set.sources).toEqual([first, second]);
    expect(set.source).toBe(first);
    expect([set.plays(settings), set.plays(other)]).toEqual([false, false]);
    const streams = [
      await set.addStream('Test'),
      await set.addStream('Test', { audio: true, source: second }),
    ];
    expect(streams.map(({ source }) => source)).toEqual([first, second]);
    expect(openedBy(0)).toEqual([
      ['Test 1', first.id],
      ['Test 2', second.id],
    ]);
    await set.removeAll();
    await set.closeSource(first);
    expect(set.sources).toEqual([second]);
    expect(set.plays(other)).toBe(true);
    await set.openSource(settings);
    expect(set.sources).toHaveLength(1);
    expect(senders()[0]?.named('closeSource')).toMatchObject([
      { sourceId: first.id },
      { sourceId: second.id },
    ]);
  });

  test('each stream’s records go to the ledgers of its own source', async () => {
    const first = await set.openSource(settings);
    const second = await set.openSource(other, { beside: true });
    const one = await set.addStream('Test');
    const two = await set.addStream('Test', { audio: true, source: second });
    const sources = [first, second].map(({ id }, index) => ({
      sourceId: id,
      status: sourceStatus({ startNs: (index + 1) * 1e9, sourceId: 100 + index }),
      records: sourceRecords([0, 1]),
    }));
    const sender = {
      firstSlot: 0,
      connections: 1,
      metadataDropped: 0,
      realTimeFinding: '',
      misses: misses([]),
    };
    application.host('sending').report({
      ...{ atNs: 3e9, sources },
      senders: [
        { streamId: one.id, ...sender, submits: submits([0, 1]) },
        { streamId: two.id, ...sender, submits: submits([0]) },
      ],
    });
    expect(one.ledger?.source.schedule).toEqual({ startNs: 1e9, rate: { numerator: 30, denominator: 1 } });
    expect(two.ledger?.source.schedule).toEqual({ startNs: 2e9, rate: { numerator: 60, denominator: 1 } });
    expect([one, two].map(({ ledger }) => ledger?.identity.sourceId)).toEqual([100, 101]);
    expect([one.ledger?.wasSubmitted(1), two.ledger?.wasSubmitted(1)]).toEqual([true, false]);
  });

  test('a source with a process of its own has its senders there, and its processes count as sending', async () => {
    await set.openSource(settings);
    const own = await set.openSource(other, { beside: true, ownProcess: true });
    expect(senders()).toHaveLength(2);
    await set.addStream('Test', { audio: true, source: own });
    expect(openedBy(0)).toEqual([]);
    expect(openedBy(1)).toEqual([['Test 1', own.id]]);
    const codeSourceIds = senders().flatMap((host) =>
      host.named('openSource').map((one) => one.codeSourceId),
    );
    expect(new Set(codeSourceIds).size).toBe(2);
    const sockets = {
      sentBytes: 5,
      receivedBytes: 6,
      tcpSockets: 1,
      udpSockets: 0,
      gaps: 0,
      newestGap: null,
    };
    for (const [index, host] of senders().entries())
      host.report({ processIds: [10 + index, 20 + index], traffic: { atNs: 3, sockets } });
    expect(set.processIds('sending')).toEqual([10, 20, 11, 21]);
    expect([...set.traffic('sending').values()]).toEqual([
      { atNs: 3, sockets },
      { atNs: 3, sockets },
    ]);
    expect(set.traffic('receiving')).toEqual(new Map());
    await set.flush();
    expect(senders().map((host) => host.named('flush').length)).toEqual([1, 1]);
    await set.removeAll();
    await set.closeSource(own);
    expect(senders().map(({ killed }) => killed)).toEqual([false, true]);
    expect([set.sources.length, set.deaths]).toEqual([1, 0]);
    expect(set.processIds('sending')).toEqual([10, 20]);
  });

  test('of several sending hosts the one that dies is started again, with its source and senders alone', async () => {
    const shared = await set.openSource(settings);
    const own = await set.openSource(other, { beside: true, ownProcess: true });
    const kept = await set.addStream('Test');
    await set.addStream('Test', { audio: false, source: own });
    const viewed = set.sendingHost;
    senders()[1]?.die();
    expect(set.deaths).toBe(1);
    await vi.waitFor(() => expect(events).toContain('host-started'));
    expect(reported.filter(({ kind }) => kind === 'host-died')).toMatchObject([
      { text: 'The sending process 2 was killed (SIGKILL)' },
    ]);
    const [first, replacement] = set.sources;
    expect(first).toBe(shared);
    expect(replacement?.id).not.toBe(own.id);
    expect(openedBy(2)).toEqual([['Test 2', replacement?.id]]);
    expect(set.streams[0]).toBe(kept);
    expect(set.streams[1]?.source).toBe(replacement);
    expect(set.sendingHost).toBe(viewed);
    const added = await set.addStream('Test', { audio: true, source: own });
    expect(added.source).toBe(replacement);
    expect(openedBy(2)).toHaveLength(2);
  });

  test('a sender in a process of its own is received at its address, also when it has another process', async () => {
    const own = await set.openSource(other, { beside: true, ownProcess: true });
    senders()[1]?.report({ processIds: [7001] });
    await set.addStream('Test', { audio: false, source: own });
    const receiving = application.host('receiving');
    const addresses = (): unknown[] => receiving.named('openReceiver').map(({ address }) => address);
    expect(addresses()).toEqual(['127.0.0.1:7001']);
    application.answer = ({ name }) => {
      if (name === 'openSource') senders()[2]?.report({ processIds: [7002] });
      return null;
    };
    senders()[1]?.die();
    await vi.waitFor(() => expect(events).toContain('host-started'));
    expect(receiving.named('closeReceiver')).toHaveLength(1);
    expect(addresses()).toEqual(['127.0.0.1:7001', '127.0.0.1:7002']);
    const shared = await set.openSource(settings, { beside: true });
    await set.addStream('Test', { audio: false, source: shared });
    expect(addresses().slice(2)).toEqual([undefined]);
  });

  test('a process of its own learns what this machine is', async () => {
    set.watchers.sendEnvironment(['<whiteline_environment/>']);
    await set.openSource(other, { ownProcess: true });
    expect(senders().map((host) => host.named('sendEnvironment').length)).toEqual([1, 1]);
  });

  test('a process of its own that dies while it starts is not kept, and no row is INVALID for it', async () => {
    await set.openSource(settings);
    const spawn = application.spawnStreamHost.bind(application);
    application.spawnStreamHost = (role) => {
      const host = spawn(role);
      host.deafTo = 'start';
      queueMicrotask(() => host.die());
      return host;
    };
    const opened = set.openSource(other, { beside: true, ownProcess: true });
    await expect(opened).rejects.toMatchObject({ code: 'HOST_DIED' });
    await vi.waitFor(() => expect(set.recovering).toBe(false));
    const [first, ...others] = senders();
    expect(first?.killed).toBe(false);
    for (const host of others.slice(1)) expect(host.killed).toBe(true);
    expect([set.sources.length, set.lost]).toEqual([1, false]);
    await set.flush();
    expect(others.flatMap((host) => host.named('flush'))).toEqual([]);
  });

  test('a process of its own that has no NDI is reported and closed', async () => {
    await set.openSource(settings);
    application.transportProblem = { code: 'NDI_MISSING', message: 'no libndi' };
    const opened = set.openSource(other, { beside: true, ownProcess: true });
    await expect(opened).rejects.toMatchObject({ code: 'NDI_MISSING' });
    expect(senders()[1]?.killed).toBe(true);
    expect(set.sources).toHaveLength(1);
  });
});

describe('several receivers of one sender', () => {
  test('each is a stream with a ledger of its own', async () => {
    const source = await set.openSource(settings);
    const stream = await set.addStream('Test');
    const further = await set.addReceiver(stream);
    expect(names()).toEqual(['Test 1', 'Test 1, receiver 2']);
    expect(application.host('sending').named('openSender')).toHaveLength(1);
    expect(
      application
        .host('receiving')
        .named('openReceiver')
        .map(({ sourceName }) => sourceName),
    ).toEqual([stream.fullName, stream.fullName]);
    const status = sourceStatus({ startNs: 1e9, sourceId: 100 });
    application.host('sending').report({
      ...{ atNs: 3e9, sources: [{ sourceId: source.id, status, records: sourceRecords([0, 1]) }] },
      senders: [
        {
          ...{ streamId: stream.id, firstSlot: 0, connections: 2, metadataDropped: 0, realTimeFinding: '' },
          ...{ submits: submits([0, 1]), misses: misses([]) },
        },
      ],
    });
    expect([stream, further].map(({ ledger }) => ledger?.identity.senderId)).toEqual([stream.id, stream.id]);
    expect(further.ledger).not.toBe(stream.ledger);
    expect([stream, further].map(({ ledger }) => ledger?.wasSubmitted(1))).toEqual([true, true]);
  });

  test('one is removed alone; with the sender they all go', async () => {
    await set.openSource(settings);
    const stream = await set.addStream('Test');
    await set.removeStream(await set.addReceiver(stream));
    expect(application.host('sending').named('closeSender')).toEqual([]);
    await set.addReceiver(stream);
    await set.removeStream(stream);
    expect(names()).toEqual([]);
    expect(application.host('sending').named('closeSender')).toHaveLength(1);
    expect(application.host('receiving').named('closeReceiver')).toHaveLength(3);
  });

  test('all follow their sender into a new process', async () => {
    await set.openSource(settings);
    await set.addReceiver(await set.addStream('Test'));
    application.host('sending').die();
    await vi.waitFor(() => expect(events).toContain('host-started'));
    expect(names()).toEqual(['Test 1', 'Test 1, receiver 2']);
    expect(set.streams.map(({ senderId, source }) => [senderId, source])).toEqual([
      [1, set.source],
      [1, set.source],
    ]);
    expect(application.host('sending').named('openSender')).toHaveLength(1);
    application.host('receiving').die();
    await vi.waitFor(() => expect(events.filter((kind) => kind === 'host-started')).toHaveLength(2));
    expect(application.host('receiving').named('openReceiver')).toHaveLength(2);
  });

  test('a sender’s faults are those of all its receivers, a stall is one’s own', async () => {
    await set.openSource(settings);
    const stream = await set.addStream('Test');
    const further = await set.addReceiver(stream);
    const skip = { verb: 'skip', first: 10, last: 12 } as const;
    const stall = { verb: 'stall', first: 20, last: 40 } as const;
    await set.setFaults(further, [skip, stall]);
    expect([stream.injected, further.injected]).toEqual([[skip], [skip, stall]]);
    expect(application.host('sending').named('setFaults')).toMatchObject([{ streamId: stream.id }]);
    expect(application.host('receiving').named('setFaults')).toMatchObject([{ streamId: further.id }]);
  });
});

function candidateOf(transport: TransportSettings | undefined): string | undefined {
  return transport?.name === 'ndi' ? transport.candidates[0] : undefined;
}

test('hosts are started anew with other settings of NDI, and died hosts with the same', async () => {
  const before = [...application.hosts];
  await set.restart({ transport: { name: 'ndi', candidates: ['other'] }, configuration: '{}' });
  expect(before.map(({ killed }) => killed)).toEqual([true, true]);
  application.host('receiving').die();
  await vi.waitFor(() => expect(events).toContain('host-started'));
  await set.restart();
  const starts = application.hosts.map((host) => host.named('start')[0]);
  expect(starts.map((start) => [candidateOf(start?.transport), start?.configuration])).toEqual([
    ...[
      ['libndi', undefined],
      ['libndi', undefined],
    ],
    ...[
      ['other', '{}'],
      ['other', '{}'],
      ['other', '{}'],
    ],
    ...[
      ['libndi', undefined],
      ['libndi', undefined],
    ],
  ]);
  expect(set.deaths).toBe(1);
});

test('hosts that are started anew learn what this machine is, and are no longer lost', async () => {
  set.watchers.sendEnvironment(['<whiteline_environment/>']);
  for (let death = 1; death <= 4; death++) {
    application.host('sending').die();
    await vi.waitFor(() => expect([set.deaths, set.recovering]).toEqual([death, false]));
  }
  expect(set.lost).toBe(true);
  await set.restart();
  expect(set.lost).toBe(false);
  expect(application.host('sending').named('sendEnvironment')).toHaveLength(1);
});

test('streams of which one does not close are all removed, and its trouble is reported', async () => {
  await set.openSource(settings);
  await set.addStream('Test');
  await set.addStream('Test');
  application.answer = ({ name }) => {
    if (name === 'closeReceiver') throw new Error('stuck');
    return null;
  };
  await expect(set.removeAll()).rejects.toThrow('stuck');
  expect(names()).toEqual([]);
});

test('a source and a sender that lost their real-time priority are reported, each once', async () => {
  const source = await set.openSource(settings);
  const stream = await set.addStream('Test');
  const found = 'hardly slept for 0.5 s, so it runs without real-time priority from then on';
  for (const [atSeconds, realTimeFinding] of ['', found, found].entries()) {
    const status = sourceStatus({ realTimeFinding });
    const counts = { firstSlot: 0, connections: 1, metadataDropped: 0 };
    const records = { submits: submits([]), misses: misses([]) };
    application.host('sending').report({
      ...{ atNs: atSeconds * 1e9, sources: [{ sourceId: source.id, status, records: sourceRecords([]) }] },
      senders: [{ streamId: stream.id, ...counts, realTimeFinding, ...records }],
    });
  }
  expect(reported.filter(({ kind }) => kind === 'thread-policy').map(({ text }) => text)).toEqual([
    `${source.text}: the source’s thread ${found}`,
    `Test 1: the sender’s thread ${found}`,
  ]);
});

describe('damaged pictures', () => {
  const damage = 'a.mov: frame 12 at byte 4711 is too short';

  /** The sending host reports so many damaged pictures at a time of its clock. */
  function report(source: ActiveSource, damagedPictures: number, atSeconds: number): void {
    const status = sourceStatus({ damagedPictures, damage });
    const sources = [{ sourceId: source.id, status, records: sourceRecords([]) }];
    application.host('sending').report({ atNs: atSeconds * 1e9, sources });
  }

  const damaged = () => reported.filter(({ kind }) => kind === 'source-damaged');

  test('are reported a second apart at least, with their number and the newest one’s place', async () => {
    const source = await set.openSource(settings);
    report(source, 0, 1);
    expect(damaged()).toEqual([]);
    report(source, 1, 1.1);
    for (const [index, at] of [1.2, 1.5, 2.0].entries()) report(source, 2 + index, at);
    expect(damaged().map(({ text }) => text)).toEqual([`${damage}: the last good picture was shown instead`]);
    report(source, 4, 2.2);
    expect(damaged()[1]).toMatchObject({
      text: `${damage}: the last good picture was shown instead (3 damaged pictures)`,
      details: { sourceId: source.id, pictures: 3, damagedPictures: 4 },
    });
    report(source, 4, 10);
    expect(damaged()).toHaveLength(2);
  });

  test('that come again and again are reported ever more seldom, but at least once a minute', async () => {
    const source = await set.openSource(settings);
    for (let second = 1; second <= 600; second++) report(source, second, second);
    const at = damaged().map(({ details }) => details?.damagedPictures);
    expect(at).toEqual([1, 2, 4, 8, 16, 32, 64, 124, 184, 244, 304, 364, 424, 484, 544]);
    expect(damaged().reduce((sum, { details }) => sum + Number(details?.pictures), 0)).toBe(544);
  });

  test('that were not reported yet are reported when the source is closed', async () => {
    const source = await set.openSource(settings);
    report(source, 1, 1);
    report(source, 5, 1.5);
    await set.closeSource();
    expect(damaged().map(({ details }) => details?.pictures)).toEqual([1, 4]);
  });

  test('of a new source count anew', async () => {
    report(await set.openSource(settings), 3, 1);
    const next = await set.openSource({ ...settings, format: '640x360@60' });
    report(next, 1, 1.2);
    expect(damaged().map(({ details }) => details?.pictures)).toEqual([3, 1]);
  });
});
