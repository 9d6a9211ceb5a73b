import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { SimulatedBench } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
let bench: SimulatedBench;

beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
});
afterEach(() => bench.close());

test('a live run whose folder is removed ends without a verdict and says why, and its last row says that it is not recorded', async () => {
  await bench.execute({ name: 'addStream', parameters: source as never });
  await bench.clock.untilSo(() => bench.engine.rows().open !== null);
  await bench.clock.pass(3000);
  const { runFolder } = bench;
  rmSync(runFolder, { recursive: true });
  await bench.ended();
  const removed = `The run's files in ${runFolder} were removed or moved while it was recorded`;
  const { verdict, reason } = bench.engine.state().run ?? {};
  expect([verdict, reason?.startsWith(`${removed}: 1 stream`)]).toEqual([null, true]);
  const rows = bench.engine.rows().closed.map((row) => [row.index, wordsOf(row.reason)]);
  expect(rows).toEqual([
    [0, expect.not.stringContaining('not recorded')],
    [1, expect.stringContaining(`this row was not recorded: ${removed}`)],
  ]);
});
