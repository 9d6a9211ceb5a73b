import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endsOn, fleetBench, givenUp, wasBack } from '../../testing/fleet-bench';
import type { Row } from '../../testing/named-rows';
import { type SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import type { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole ramps of which one end is on a machine that is out of reach for a while, or for good. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  ({ bench, fleet } = await fleetBench(folder, 'render-1'));
});
afterEach(() => bench.close());

// What is lost for a second ends a row.
const small = { format: '640x360@30', warmUpSeconds: 0.5, maxStreams: 1, stopAfterSeconds: 1 };
const begin = (more: object) => bench.begin('stream-load', { ...small, holdSeconds: 6, ...more });
const sendOn = { sendOn: 'render-1' };
const receiveOn = { receiveOn: 'render-1' };
const ends = endsOn('render-1');
const shapeOf = () => bench.readRun().rows.map(({ streams, verdict, label }) => [streams, verdict, label]);

describe.each(ends)('a machine is out of reach: %s', (_, places) => {
  test('for less than the lease: no rule ends the row, and each frame is counted', async () => {
    await begin(places);
    await bench.inRow(1, { seconds: 1 });
    fleet.cut('render-1');
    await bench.clock.pass(3500);
    fleet.mend('render-1');
    await bench.ended();
    expect(shapeOf()).toEqual([
      [0, 'PASS', ''],
      [1, 'PASS', ''],
    ]);
    expect(sumsOf(bench.readRun().rows[1] as Row)).toEqual([180, 0, 180, 180, 0]);
    expect(bench.events('stream-stalled', 'host-died', 'problem')).toEqual([]);
    expect([fleet.lost, bench.engine.state().alerts]).toEqual([[], []]);
  });

  test('at the end of a row: its last frames are waited for', async () => {
    await begin(places);
    await bench.inRow(1, { seconds: 5 });
    fleet.cut('render-1');
    await bench.clock.pass(3500);
    fleet.mend('render-1');
    await bench.ended();
    expect(bench.codes()[1]).not.toContain('row-late');
    expect(sumsOf(bench.readRun().rows[1] as Row)).toEqual([180, 0, 180, 180, 0]);
  });

  test('for good, shortly before a row ends: its frames count up to its last report, and none behind it is lost', async () => {
    await begin(places);
    await bench.inRow(1, { seconds: 5 });
    fleet.cut('render-1');
    await bench.ended();
    const [, row] = bench.readRun().rows as [Row, Row];
    expect(row.verdict).toBe('INVALID');
    const [scheduled, missed, submitted, received, dropped] = sumsOf(row);
    expect([missed, submitted, received, dropped]).toEqual([0, scheduled, scheduled, 0]);
    expect(scheduled).toBeGreaterThan(140);
    expect(scheduled).toBeLessThan(156);
  });

  test('while a stream is added: it is not taken for one that shows no picture', async () => {
    await begin(places);
    await bench.inRow(1, { phase: 'connecting', seconds: 0 });
    fleet.cut('render-1');
    await bench.clock.pass(3500);
    fleet.mend('render-1');
    await bench.ended();
    expect(shapeOf()).toEqual([
      [0, 'PASS', ''],
      [1, 'PASS', ''],
    ]);
  });

  test('for good: its row is INVALID and says when, and nothing more is measured', async () => {
    await begin({ ...places, holdSeconds: 20 });
    await bench.inRow(1, { seconds: 1 });
    fleet.cut('render-1');
    await bench.ended();
    expect(shapeOf()).toEqual([
      [0, 'PASS', ''],
      [1, 'INVALID', ''],
    ]);
    const { rows, state, verdict, reason } = bench.readRun();
    expect(rows[1]?.reason).toMatch(new RegExp(`^${givenUp.source}`));
    expect(rows[1]?.reason.match(/render-1/g)).toHaveLength(1);
    // The lease, a look for the agent, and the drain.
    expect(rows[1]?.measuredSeconds).toBeLessThan(12);
    expect([state, verdict, reason]).toEqual(['finished', 'INVALID', expect.stringMatching(givenUp)]);
    expect(fleet.lost).toEqual(['render-1 was given up: render-1 was not reachable for 5 s']);
  });

  test('for longer than the lease, and is back: its row is measured again', async () => {
    await begin(places);
    await bench.inRow(1, { seconds: 1 });
    fleet.cut('render-1');
    await bench.clock.pass(6000);
    fleet.mend('render-1');
    await bench.ended();
    expect(shapeOf()).toEqual([
      [0, 'PASS', ''],
      [1, 'INVALID', 'replaced by row 2'],
      [1, 'PASS', ''],
    ]);
    expect(bench.readRun().rows[1]?.reason).toMatch(wasBack);
    expect(sumsOf(bench.readRun().rows[2] as Row)).toEqual([180, 0, 180, 180, 0]);
  });
});

