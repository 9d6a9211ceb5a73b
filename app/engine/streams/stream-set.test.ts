import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeApplication } from '../../testing/fake-application';
import { resolveSource, StreamSet } from './stream-set';

const settings = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let events: string[];
let set: StreamSet;

beforeEach(async () => {
  application = new FakeApplication();
  events = [];
  set = new StreamSet({
    ...{ application, ndiCandidates: ['libndi'], wallOffsetUs: 0, shareRecords: false },
    noteEvent: (kind) => events.push(kind),
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

test('a receiving host that dies is started again with its receivers', async () => {
  await set.openSource(settings);
  const stream = await set.addStream('Test');
  const windowsLook = set.receivingHost;
  application.host('receiving').die();
  await vi.waitFor(() => expect(events).toContain('host-started'));
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
  expect(set.deaths).toBe(4);
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

test('a generated source takes its size from the format, and no scale', async () => {
  const { format } = await resolveSource({ ...settings, format: '1920x1080@59.94' });
  expect(format).toEqual({ width: 1920, height: 1080, rate: { numerator: 60000, denominator: 1001 } });
  await expect(resolveSource({ ...settings, scale: '640x360' })).rejects.toMatchObject({ field: 'scale' });
});
