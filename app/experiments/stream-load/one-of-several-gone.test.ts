import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetBench, givenUp } from '../../testing/fleet-bench';
import { type SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import type { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Ramps of which display-1 and render-1 receive in turn, one of which is gone in the middle of a row. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  ({ bench, fleet } = await fleetBench(folder, 'display-1', 'render-1'));
});
afterEach(() => bench.close());

const small = { format: '640x360@30', warmUpSeconds: 0.5, stopAfterSeconds: 1, holdSeconds: 20 };
const places = { receiveOn: 'display-1,render-1' };
const begin = (streams: number) =>
  bench.begin('stream-load', { ...small, ...places, start: streams, maxStreams: streams });

test('the machine that is gone is why nothing is judged, and streams that it does not receive are judged without it', async () => {
  await begin(4);
  await bench.inRow(4, { seconds: 2 });
  fleet.cut('render-1');
  await bench.ended();
  const row = bench.readRun().rows.at(-1);
  expect(row?.verdict).toBe('INVALID');
  expect(row?.reason).toMatch(
    new RegExp(`^2 of 4 streams did not pass.*, not judged: ${givenUp.source}; stopped after `),
  );
  expect(row?.reason.match(/not reachable/g)).toHaveLength(1);
  const streams = row?.perStream ?? [];
  expect(streams.map(({ verdict }) => verdict)).toEqual(['PASS', 'INVALID', 'PASS', 'INVALID']);
  expect(streams.map(({ reason }) => /render-1/.test(reason))).toEqual([false, true, false, true]);
  // Those of display-1 are counted to the end of the row, and those of render-1 to its last report.
  const frames = streams[0]?.framesScheduled ?? 0;
  expect(Math.abs(frames - (row?.measuredSeconds ?? 0) * 30)).toBeLessThan(1.5);
  expect(streams[0] && sumsOf(streams[0])).toEqual([frames, 0, frames, frames, 0]);
  expect(streams[1]?.framesScheduled).toBeLessThan(frames);
  const latencies = streams.map((_, stream) => bench.figures(1, stream)['latencyMs.p50']);
  expect(latencies).toEqual([expect.closeTo(2, 1), null, expect.closeTo(2, 1), null]);
});

test('a machine that receives none of the streams of a row makes it INVALID all the same', async () => {
  await begin(1);
  await bench.inRow(1, { seconds: 2 });
  fleet.cut('render-1');
  await bench.ended();
  const row = bench.readRun().rows.at(-1);
  expect([row?.verdict, row?.reason]).toEqual(['INVALID', expect.stringMatching(givenUp)]);
  expect(row?.perStream.map(({ verdict }) => verdict)).toEqual(['PASS']);
});

test('a receiving process that died there spoils what that machine lost', async () => {
  await begin(2);
  await bench.inRow(2, { seconds: 2 });
  bench.hosts.die('receiving');
  bench.hosts.stream(1).clean(5).lose(20);
  await bench.ended();
  const [row] = bench.readRun().rows.filter(({ streams }) => streams === 2);
  expect(row?.perStream.map(({ verdict }) => verdict)).toEqual(['FAIL', 'INVALID']);
  expect(row?.perStream[0]?.reason).not.toContain('render-1');
});
