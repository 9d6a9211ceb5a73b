import { afterEach, beforeEach, expect, test } from 'vitest';
import { endsOn, fleetBench } from '../../testing/fleet-bench';
import type { SimulatedBench } from '../../testing/simulated-bench';
import type { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Streams that an operator adds by hand, with an end on a machine that is out of reach for a while, or gone. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  ({ bench, fleet } = await fleetBench(folder, 'render-1'));
});
afterEach(() => bench.close());

const ends = endsOn('render-1').slice(0, 2);
const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
const add = (places: object) =>
  bench.execute({ name: 'addStream', parameters: { ...source, ...places } as never });
const shown = () => bench.engine.state().streams[0];
const until = (isSo: () => boolean) => bench.clock.untilSo(isSo);

async function added(places: object): Promise<void> {
  await add(places);
  await until(() => shown()?.state === 'receiving' && bench.engine.rows().open !== null);
  await bench.clock.pass(3000);
}

test.each(ends)(
  '%s there, a break costs nothing: it is said, and no frame counts as lost',
  async (_, places) => {
    await added(places);
    fleet.cut('render-1');
    await bench.clock.pass(3000);
    expect(shown()).toMatchObject({ state: 'receiving', framesDropped: 0, verdict: 'PASS' });
    expect(shown()?.stateText).toMatch(/^render-1 is not reachable: /);
    expect(bench.engine.rows().open?.verdict).toBe('PASS');
    await bench.clock.pass(500);
    fleet.mend('render-1');
    await bench.clock.pass(6000);
    expect(shown()).toMatchObject({ state: 'receiving', stateText: 'Receiving', framesDropped: 0 });
    expect(bench.engine.state().alerts).toEqual([]);
    await bench.execute({ name: 'stop' });
    expect(bench.readRun().rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS']);
  },
);

test.each(ends)(
  '%s on a machine that is gone: the stream says so, can be removed, and is added again once it is back',
  async (role, places) => {
    await added(places);
    fleet.cut('render-1');
    await until(() => fleet.lost.length === 1);
    await bench.clock.pass(10_000);
    const words = `The ${role} process on render-1 was given up: render-1 was not reachable for 5 s`;
    expect(shown()).toMatchObject({ stateText: words, remedy: expect.stringContaining('render-1') });
    const { alerts } = bench.engine.state();
    const alert = alerts.find(({ code }) => code === 'HOST_DIED');
    expect(alert).toMatchObject({
      message: `The ${role} process on render-1 could not be started again: its agent is not connected`,
      remedy: expect.stringContaining('Start the agent on render-1'),
    });
    await expect(add(places)).rejects.toMatchObject({
      message: 'A stream process on render-1 is gone, and the streams of this run with it',
    });
    expect(alert?.untilMs).toBeUndefined();
    await bench.execute({ name: 'removeStream' });
    await until(() => shown() === undefined);
    await expect(add(places)).rejects.toMatchObject({ value: 'render-1' });
    fleet.mend('render-1');
    await bench.clock.pass(1500);
    const before = bench.runFolder;
    await added(places);
    expect(bench.runFolder).not.toBe(before);
    expect(shown()).toMatchObject({ state: 'receiving', stateText: 'Receiving' });
    expect(bench.engine.state().alerts.filter(({ untilMs }) => untilMs === undefined)).toEqual([]);
    await bench.execute({ name: 'stop' });
    expect(bench.readRun().rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS']);
  },
);

test.each(ends)(
  '%s on a machine that is gone: its alert is over once the run has ended',
  async (_, places) => {
    await added(places);
    fleet.cut('render-1');
    const died = () => bench.engine.state().alerts.filter(({ code }) => code === 'HOST_DIED');
    await until(() => died().some(({ severity }) => severity === 'error'));
    expect(died().map(({ untilMs }) => untilMs === undefined)).toEqual([true]);
    await bench.execute({ name: 'stop' });
    expect(died().map(({ untilMs }) => untilMs === undefined)).toEqual([false]);
  },
);

test('a stream whose machine is out of reach is removed once that is given up', async () => {
  await added({ receiveOn: 'render-1' });
  fleet.cut('render-1');
  await bench.clock.pass(2000);
  await bench.execute({ name: 'removeStream' });
  await until(() => shown() === undefined);
  await bench.execute({ name: 'stop' });
  expect(bench.engine.state().mode).toBe('idle');
});
