import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole ramps of which one end is on a machine that is not reachable for a while. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  fleet = new SimulatedFleet(bench);
  fleet.start('render-1');
});
afterEach(() => bench.close());

const small = { format: '640x360@30', holdSeconds: 12, warmUpSeconds: 0.5, maxStreams: 2, start: 2, stopAfterSeconds: 1 };
const ends = [
  ['the senders', { sendOn: 'render-1' }],
  ['the receivers', { receiveOn: 'render-1' }],
  ['both ends', { sendOn: 'render-1', receiveOn: 'render-1' }],
] as const;

test.each(ends)('a break of %s that is shorter than the lease costs nothing', async (_, places) => {
  await bench.begin('stream-load', { ...small, ...places });
  await bench.inRow(2, { seconds: 3 });
  fleet.cut('render-1');
  await bench.clock.pass(3500);
  fleet.mend('render-1');
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  console.log(verdict, reason, rows.map((r) => [r.streams, r.verdict, r.reason, sumsOf(r)]), fleet.lost);
  expect(verdict).toBe('PASS');
});

test.each(ends)('gone', async (_, places) => {
  await bench.begin('stream-load', { ...small, ...places });
  await bench.inRow(2, { seconds: 3 });
  fleet.cut('render-1');
  await bench.ended();
  const { rows, verdict, reason, state } = bench.readRun();
  console.log(state, verdict, reason, rows.map((r) => [r.streams, r.verdict, r.reason, sumsOf(r)]), fleet.lost);
  expect(verdict).toBe('PASS');
});
