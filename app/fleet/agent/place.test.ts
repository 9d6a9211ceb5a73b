import { expect, test } from 'vitest';
import type { WhitelineError } from '../../protocol/errors';
import { MemoryBusServer } from '../../testing/memory-bus';
import { SimulatedClock } from '../../testing/simulated-clock';
import { joinsAfterMs, Place } from './place';

const agent = { id: 'a1b2c3d4e5f6g7h8', name: 'render-1' };

/** Machines with one join file, on a bus of memory. */
class Machines {
  readonly clock = new SimulatedClock();
  readonly server = new MemoryBusServer(this.clock);
  /** What each said, by the name of its machine. */
  readonly said: string[] = [];

  start(hostName: string) {
    const bus = this.server.connect(hostName);
    const say = (words: string): void => void this.said.push(`${hostName}: ${words}`);
    const place = new Place({
      ...{ bus, agent, hostName, clock: this.clock, addresses: () => ['192.0.2.7'] },
      ...{ onRefused: say, onWait: say, onLost: ({ message }) => say(message) },
    });
    place.taken().then(
      () => say('ready'),
      ({ message }: WhitelineError) => say(message),
    );
    return { bus, place };
  }
}

const since = 'since 2026-11-27 12:00:01 UTC';
const already = (other: string, when = since): string =>
  `render-1 is connected already: an agent with its join file is ready on ${other} (192.0.2.7), ${when}`;

test('an agent that is alone is ready after 1.5 s', async () => {
  const machines = new Machines();
  const { place } = machines.start('one');
  await machines.clock.pass(joinsAfterMs - 1);
  expect([machines.said, place.isTaken]).toEqual([[], false]);
  await machines.clock.pass(1);
  expect([machines.said, place.isTaken]).toEqual([['one: ready'], true]);
});

test('a second one ends with where the first one is and since when, and the first one says so once', async () => {
  const machines = new Machines();
  const { place } = machines.start('one');
  await machines.clock.pass(10_000);
  machines.start('two');
  await machines.clock.pass(0);
  expect(machines.said).toEqual([
    'one: ready',
    'one: A second agent with this join file was refused, on two (192.0.2.7). Invite that machine by a name of its own: whiteline fleet invite NAME',
    `two: ${already('one')}`,
  ]);
  await machines.clock.pass(60_000);
  expect([machines.said.length, place.isTaken]).toEqual([3, true]);
});

test.each([
  ['at once', 0, 0],
  ['with 400 ms on the way', 0, 400],
  ['one after the other', 1400, 0],
  ['one after the other, with 90 ms on the way', 1400, 90],
])('of two that start %s, one is ready and the other ends', async (_, betweenMs, onTheWayMs) => {
  const machines = new Machines();
  machines.server.way = () => [onTheWayMs];
  machines.start('one');
  await machines.clock.pass(betweenMs);
  machines.start('two');
  await machines.clock.pass(10_000);
  expect(machines.said.filter((words) => words.endsWith(': ready'))).toHaveLength(1);
  expect(
    machines.said.filter((words) => /render-1 is (connected already|started twice)/.test(words)),
  ).toHaveLength(1);
});

test('lost messages are said again', async () => {
  const machines = new Machines();
  machines.start('one');
  await machines.clock.pass(5000);
  let number = 0;
  machines.server.way = () => (++number <= 2 ? [] : [0]);
  machines.start('two');
  await machines.clock.pass(5000);
  expect(machines.said.at(-1)).toBe(`two: ${already('one')}`);
});

test('one that was killed is not waited for, though the server keeps its connection', async () => {
  const machines = new Machines();
  const { place } = machines.start('one');
  await machines.clock.pass(5000);
  place.close();
  machines.start('one');
  await machines.clock.pass(joinsAfterMs);
  expect(machines.said).toEqual(['one: ready', 'one: ready']);
});

test('one that ends is waited for, and that is said once', async () => {
  const machines = new Machines();
  const { place } = machines.start('one');
  await machines.clock.pass(5000);
  place.leave();
  machines.start('two');
  await machines.clock.pass(4000);
  const waits = 'two: Waits until the agent with this join file on one (192.0.2.7) has ended';
  expect(machines.said).toEqual(['one: ready', waits]);
  place.close();
  await machines.clock.pass(joinsAfterMs + 500);
  expect(machines.said).toEqual(['one: ready', waits, 'two: ready']);
});

test('one that was cut off for longer than a lease looks again, and ends where another one came', async () => {
  const machines = new Machines();
  const { bus, place } = machines.start('one');
  await machines.clock.pass(5000);
  bus.disconnect();
  machines.start('two');
  await machines.clock.pass(6000);
  bus.reconnect();
  expect(place.isTaken).toBe(false);
  await machines.clock.pass(0);
  expect(machines.said).toContain(`one: ${already('two', 'since 2026-11-27 12:00:06 UTC')}`);
  expect(place.isTaken).toBe(false);
});

test('one that was cut off and is alone is the agent again', async () => {
  const machines = new Machines();
  const { bus, place } = machines.start('one');
  await machines.clock.pass(5000);
  bus.disconnect();
  await machines.clock.pass(4000);
  bus.reconnect();
  expect(place.isTaken).toBe(true);
  bus.disconnect();
  await machines.clock.pass(6000);
  bus.reconnect();
  expect(place.isTaken).toBe(false);
  await machines.clock.pass(2000);
  expect([place.isTaken, machines.said]).toEqual([true, ['one: ready']]);
});

test('one that stood still for longer than a lease says nothing before it has looked', async () => {
  const machines = new Machines();
  const { place } = machines.start('one');
  await machines.clock.pass(5000);
  machines.clock.stall(5001);
  expect(place.isTaken).toBe(false);
  await machines.clock.pass(2000);
  expect(place.isTaken).toBe(true);
});

test('of two that were cut off from each other, the later one ends when they meet', async () => {
  const machines = new Machines();
  machines.server.cut('one', 'two');
  machines.start('one');
  await machines.clock.pass(1000);
  const { bus } = machines.start('two');
  await machines.clock.pass(5000);
  expect(machines.said).toEqual(['one: ready', 'two: ready']);
  machines.server.mend('one', 'two');
  bus.disconnect();
  bus.reconnect();
  await machines.clock.pass(0);
  expect(machines.said.slice(2)).toEqual([`two: ${already('one')}`]);
});

test('foreign bytes are passed over', async () => {
  const machines = new Machines();
  const { bus } = machines.start('one');
  await machines.clock.pass(5000);
  const subject = `whiteline.from.${agent.id}.claim`;
  for (const value of [
    null,
    'ready',
    { state: 'ready' },
    { session: '', state: 'ready', sinceMs: Number.NaN },
  ])
    bus.publish(subject, value);
  await machines.clock.pass(0);
  expect(machines.said).toEqual(['one: ready']);
});
