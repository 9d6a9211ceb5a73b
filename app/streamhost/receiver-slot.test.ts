import { expect, test } from 'vitest';
import type { Addon, ReceiverOptions } from '../../native/addon/index';
import type { DiscoveredSource } from '../protocol/records';
import { SimulatedClock } from '../testing/simulated-clock';
import { ReceiverSlot, type ReceiverSlotOptions } from './receiver-slot';

const second = 1e9;

/** An addon whose clock, connections and pictures the test sets. */
function fakeAddon() {
  const world = {
    nowNs: second,
    connections: 0 as number | null,
    pictures: 0,
    lastCaptureNs: 0,
    connectedTo: [] as (string | undefined)[],
    names: [] as string[],
    opened: [] as ReceiverOptions[],
    /** What the receivers were given, in order. */
    reported: [] as unknown[],
  };
  class FakeReceiver {
    constructor(options: ReceiverOptions) {
      world.opened.push(options);
      world.connectedTo.push(options.address);
    }
    askTime(options: unknown): void {
      world.reported.push(options);
    }
    setStalls(stalls: unknown): void {
      world.reported.push(stalls);
    }
    drain = () => 'captures';
    drainAudio = () => 'audio';
    takePeakDbfs = () => -20;
    drainTime = () => 'time';
    drainMetadata = () => ['<a/>'];
    connect(target: { name: string; address?: string }): void {
      world.names.push(target.name);
      world.connectedTo.push(target.address);
    }
    status() {
      const { connections, pictures: picturesCaptured, lastCaptureNs } = world;
      return { connections, picturesCaptured, lastCaptureNs };
    }
  }
  const addon = { monotonicNs: () => world.nowNs, Receiver: FakeReceiver } as unknown as Addon;
  return { addon, world };
}

function slotOf(addon: Addon, options: Partial<ReceiverSlotOptions> = {}): ReceiverSlot {
  const defaults = {
    ...{ transport: 'ndi' as const, streamId: 1, sourceName: 'PC (Whiteline 1)' },
    ...{ askTime: false, wallOffsetUs: 0 },
  };
  return new ReceiverSlot(addon, { ...defaults, ...options });
}

const listed: DiscoveredSource[] = [
  { name: 'PC (Whiteline 1)', address: '192.0.2.2:5961' },
  { name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' },
  { name: 'OTHER (Whiteline 1)', address: '192.0.2.9:5961' },
  { name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' },
];

test('a source is taken over loopback first, and another machine’s stream of that name never', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  slot.look([]);
  expect(world.connectedTo).toEqual([]);
  slot.look(listed);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
});

test('an address that is connected but never shows a picture is left for the next one', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  world.connections = 1;
  slot.look(listed);
  world.nowNs += 2 * second;
  slot.look(listed);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
  world.nowNs += second;
  slot.look(listed);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '192.0.2.2:5961']);

  world.pictures = 1;
  world.nowNs += 60 * second;
  world.lastCaptureNs = world.nowNs;
  slot.look(listed);
  expect(world.connectedTo).toHaveLength(2);
});

test('where connections are not known, an address without a picture is left as one that is connected', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  world.connections = null;
  slot.look(listed);
  world.nowNs += 2 * second;
  slot.look(listed);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
  world.nowNs += second;
  slot.look(listed);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '192.0.2.2:5961']);
  world.pictures = 1;
  world.nowNs += 60 * second;
  world.lastCaptureNs = world.nowNs;
  slot.look(listed);
  expect(world.connectedTo).toHaveLength(2);
});

