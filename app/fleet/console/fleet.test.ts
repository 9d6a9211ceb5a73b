import { expect, test } from 'vitest';
import type { InterfaceLoad, LoadSample, MachineChange } from '../../protocol/load';
import { range } from '../../testing/columns';
import { loadSample } from '../../testing/load-sample';
import { settled } from '../../testing/time-passes';
import { agentEnvironment, Bench } from '../fleet.fixture';
import { Fleet } from './fleet';

function fleetOf(bench: Bench): Fleet {
  return new Fleet({
    ...{ bus: bench.bus, clock: bench.clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
    openChannel: bench.channels.open,
    onLost: (name, words) => bench.lost.push(`${name} ${words}`),
  });
}

const eth0: InterfaceLoad = {
  ...{ name: 'eth0', loopback: false, receiveMbps: 5, transmitMbps: 6, errors: 0, dropped: 0 },
  ...{ receiveErrors: 0, transmitErrors: 0, receiveDropped: 0, transmitDropped: 0 },
  ...{ linkMbps: 1000, mtuBytes: 1500, notMeasured: {} },
};

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
  // More of them than a sampler makes would push out what came before them.
  bench.sample(loadSample({ atNs: atNs + 1e9 + 1, cpuPercent: 60 }));
  await bench.clock.pass(1000);
  expect(machine?.samples.map(({ cpuPercent }) => cpuPercent)).toEqual([40, 50]);
});

test('each sample of a machine comes once and in order, whatever was lost on the way, with its changes in our time', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent({ network: 'boot net:[1]' });
  const machine = await settled(bench.clock, fleet.find('render-1'));
  await bench.clock.pass(2000);
  const heard: LoadSample[] = [];
  const stop = machine?.onSample((sample) => heard.push(sample));
  const atNs = bench.clock.monotonicNs();
  const sampled = async (half: number): Promise<void> => {
    const now = atNs + half * 0.5e9;
    const changes: MachineChange[] =
      half === 3 ? [{ atNs: now, code: 'wall-clock-step', data: { byMs: 50 } }] : [];
    bench.sample(loadSample({ atNs: now, cpuPercent: half, changes, interfaces: [eth0] }));
    await bench.clock.pass(500);
  };
  for (const half of [1, 2]) await sampled(half);
  bench.bus.isCut = true;
  for (const half of [3, 4, 5, 6]) await sampled(half);
  bench.bus.isCut = false;
  for (const half of [7, 8]) await sampled(half);
  await bench.clock.pass(1000);
  expect(heard.map(({ cpuPercent }) => cpuPercent)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const [step] = heard[2]?.changes ?? [];
  expect([step?.code, (step?.atNs ?? 0) - (atNs + 1.5e9)]).toEqual([
    'wall-clock-step',
    expect.closeTo(0, -5),
  ]);
  expect(heard[0]?.interfaces).toMatchObject([{ name: 'eth0', receiveMbps: 5 }]);
  // What is kept for rows has no single interfaces.
  expect([machine?.samples.at(-1)?.interfaces, machine?.network]).toEqual([[], 'boot net:[1]']);
  stop?.();
  await sampled(9);
  await bench.clock.pass(1000);
  expect(heard).toHaveLength(8);
});

test('a machine says what it is; an answer that no machine gives is refused', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  const machine = await settled(bench.clock, fleet.find('render-1'));
  expect(await machine?.readEnvironment()).toEqual(agentEnvironment);
  const hostile = [
    null,
    { ...agentEnvironment, cores: Number.POSITIVE_INFINITY },
    { ...agentEnvironment, hostName: 'x'.repeat(1e4) },
    { ...agentEnvironment, interfaces: Array.from({ length: 300 }, () => ({})) },
    {
      ...agentEnvironment,
      versions: Object.fromEntries(range(1, 2000).map((n) => [`v${n}`, 'x'.repeat(300)])),
    },
  ];
  for (const environment of hostile) {
    bench.bus.serve(`whiteline.to.${bench.identity.id}.ask`, async () => environment);
    await expect(machine?.readEnvironment()).rejects.toMatchObject({ code: 'TOOL_FAILED' });
  }
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
    message: '2 connected agents have the name render-1, and one is wanted',
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

test('of agents that are asked for, those that are connected are told', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  await bench.acquire('control-2');
  await bench.clock.pass(1000);
  const beganNs = bench.clock.monotonicNs();
  expect(await settled(bench.clock, fleet.connected([bench.identity.id]))).toMatchObject([
    { name: 'render-1', version: '1.0.0', presence: { holder: 'control-2' } },
  ]);
  expect(bench.clock.monotonicNs() - beganNs).toBeLessThan(2e9);
  const other = 'b1b2c3d4e5f6g7h8';
  expect(await settled(bench.clock, fleet.connected([bench.identity.id, other]))).toHaveLength(1);
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

test('the movies of an agent are had by its name, without its lease', async () => {
  const bench = new Bench();
  const fleet = fleetOf(bench);
  bench.agent();
  expect(await settled(bench.clock, fleet.movies('render-1'))).toEqual({
    ...{ hasFolders: false, names: [], more: 0, isWhole: true },
  });
  expect(await settled(bench.clock, fleet.movies('render-2'))).toBeNull();
  await bench.clock.pass(1000);
  expect(fleet.views()).toMatchObject([{ name: 'render-1', presence: { holder: null } }]);
});
