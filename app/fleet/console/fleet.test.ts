import { expect, test } from 'vitest';
import { loadSample } from '../../testing/load-sample';
import { settled } from '../../testing/time-passes';
import { Bench } from '../fleet.fixture';
import { Fleet } from './fleet';

function fleetOf(bench: Bench): Fleet {
  return new Fleet({
    ...{ bus: bench.bus, clock: bench.clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
    openChannel: bench.channels.open,
    onLost: (name, words) => bench.lost.push(`${name} ${words}`),
  });
}

test('a machine is found by its name, and works for this console from then on', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  expect(await settled(bench.clock, fleet.find('render-2'))).toBeNull();
  const machine = await settled(bench.clock, fleet.find('render-1'));
  expect(machine).toMatchObject({ id: bench.identity.id, name: 'render-1', addresses: ['192.0.2.7'] });
  expect(machine?.wallOffsetUs).toBe(bench.clock.wallOffsetUs());
  expect(await fleet.find('render-1')).toBe(machine);
  await bench.clock.pass(2000);
  expect(fleet.views()).toMatchObject([{ name: 'render-1', presence: { holder: 'control-1' } }]);
  expect(machine?.clock.isKnown).toBe(true);
  const nowNs = bench.clock.monotonicNs();
  expect(machine?.clock.toOursNs(nowNs)).toBeCloseTo(nowNs, -4);
});

test('what its agent reports of its load is its load, without what its own stream hosts took', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  const machine = await settled(bench.clock, fleet.find('render-1'));
  // Its clock is known by then.
  await bench.clock.pass(2000);
  const atNs = bench.clock.monotonicNs();
  bench.sample(loadSample({ atNs, cpuPercent: 40, roles: {}, cpuStealPercent: 1 }));
  await bench.clock.pass(1000);
  expect(machine?.loads.within(atNs - 2e9, atNs + 2e9)).toMatchObject([
    { cpuPercent: 40, othersPercent: 40, stealPercent: 1 },
  ]);
  // One of the future would hide all that come before it.
  bench.sample(loadSample({ atNs: atNs + 3600e9, cpuPercent: 90 }));
  await bench.clock.pass(1000);
  bench.sample(loadSample({ atNs: atNs + 1e9, cpuPercent: 50 }));
  await bench.clock.pass(1000);
  expect(machine?.samples.map(({ cpuPercent }) => cpuPercent)).toEqual([40, 50]);
});

test('one whose agent was ended is told of, and leased anew when it is back', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  const agent = bench.agent();
  const machine = await settled(bench.clock, fleet.find('render-1'));
  await agent.close();
  await bench.clock.pass(100);
  expect(bench.lost).toEqual(['render-1 was given up: the agent on render-1 was ended']);
  bench.agent();
  // As both ends of streams ask for it.
  const asked = Promise.all([fleet.find('render-1'), fleet.find('render-1')]);
  const [again, too] = await settled(bench.clock, asked);
  expect(again).not.toBeNull();
  expect(again).not.toBe(machine);
  expect(too).toBe(again);
  await bench.clock.pass(2000);
  expect(again).toMatchObject({ lost: null });
});

test('another console’s machine is refused, and a name that two have too', async () => {
  const bench = new Bench();
  bench.agent();
  await bench.acquire('control-2');
  const fleet = fleetOf(bench);
  await expect(settled(bench.clock, fleet.find('render-1'))).rejects.toMatchObject({ code: 'LEASE_HELD' });
  bench.agent({ agent: { id: 'b1b2c3d4e5f6g7h8', name: 'render-1' } });
  await bench.clock.pass(1000);
  await expect(settled(bench.clock, fleet.find('render-1'))).rejects.toMatchObject({
    message: 'Expected a name that one machine has for machine but received render-1, which 2 have',
  });
});

test('an agent that takes the name of another one is not found by it', async () => {
  const bench = new Bench();
  const fleet = new Fleet({
    ...{ bus: bench.bus, clock: bench.clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
    ...{ openChannel: bench.channels.open, onLost: () => undefined },
    isInvited: ({ id, name }) => id === bench.identity.id && name === 'render-1',
  });
  bench.agent({ agent: { id: 'b1b2c3d4e5f6g7h8', name: 'render-1' } });
  expect(await settled(bench.clock, fleet.find('render-1'))).toBeNull();
  bench.agent();
  expect(await settled(bench.clock, fleet.find('render-1'))).toMatchObject({ id: bench.identity.id });
});

test('closing gives the machines back, and closes the bus', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  await settled(bench.clock, fleet.find('render-1'));
  await settled(bench.clock, fleet.close());
  expect(bench.notes).toContainEqual(expect.stringContaining('its console gave the machine back'));
  expect(bench.bus.state).toBe('closed');
});