test('a source that comes back on another port is followed', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon, { sourceName: 'Whiteline 1' });
  world.connections = 1;
  slot.look([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' }]);
  world.pictures = 100;
  slot.look([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' }]);
  world.connections = 0;
  world.nowNs += 2 * second;
  slot.look([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5962' }]);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '127.0.0.1:5962']);
});

test('the SDK is not left to look a name up that is listed at several addresses, of which one was tried in vain', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  const at = (...addresses: string[]): DiscoveredSource[] =>
    addresses.map((address) => ({ name: 'PC (Whiteline 1)', address }));
  world.connections = 1;
  slot.look(at('127.0.0.1:5961'));
  slot.look(at('127.0.0.1:5961'));
  world.connections = 0;
  for (let seconds = 0; seconds < 5; seconds++) {
    world.nowNs += second;
    slot.look(at('127.0.0.1:5962', '192.0.2.2:5961'));
  }
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '127.0.0.1:5962', '192.0.2.2:5961']);
  expect(world.names).toEqual(['PC (Whiteline 1)', '']);
  world.connections = 1;
  slot.look(at('127.0.0.1:5962', '192.0.2.2:5961'));
  world.connections = 0;
  world.nowNs += 2 * second;
  slot.look(at('127.0.0.1:5963', '192.0.2.2:5963'));
  expect(world.names).toEqual(['PC (Whiteline 1)', '', 'PC (Whiteline 1)']);
});

test('a source whose port was taken by another sender is followed to its new one', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon, { sourceName: 'Whiteline 1' });
  const own = (port: number): DiscoveredSource => ({
    name: 'PC (Whiteline 1)',
    address: `127.0.0.1:${port}`,
  });
  const other = (port: number): DiscoveredSource => ({
    name: 'PC (Whiteline 2)',
    address: `127.0.0.1:${port}`,
  });
  world.connections = 1;
  const pictureAfter = (seconds: number): void => {
    world.nowNs += seconds * second;
    world.pictures += 1;
    world.lastCaptureNs = world.nowNs;
  };
  slot.look([own(5961), other(5962)]);
  // Discovery may be mixed up for a moment, and may go on listing what is gone.
  pictureAfter(1);
  slot.look([own(5962), other(5961)]);
  pictureAfter(1.9);
  slot.look([own(5961), own(5962), other(5961)]);
  pictureAfter(60);
  slot.look([own(5961), own(5962), other(5961)]);
  pictureAfter(1.9);
  slot.look([other(5961)]);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
  pictureAfter(1.9);
  slot.look([own(5962), other(5961)]);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
  pictureAfter(0.2);
  slot.look([own(5962), other(5961)]);
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '127.0.0.1:5962']);
});

test('a source whose host took another address is followed, though the SDK still holds the old connection', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  const at = (address: string): DiscoveredSource[] => [{ name: 'PC (Whiteline 1)', address }];
  world.connections = 1;
  slot.look(at('10.0.0.1:5961'));
  world.pictures = 100;
  world.lastCaptureNs = world.nowNs;
  slot.look(at('10.0.0.3:5961'));
  world.nowNs += 1.9 * second;
  slot.look(at('10.0.0.3:5961'));
  expect(world.connectedTo).toEqual(['10.0.0.1:5961']);
  world.nowNs += 0.2 * second;
  slot.look([]);
  slot.look(at('10.0.0.1:5961'));
  expect(world.connectedTo).toEqual(['10.0.0.1:5961']);
  slot.look(at('10.0.0.3:5961'));
  expect(world.connectedTo).toEqual(['10.0.0.1:5961', '10.0.0.3:5961']);
});

test('so it is though discovery still lists the old address beside the new one', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  const both: DiscoveredSource[] = ['10.0.0.1:5961', '10.0.0.3:5961'].map((address) => ({
    name: 'PC (Whiteline 1)',
    address,
  }));
  world.connections = 1;
  slot.look(both.slice(0, 1));
  world.pictures = 100;
  world.lastCaptureNs = world.nowNs;
  world.nowNs += 4.9 * second;
  slot.look(both);
  expect(world.connectedTo).toEqual(['10.0.0.1:5961']);
  world.nowNs += 0.2 * second;
  slot.look(both);
  expect(world.connectedTo).toEqual(['10.0.0.1:5961', '10.0.0.3:5961']);
  // Pictures come there: it stays.
  world.pictures = 200;
  world.nowNs += 60 * second;
  world.lastCaptureNs = world.nowNs;
  slot.look(both);
  expect(world.connectedTo).toHaveLength(2);
});

