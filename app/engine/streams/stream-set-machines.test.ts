import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeApplication, type FakeHost, fleetThatFinds } from '../../testing/fake-application';
import { OtherMachine } from '../../testing/other-machine';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { StandstillLog } from '../load/standstills';
import { StreamSet } from './stream-set';

// Streams of one sender here, received on display-1, this machine and display-2 in turn.

vi.mock('./sender-address', () => ({ senderAddress: () => '127.0.0.1:7000' }));

const settings = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
const hourNs = 3600e9;
const logFolder = temporaryFolder();

let clock: SimulatedClock;
let application: FakeApplication;
let machines: OtherMachine[];
let standstills: StandstillLog;
let set: StreamSet;

beforeEach(async () => {
  clock = new SimulatedClock();
  application = new FakeApplication();
  machines = [new OtherMachine('display-1', clock, hourNs), new OtherMachine('display-2', clock, 5 * hourNs)];
  standstills = new StandstillLog();
  const fleet = fleetThatFinds(async (wanted) => machines.find(({ name }) => name === wanted) ?? null);
  set = new StreamSet({
    ...{ application: Object.assign(application, { fleet }), clock, standstills },
    ...{ transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0, shareRecords: false },
    ...{ noteEvent: () => undefined, onChange: () => undefined },
  });
  await clock.until(set.start());
  await clock.until(set.restart({ receiveOn: ['display-1', undefined, 'display-2'] }));
  await clock.until(set.openSource(settings));
});
afterEach(() => clock.until(set.close()));

