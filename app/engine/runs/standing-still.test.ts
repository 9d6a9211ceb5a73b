import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedBench } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';

/** What is not read yet is neither lost nor a stall; what a process that says nothing received is not known. */

const folder = temporaryFolder();
const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
let bench: SimulatedBench;

beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  for (const _ of [1, 2]) await bench.execute({ name: 'addStream', parameters: source as never });
  await bench.clock.untilSo(() => bench.engine.rows().open !== null);
});
afterEach(() => bench.close());

const strips = () => bench.engine.state().streams;
const lost = () => strips().map(({ lostTotal, framesInOutages }) => [lostTotal, framesInOutages]);
const alerts = () => bench.engine.state().alerts.filter(({ cause }) => cause === 'outage');
const nothingLost = [
  [0, null],
  [0, null],
];

test.each([2, 20, 90])(
  'the engine stood still for %i s, and reads one process after the other',
  async (seconds) => {
    bench.hosts.stop('receiving', seconds + 0.6);
    bench.clock.stall(seconds * 1000);
    for (let look = 0; look < 60; look++) {
      await bench.clock.pass(100);
      expect([lost(), strips().map(({ state }) => state)]).toEqual([nothingLost, ['receiving', 'receiving']]);
    }
    await bench.execute({ name: 'stop' });
    expect(bench.events('frames-lost', 'stream-stalled', 'stream-recovered')).toEqual([]);
    expect(alerts()).toEqual([]);
  },
);

test('a receiving process that says nothing is a stall from then on, and nothing counts as lost before it says so', async () => {
  bench.hosts.stop('receiving', 20);
  await bench.clock.pass(2000);
  const why = 'Whiteline’s receiving process does not answer: nothing is known of the sender';
  expect(strips().map(({ state, stateText }) => [state, stateText])).toEqual([
    ['stalled', why],
    ['stalled', why],
  ]);
  expect(bench.events('stream-stalled').map(({ text }) => text)).toEqual([
    `Whiteline 1: ${why}`,
    `Whiteline 2: ${why}`,
  ]);
  expect(alerts().map(({ message, untilMs }) => [message, untilMs])).toEqual([
    [`Whiteline 1: ${why}`, undefined],
    [`Whiteline 2: ${why}`, undefined],
  ]);
  const now = () => strips().map(({ deliveredFps, lostNow }) => [deliveredFps, lostNow]);
  await bench.clock.pass(2000);
  expect(now()).toEqual([
    [null, null],
    [null, null],
  ]);
  await bench.clock.pass(13_000);
  expect(lost()).toEqual(nothingLost);
  await bench.clock.pass(6000);
  expect(strips().map(({ state }) => state)).toEqual(['receiving', 'receiving']);
  expect(now().every(([fps]) => fps !== null)).toBe(true);
  expect(lost()).toEqual(nothingLost);
  await bench.execute({ name: 'stop' });
  expect(bench.events('frames-lost')).toEqual([]);
});

test('a marker that is read late is of the moment at which it was set, and of none before the run or still to come', async () => {
  const note = (atMs?: number) =>
    bench.execute({ name: 'addNote', kind: 'marker', text: '', ...(atMs !== undefined && { atMs }) });
  const pressedMs = bench.clock.wallMs() + 1000;
  bench.clock.stall(9000);
  const readMs = bench.clock.wallMs();
  for (const atMs of [pressedMs, undefined, 0, readMs + 5000]) await note(atMs);
  const began = bench.events('run-started').map(({ at }) => Date.parse(at));
  expect(bench.events('marker').map(({ at }) => Date.parse(at))).toEqual([
    pressedMs,
    readMs,
    ...began,
    readMs,
  ]);
});