test.each([{}, { address: '127.0.0.1:5961' }])(
  'an only address that is lost is tried again every four seconds (%j)',
  (options) => {
    const { addon, world } = fakeAddon();
    const slot = slotOf(addon, options);
    const look = (): void => slot.look([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' }]);
    world.connections = 1;
    look();
    world.pictures = 100;
    world.nowNs += 60 * second;
    look();
    world.connections = 0;
    for (let tenths = 0; tenths < 100; tenths++) {
      world.nowNs += 0.1 * second;
      look();
    }
    // Given up after 1.5 s, tried again at once, and then after 4 s each.
    expect(world.connectedTo).toHaveLength(4);
    world.connections = 1;
    world.pictures = 200;
    world.nowNs += 60 * second;
    look();
    expect(world.connectedTo).toHaveLength(4);
  },
);

test('whether discovery lists the source is reported at every moment, before and after it was opened', () => {
  const { addon } = fakeAddon();
  const slot = slotOf(addon);
  expect(slot.report().listed).toBeNull();
  slot.look([{ name: 'OTHER (Whiteline 1)', address: '192.0.2.9:5961' }]);
  expect(slot.report().listed).toBe(false);
  slot.look(listed);
  expect(slot.report().listed).toBe(true);
  slot.look([]);
  expect(slot.report()).toMatchObject({ listed: false, sourceName: 'PC (Whiteline 1)' });
});

test('a source that is given by its address is not looked up, and whether it is listed is not known', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon, { address: '192.0.2.7:5961' });
  slot.look(listed);
  expect(world.connectedTo).toEqual(['192.0.2.7:5961']);
  expect(slot.report().listed).toBeNull();
});

test('everything that the receiver recorded is reported; before it is open, nothing came', () => {
  const { addon } = fakeAddon();
  const slot = slotOf(addon, { askTime: true });
  const before = slot.report();
  for (const records of [before.captures, before.audio, before.time])
    for (const column of Object.values(records))
      expect(typeof column === 'number' ? column : column.length).toBe(0);
  expect(before).toMatchObject({ status: null, metadata: [], openedNs: 0 });
  slot.look(listed);
  expect(slot.report()).toMatchObject({
    captures: 'captures',
    audio: 'audio',
    time: 'time',
    metadata: ['<a/>'],
  });
});

test('only a receiver that is to ask for the time asks, with the offset of this machine', () => {
  const { addon, world } = fakeAddon();
  const silent = slotOf(addon);
  silent.look(listed);
  expect(world.reported).toEqual([]);
  expect(silent.report().time.askedUs).toHaveLength(0);
  slotOf(addon, { askTime: true, wallOffsetUs: 77 }).look(listed);
  expect(world.reported).toEqual([{ rateHz: 5 }]);
  expect(world.opened[1]?.wallOffsetUs).toBe(77);
});

test('stalls reach the receiver, and one that is opened only later', () => {
  const { addon, world } = fakeAddon();
  const slot = slotOf(addon);
  slot.setStalls([{ first: 800, last: 860 }]);
  expect(world.reported).toEqual([]);
  slot.look(listed);
  expect(world.reported).toEqual([[{ first: 800, last: 860 }]]);
  slot.setStalls([]);
  expect(world.reported[1]).toEqual([]);
});

test('what its log lacks is told when that begins, and in all once it is closed', async () => {
  const { addon } = fakeAddon();
  const clock = new SimulatedClock();
  const slot = slotOf(addon, { address: '192.0.2.7:5961', captureLogPath: '/logs/captured-1.log' });
  let state = { missing: 0, why: '', isEnded: false };
  Object.assign(slot.receiver ?? {}, { captureLog: () => state, close: () => undefined });
  expect(slot.takeLogGap()).toBeNull();
  state = { missing: 9, why: 'No space left', isEnded: false };
  const gap = { streamId: 1, frames: 9, why: 'No space left', isFinal: false };
  expect([slot.takeLogGap(), slot.takeLogGap()]).toEqual([gap, null]);
  const closed = slot.closeWithLog(clock);
  await clock.pass(50);
  state = { missing: 12, why: 'No space left', isEnded: true };
  await clock.pass(10);
  expect(await closed).toEqual({ ...gap, frames: 12, isFinal: true });
});

test('a log that does not end is waited for a second, and one that is not written not at all', async () => {
  const { addon } = fakeAddon();
  const clock = new SimulatedClock();
  const without = slotOf(addon, { address: '192.0.2.7:5961' });
  Object.assign(without.receiver ?? {}, { close: () => undefined });
  expect([without.takeLogGap(), await without.closeWithLog(clock)]).toEqual([null, null]);
  const slot = slotOf(addon, { address: '192.0.2.7:5961', captureLogPath: '/logs/captured-1.log' });
  const state = { missing: 0, why: '', isEnded: false };
  Object.assign(slot.receiver ?? {}, { captureLog: () => state, close: () => undefined });
  const closed = slot.closeWithLog(clock);
  await clock.pass(1000);
  expect(await closed).toBeNull();
});
