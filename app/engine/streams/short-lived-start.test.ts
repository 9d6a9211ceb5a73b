import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutageBench } from '../../testing/outage-bench';
import type { SenderKind } from '../../testing/remote-sender';

let bench: OutageBench;
beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

/** A sender is started again at once, ends after some time, and is started again after two seconds more. */
test.each<[SenderKind, number, isCounted: boolean]>([
  ['coded', 1.5, true],
  ['recorded', 1.5, true],
  // The run fails, but its rows count less than was lost.
  ['coded', 0.2, false],
  ['recorded', 0.3, false],
])(
  'a start of a %s sender that lived for %d s does not hide the 2 s behind it',
  async (kind, lived, isCounted) => {
    const run = await bench.watch([kind]);
    await bench.pass(8);
    bench.sender.restart();
    await bench.pass(lived);
    bench.sender.vanish();
    await bench.pass(2);
    bench.sender.restart();
    await bench.pass(9);
    const [strip] = bench.shown;
    const { verdict, reason, rows } = await run.end();
    expect([verdict, strip?.verdict]).toEqual(['FAIL', 'FAIL']);
    if (!isCounted) return;
    const streams = rows.flatMap(({ perStream }) => perStream);
    const counted = streams.reduce((sum, one) => sum + (one.framesDropped ?? one.framesMissing ?? 0), 0);
    const estimated = streams
      .flatMap(({ outages = [] }) => outages)
      .reduce((sum, { framesEstimated }) => sum + (framesEstimated ?? 0), 0);
    expect(reason).toMatch(/no new picture/);
    expect(Math.abs(counted + estimated - 120)).toBeLessThan(4);
  },
);

test.each([0.4, 0.8, 2.5])(
  'nor does one of a sender without our code that lived for %d s hide the 4 s behind it',
  async (lived) => {
    const run = await bench.watch(['foreign']);
    await bench.pass(8);
    bench.sender.vanish();
    await bench.pass(1.4);
    bench.sender.restart();
    await bench.pass(lived);
    bench.sender.vanish();
    await bench.pass(4);
    bench.sender.restart();
    await bench.pass(9);
    const { verdict, reason, rows } = await run.end();
    const outages = rows.flatMap(({ perStream }) => perStream).flatMap((stream) => stream.outages ?? []);
    const seconds = outages.reduce((sum, outage) => sum + outage.seconds, 0);
    expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/no new picture/)]);
    expect(seconds).toBeGreaterThan(5);
  },
);