test('frames that are lost end a row as before, as soon as the machine is heard again', async () => {
  await begin({ ...receiveOn, holdSeconds: 30 });
  await bench.inRow(1, { seconds: 1 });
  fleet.cut('render-1');
  bench.hosts.stream(1).lose(90);
  await bench.clock.pass(3500);
  expect(bench.engine.state().progress?.phase).toBe('measuring');
  fleet.mend('render-1');
  await bench.ended();
  const [, row] = bench.readRun().rows;
  expect(row?.measuredSeconds).toBeLessThan(7);
  expect(bench.codes()[1]).toContain('ended-early');
});

test('an agent that is ended in a row: the row says so, and the run ends', async () => {
  const { agent } = fleet.start('render-2');
  await begin({ sendOn: 'render-2', holdSeconds: 20 });
  await bench.inRow(1, { seconds: 1 });
  await bench.clock.until(agent.close());
  await bench.ended();
  expect(shapeOf()).toEqual([
    [0, 'PASS', ''],
    [1, 'INVALID', ''],
  ]);
  expect(bench.readRun().rows[1]?.reason).toContain(
    'the sending process on render-2 was given up: the agent on render-2 was ended',
  );
});

test('a machine that is lost between rows ends the run with its name, and keeps the rows', async () => {
  await begin({ ...sendOn, warmUpSeconds: 30 });
  await bench.inRow(1, { phase: 'warm-up', seconds: 1 });
  fleet.cut('render-1');
  await bench.ended();
  expect(shapeOf()).toEqual([
    [0, 'PASS', ''],
    [1, 'INVALID', ''],
  ]);
  expect(bench.readRun().reason).toMatch(givenUp);
});

test.each(ends)('a machine without NDI is named, and nothing is measured: %s', async (_, places) => {
  const machine = fleet.start('render-1');
  machine.transportProblem = { code: 'NDI_MISSING', message: 'The NDI runtime was not found' };
  await begin(places);
  await bench.ended();
  const { state, rows, reason } = bench.readRun();
  expect([state, rows, reason]).toEqual(['failed', [], 'render-1: The NDI runtime was not found']);
});

test('a machine that is heard and answers nothing is out of reach as well', async () => {
  await begin({ ...sendOn, holdSeconds: 20 });
  await bench.inRow(1, { seconds: 1 });
  fleet.server.way = (subject) => (subject.endsWith('presence') ? [0] : []);
  await bench.ended();
  expect(shapeOf()).toEqual([
    [0, 'PASS', ''],
    [1, 'INVALID', ''],
  ]);
  const [, from, to] = givenUp.exec(bench.readRun().reason) ?? [];
  expect(Number(to) - Number(from)).toBeGreaterThan(4);
});

test('what a machine refuses is said with its name', async () => {
  fleet.start('render-3', { streams: 1, format: null, minutes: null });
  await begin({ sendOn: 'render-3', start: 2, maxStreams: 2 });
  await bench.ended();
  const { state, reason } = bench.readRun();
  expect([state, reason]).toEqual(['failed', expect.stringMatching(/^render-3: .*at most 1 stream/)]);
});

test('of repeats none is measured once the machine is gone', async () => {
  await begin({ ...receiveOn, repeats: 5 });
  await bench.inRow(1, { seconds: 1 });
  fleet.cut('render-1');
  await bench.ended();
  expect(shapeOf()).toMatchObject([
    [0, 'PASS', ''],
    [1, 'INVALID', 'repeat 1 of at most 5'],
    [1, 'INVALID', expect.stringContaining('shows repeat 1')],
  ]);
});
