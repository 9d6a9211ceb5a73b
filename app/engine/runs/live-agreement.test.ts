import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedBench } from '../../testing/simulated-bench';
import { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Strips and table count the same frames up to the same moment. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  fleet = new SimulatedFleet(bench);
  fleet.start('render-1');
});
afterEach(() => bench.close());

const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
const keys = ['framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'] as const;
const strip = () => bench.engine.state().streams[0];
const ofStrip = () => [strip()?.countedTo, ...keys.map((key) => strip()?.[key])];

async function added(places: object): Promise<void> {
  await bench.execute({ name: 'addStream', parameters: { ...source, ...places } as never });
  await bench.clock.untilSo(() => bench.engine.rows().open !== null);
  const stream = bench.hosts.stream(strip()?.id ?? 0).clean(5);
  stream.lose(7);
  stream.clean(20).miss(3);
}

test.each([{}, { sendOn: 'render-1' }, { receiveOn: 'render-1' }])(
  'the open row and the strip of its stream agree whenever they are shown, also while a machine is out of reach (%o)',
  async (places) => {
    await added(places);
    for (let look = 0; look < 40; look++) {
      if (look === 20) fleet.cut('render-1');
      if (look === 28) fleet.mend('render-1');
      await bench.clock.pass(330);
      const row = bench.engine.rows().open;
      expect([row?.to, ...keys.map((key) => row?.figures[key])]).toEqual(ofStrip());
    }
    expect(strip()).toMatchObject({ framesDropped: 7, framesSenderMissed: 3 });
  },
);

test.each([{ sendOn: 'render-1' }, { receiveOn: 'render-1' }])(
  'rows that a machine ends by being gone have what its strip has: nothing counts that was not reported (%o)',
  async (places) => {
    await added(places);
    await bench.clock.pass(5000);
    fleet.cut('render-1');
    await bench.clock.untilSo(() => fleet.lost.length === 1);
    await bench.clock.pass(10_000);
    const rows = bench.engine.rows().closed.slice(1);
    expect(rows.every(({ verdict }) => verdict === 'INVALID')).toBe(true);
    const sum = (key: (typeof keys)[number]) =>
      rows.reduce((total, row) => total + Number(row.figures[key]), 0);
    expect(keys.map(sum)).toEqual(ofStrip().slice(1));
    expect(strip()).toMatchObject({ framesDropped: 7, framesSenderMissed: 3 });
  },
);

test('streams that are added one after the other lose nothing that only their strips have: it is between rows', async () => {
  const add = () => bench.execute({ name: 'addStream', parameters: source });
  await add();
  await bench.clock.pass(1500);
  await add();
  await bench.clock.pass(1500);
  // Of the first its warm-up is over, of the others it is not: no row can be open on all of them.
  bench.hosts.stream(1).miss(3);
  await add();
  await bench.clock.pass(1500);
  bench.hosts.stream(1).lose(2);
  bench.hosts.stream(2).miss(4);
  await bench.clock.pass(300);
  await bench.clock.untilSo(() => bench.engine.rows().open !== null);
  bench.hosts.stream(3).lose(5);
  await bench.clock.pass(5000);
  const strips = bench.engine.state().streams;
  await bench.execute({ name: 'stop' });
  const { rows } = bench.readRun();
  expect(rows.map(({ streams, label }) => [streams, label])).toEqual([
    [0, ''],
    [1, 'between rows'],
    [2, 'between rows'],
    [3, ''],
  ]);
  const parts = rows.flatMap(({ perStream }) => perStream);
  const sumOf = (stream: string, key: (typeof keys)[number]) =>
    parts.filter(({ name }) => name === stream).reduce((total, part) => total + Number(part[key]), 0);
  const lost = strips.map(({ name, framesDropped, framesSenderMissed }) => {
    expect([sumOf(name, 'framesDropped'), sumOf(name, 'framesSenderMissed')]).toEqual([
      framesDropped,
      framesSenderMissed,
    ]);
    return [framesDropped, framesSenderMissed];
  });
  expect(lost).toEqual([
    [2, 3],
    [0, 4],
    [5, 0],
  ]);
});
