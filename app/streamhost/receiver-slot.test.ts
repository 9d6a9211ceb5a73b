import { expect, test } from 'vitest';
import type { Addon, Finder } from '../../native/addon/index';
import type { DiscoveredSource } from '../protocol/records';
import { ReceiverSlot } from './receiver-slot';

const second = 1e9;

/** An addon whose clock, connections and pictures the test sets. */
function fakeAddon() {
  const world = { nowNs: second, connections: 0, pictures: 0, connectedTo: [] as (string | undefined)[] };
  class FakeReceiver {
    constructor(options: { address?: string }) {
      world.connectedTo.push(options.address);
    }
    connect(target: { address?: string }): void {
      world.connectedTo.push(target.address);
    }
    status() {
      return { connections: world.connections, picturesCaptured: world.pictures };
    }
  }
  const addon = { monotonicNs: () => world.nowNs, Receiver: FakeReceiver } as unknown as Addon;
  return { addon, world };
}

function finderOf(sources: DiscoveredSource[]): Finder {
  return { sources: () => sources } as unknown as Finder;
}

const listed = [
  { name: 'PC (Whiteline 1)', address: '192.0.2.2:5961' },
  { name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' },
  { name: 'OTHER (Whiteline 1)', address: '192.0.2.9:5961' },
  { name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' },
];

test('a source is taken over loopback first, and another machine’s stream of that name never', () => {
  const { addon, world } = fakeAddon();
  const slot = new ReceiverSlot(addon, { streamId: 1, sourceName: 'PC (Whiteline 1)' });
  slot.look(finderOf([]));
  expect(world.connectedTo).toEqual([]);
  slot.look(finderOf(listed));
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
});

test('an address that is connected but never shows a picture is left for the next one', () => {
  const { addon, world } = fakeAddon();
  const slot = new ReceiverSlot(addon, { streamId: 1, sourceName: 'PC (Whiteline 1)' });
  world.connections = 1;
  slot.look(finderOf(listed));
  world.nowNs += 2 * second;
  slot.look(finderOf(listed));
  expect(world.connectedTo).toEqual(['127.0.0.1:5961']);
  world.nowNs += second;
  slot.look(finderOf(listed));
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '192.0.2.2:5961']);

  world.pictures = 1;
  world.nowNs += 60 * second;
  slot.look(finderOf(listed));
  expect(world.connectedTo).toHaveLength(2);
});

test('a source that comes back on another port is followed', () => {
  const { addon, world } = fakeAddon();
  const slot = new ReceiverSlot(addon, { streamId: 1, sourceName: 'Whiteline 1' });
  world.connections = 1;
  slot.look(finderOf([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' }]));
  world.pictures = 100;
  slot.look(finderOf([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5961' }]));
  world.connections = 0;
  world.nowNs += 2 * second;
  slot.look(finderOf([{ name: 'PC (Whiteline 1)', address: '127.0.0.1:5962' }]));
  expect(world.connectedTo).toEqual(['127.0.0.1:5961', '127.0.0.1:5962']);
});
