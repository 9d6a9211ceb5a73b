import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { SimulatedBench } from '../../testing/simulated-bench';
import { temporaryFolder } from '../../testing/temporary-folder';

/** What streams lose between the rows of a ramp: recorded, summed and reported apart from the rows. */

const folder = temporaryFolder();
let bench: SimulatedBench;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
});
afterEach(() => bench.close());

const small = { format: '640x360@30', holdSeconds: 2, warmUpSeconds: 1, maxStreams: 2 };

test('frames that are lost or not sent while a stream is added are in no row, and stand beside the rows', async () => {
  await bench.begin('stream-load', small);
  await bench.inRow(2, { phase: 'warm-up', seconds: 0.3 });
  const stream = bench.hosts.stream(1);
  stream.clean(2).lose(4);
  stream.clean(3).miss(2);
  await bench.ended();
  const run = readRun(bench.runFolder);
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS', 'PASS']);
  expect(run.verdict).toBe('PASS');
  expect(run.reason).toMatch(
    /; between rows 4 frames were lost, and the sender did not submit 2 frames, which no verdict counts$/,
  );
  const [lost, ...more] = run.lostBetweenRows ?? [];
  expect(more).toEqual([]);
  expect(lost).toMatchObject({ stream: bench.readRun().rows[1]?.perStream[0]?.name, frames: 6 });
  expect(lost?.losses.map(({ stage, frames }) => [stage, frames])).toEqual([
    ['transport', 4],
    ['sender', 2],
  ]);
  expect(lost?.from).toBe(run.rows[1]?.to);
  const said = bench.events('lost-between-rows').map(({ text }) => text);
  expect(said).toEqual([
    expect.stringMatching(
      /: between rows 4 frames were lost, and the sender did not submit 2 frames: 4 frames between .+ never arrived/,
    ),
  ]);
  const [line] = (await bench.exported('csv')).split('\r\n').filter((one) => one.includes('"between rows"'));
  expect(line).toContain(
    `"between rows",${JSON.stringify(lost?.from)},${JSON.stringify(lost?.to)},,"${said}"`,
  );
  const { run: reported, load } = await bench.reported();
  expect(reported.lostBetweenRows).toEqual(run.lostBetweenRows);
  // Twice a second, each of the second before.
  expect(load.columns.at(-1)?.reduce((sum: number, frames) => sum + (frames ?? 0), 0)).toBe(2 * 6);
  await bench.expectWhole();
});

test('a loss over the end of a row counts once: a part in the row, the rest beside it', async () => {
  await bench.begin('stream-load', { ...small, maxStreams: 1, stopOn: [] });
  await bench.inRow(1, { seconds: 1.7 });
  const lost = bench.hosts.stream(1).lose(20);
  await bench.ended();
  const { rows, lostBetweenRows = [], verdict } = readRun(bench.runFolder);
  const { lastFrame } = bench.figures(1);
  const inRow = lost.filter((frame) => frame <= Number(lastFrame)).length;
  expect(inRow).toBeGreaterThan(0);
  expect(inRow).toBeLessThan(20);
  expect(bench.figures(1).framesDropped).toBe(inRow);
  expect([verdict, rows.length]).toEqual(['FAIL', 2]);
  expect(lostBetweenRows.map(({ frames, losses }) => [frames, losses[0]?.firstFrame])).toEqual([
    [20 - inRow, Number(lastFrame) + 1],
  ]);
});

test('nothing is lost by taking streams away, and a warm-up is not measured', async () => {
  await bench.begin('stream-load', { ...small, maxStreams: 2 });
  await bench.inRow(2, { phase: 'connecting', seconds: 0.5 });
  await bench.clock.untilSo(() => bench.hosts.hosts.length > 0 && bench.engine.state().streams.length === 2);
  bench.hosts.stream(2).lose(5);
  await bench.ended();
  const { lostBetweenRows, reason } = readRun(bench.runFolder);
  expect(lostBetweenRows).toBeUndefined();
  expect(reason).not.toContain('between rows');
});
