import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { fleetBench } from '../../testing/fleet-bench';
import type { SimulatedBench } from '../../testing/simulated-bench';
import type { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Ramps whose senders are on a machine that claims a false wall offset. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  ({ bench, fleet } = await fleetBench(folder));
});
afterEach(() => bench.close());

const small = { format: '640x360@30', warmUpSeconds: 0.5, maxStreams: 1, holdSeconds: 3, sendOn: 'render-1' };
const latencies = ['latencyMs.p50', 'latencyMs.p99', 'latencyUncertaintyMs', 'clockOffsetMs'];

async function measured(wallAheadUs: number) {
  fleet.start('render-1', undefined, wallAheadUs);
  await bench.run('stream-load', small);
  const row = readRun(bench.runFolder).rows[1];
  const subject = row?.subjects?.[0];
  return {
    verdict: row?.verdict,
    figures: latencies.map((id) => subject?.figures[id]),
    ofRow: latencies.map((id) => row?.figures[id]),
    reasons: latencies.map((id) => subject?.notMeasured[id]),
  };
}

test('a true one is in no latency', async () => {
  const { verdict, figures } = await measured(0);
  expect([verdict, figures[0]]).toEqual(['PASS', expect.closeTo(2, 1)]);
});

test.each([3000, -3000, 40_000])(
  'one that is false by %s µs: latencies are not measured, with machine, field and value, and frames count as they came',
  async (wallAheadUs) => {
    const { verdict, figures, ofRow, reasons } = await measured(wallAheadUs);
    expect(verdict).toBe('PASS');
    expect([figures, ofRow]).toEqual([
      [null, null, null, null],
      [null, null, null, null],
    ]);
    const words = new RegExp(
      `^render-1 gave wallOffsetUs \\d+: .* by ${Math.abs(wallAheadUs) / 1000}\\.0 ms$`,
    );
    expect(reasons).toEqual(latencies.map(() => expect.stringMatching(words)));
  },
);