function machine(name: string): OtherMachine {
  const found = machines.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

function opened(host: FakeHost): number[] {
  return host.named('openReceiver').map(({ streamId }) => streamId);
}

async function add(count: number): Promise<void> {
  for (let number = 0; number < count; number++) await clock.until(set.addStream('Test'));
}

test('streams are received on the machines in their order, one after the other', async () => {
  await add(4);
  const [first, here, second] = [
    machine('display-1').host,
    application.host('receiving'),
    machine('display-2').host,
  ];
  expect([opened(first), opened(here), opened(second)]).toEqual([[1, 4], [2], [3]]);
  expect(set.receiverSides.map(({ name }) => name)).toEqual(['display-1', set.senderSide?.name, 'display-2']);
  expect(set.streams.map(({ receiverHost }) => receiverHost)).toEqual(
    [0, 1, 2, 0].map((index) => set.receiverSides[index]?.name),
  );
  // Both ends of the second are here, and share the clock.
  expect(set.streams.map((stream) => stream.clock.isShared)).toEqual([false, true, false, false]);
  await clock.until(set.removeAll());
  expect(first.named('closeReceiver').map(({ streamId }) => streamId)).toEqual([4, 1]);
  expect(second.named('closeReceiver')).toMatchObject([{ streamId: 3 }]);
});

test('so are the receivers of one sender; the newest one that is removed gives its place to the next', async () => {
  await add(1);
  const [sender] = set.streams;
  if (!sender) throw new Error('no stream was added');
  for (let number = 2; number <= 4; number++) await clock.until(set.addReceiver(sender));
  expect(set.streams.map(({ receivingHost }) => receivingHost)).toEqual([1, 2, 3, 1]);
  const [, , third, fourth] = set.streams;
  for (const stream of [fourth, third]) if (stream) await clock.until(set.removeStream(stream));
  await clock.until(set.addReceiver(sender));
  expect(opened(machine('display-2').host)).toEqual([3, 5]);
});

test('where one of them dies, its streams alone lose their receivers and get them again there', async () => {
  await add(3);
  const [first, here, second] = [
    machine('display-1').host,
    application.host('receiving'),
    machine('display-2').host,
  ];
  first.die();
  await clock.pass(1000);
  expect(set.streams.map(({ receiverGone }) => receiverGone !== null)).toEqual([true, false, false]);
  expect(set.died).toMatchObject([{ role: 'receiving', machine: 'display-1' }]);
  expect(machine('display-1').host).not.toBe(first);
  expect([machine('display-1').host, here, second].map(opened)).toEqual([[1], [2], [3]]);
});

test('a machine that is taken again is the same one for its streams', async () => {
  await add(3);
  const lost = machine('display-2').host;
  machines = [machine('display-1'), new OtherMachine('display-2', clock, 7 * hourNs)];
  lost.die();
  await clock.pass(1000);
  expect(opened(machine('display-2').host)).toEqual([3]);
  expect(set.receiverSides[2]).toBe(machine('display-2'));
  expect(set.streams[2]?.receiverHost).toBe('display-2');
});

test('a sending process that is started again leaves the streams where they are received', async () => {
  await add(3);
  application.host('sending').die();
  await clock.pass(1000);
  expect(set.streams.map(({ receivingHost }) => receivingHost)).toEqual([1, 2, 3]);
});

test('what a stream is asked for and what its process says is of its machine', async () => {
  await add(3);
  const [, , third] = set.streams;
  if (!third) throw new Error('no stream was added');
  await clock.until(set.setFaults(third, [{ verb: 'stall', first: 1, last: 2 }]));
  expect(machine('display-2').host.named('setFaults')).toMatchObject([{ streamId: 3 }]);
  const stopped = { kind: 'stopped' as const, fromNs: 0, toNs: 0 };
  const there = clock.monotonicNs() + 5 * hourNs;
  machine('display-2').host.report({
    standstills: [{ ...stopped, fromNs: there - 1e9, toNs: there }],
    atNs: there,
  });
  await clock.pass(0);
  const nowNs = clock.monotonicNs();
  expect(standstills.near(nowNs - 5e9, nowNs)).toMatchObject([
    { who: { role: 'receiving', machine: 'display-2' }, kind: 'stopped' },
  ]);
});

test('a sender in a process of its own has an address for a receiver here; other machines look its name up', async () => {
  const source = await clock.until(set.openSource(settings, { beside: true, ownProcess: true }));
  for (let number = 0; number < 2; number++)
    await clock.until(set.addStream('Test', { audio: true, source }));
  const addresses = [machine('display-1').host, application.host('receiving')].map((host) =>
    host.named('openReceiver').map(({ address }) => address),
  );
  expect(addresses).toEqual([[undefined], ['127.0.0.1:7000']]);
});

test('a machine whose logs are wanted is given back once they are fetched, and the others at once', async () => {
  const listed: string[] = [];
  const folder = mkdtempSync(join(logFolder, 'run-'));
  const noted: string[] = [];
  await clock.until(set.close());
  set = new StreamSet({
    ...{ application, clock, standstills, captureLogFolder: folder, onChange: () => undefined },
    ...{ transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0, shareRecords: false },
    noteEvent: (kind, text) => {
      if (kind === 'problem') noted.push(text);
    },
  });
  const [first, second] = [machine('display-1'), machine('display-2')];
  const kept = { logId: 1, streamId: 1, bytes: 0, isOpen: false };
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  Object.assign(first, {
    logs: {
      list: async () => {
        listed.push(`${first.host.gone}`);
        return [kept];
      },
      read: async () => new Uint8Array(0),
      digest: async () => ({ bytes: 0, sha256 }),
    },
  });
  const released = () => [first.released, second.released];
  const before = released();
  await clock.until(set.start());
  await clock.until(set.restart({ receiveOn: ['display-1', 'display-2'] }));
  await clock.until(set.openSource(settings));
  await add(2);
  expect([first, second].map(({ host }) => host.named('openReceiver')[0]?.captureLog)).toEqual([
    true,
    undefined,
  ]);
  await clock.until(set.removeAll().then(() => set.closeSource()));
  await clock.until(set.restart());
  expect(released().map((count, index) => count - (before[index] ?? 0))).toEqual([0, 1]);
  await clock.until(set.fetchLogs());
  expect(released().map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1]);
  expect([listed, noted]).toEqual([['true'], []]);
  expect(readdirSync(folder)).toEqual(['captured-1-on-display-1.log']);
});
