import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { wordsOf } from '../../facts/reason-words';
import { numberOf } from '../../facts/row-figures';
import { fleetBench } from '../../testing/fleet-bench';
import { type SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import type { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole matrices over made-up records, with agents at a bus of memory. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  ({ bench, fleet } = await fleetBench(folder, 'render-1', 'display-1'));
});
afterEach(() => bench.close());

const on = 'render-1,display-1,this machine';
/** Of links, iperf3 would be real. */
const begin = (more = {}) =>
  bench.begin('matrix', { on, format: '640x360@30', holdSeconds: 10, link: false, ...more });
const inPair = (step: number, pair: string) => bench.inRow(step, { phase: `measuring ${pair}`, seconds: 5 });
const verdicts = () => readRun(bench.runFolder).rows.map(({ label, verdict }) => [label, verdict]);

test('each machine sends to each other one, and all of them are held until the end', async () => {
  await begin();
  await inPair(5, 'this machine → render-1');
  expect(fleet.holders()).toEqual({ 'render-1': 'control-1', 'display-1': 'control-1' });
  await bench.ended();
  expect(verdicts()).toEqual([
    ['render-1 → display-1', 'PASS'],
    ['render-1 → this machine', 'PASS'],
    ['display-1 → render-1', 'PASS'],
    ['display-1 → this machine', 'PASS'],
    ['this machine → render-1', 'PASS'],
    ['this machine → display-1', 'PASS'],
  ]);
  const { rows, verdict, reason } = bench.readRun();
  // Each pair has a stream of its own; the one before it is gone by then, and its name is free.
  expect(rows.map(({ perStream }) => perStream.map(({ name }) => name))).toEqual(
    rows.map(() => ['Whiteline 1']),
  );
  for (const row of rows) expect(sumsOf(row)).toEqual([300, 0, 300, 300, 0]);
  expect([verdict, reason]).toEqual(['PASS', 'each of 6 pairs carried its stream, and no frame was lost']);
  expect(bench.events('host-environment')).toHaveLength(2);
  await bench.clock.pass(1500);
  expect(fleet.holders()).toEqual({ 'render-1': null, 'display-1': null });
  await bench.expectWhole();
});

test('the worst pair is named first with its cause, and has the share that it lost', async () => {
  await begin();
  await inPair(2, 'render-1 → this machine');
  bench.hosts.stream(2).lose(1);
  await inPair(3, 'display-1 → render-1');
  bench.hosts.stream(3).lose(60);
  await bench.ended();
  const { rows, verdict, reason } = readRun(bench.runFolder);
  expect(rows.map((row) => numberOf(row, 'matrix.lostPercent'))).toEqual([
    ...[0, expect.closeTo(100 / 300, 5), 20],
    ...[0, 0, 0],
  ]);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /^display-1 → render-1: stood still once, .*; 60 of 300 frames were dropped in transport .*; its largest loss: 60 frames between .*: the link may be the cause; 1 other row was WARN$/,
    ),
  ]);
});

test('a machine that leaves: its pair is INVALID by its name, those to come are not waited for, and the others are measured', async () => {
  await begin();
  await inPair(1, 'render-1 → display-1');
  fleet.cut('display-1');
  // Pairs of a machine that is gone are no steps.
  await inPair(3, 'this machine → render-1');
  expect(bench.engine.state().progress).toMatchObject({ step: 3, steps: 3 });
  await bench.ended();
  const { rows, state, verdict, reason } = readRun(bench.runFolder);
  expect(verdicts()).toEqual([
    ['render-1 → display-1', 'INVALID'],
    ['render-1 → this machine', 'PASS'],
    ['display-1 → render-1', 'INVALID'],
    ['display-1 → this machine', 'INVALID'],
    ['this machine → render-1', 'PASS'],
    ['this machine → display-1', 'INVALID'],
  ]);
  expect(wordsOf(rows[0]?.reason ?? [])).toMatch(/^display-1 was not reachable from /);
  for (const index of [2, 3, 5]) {
    expect(wordsOf(rows[index]?.reason ?? [])).toMatch(/^not measured: display-1 left the matrix earlier: /);
    expect(rows[index]?.from).toBe(rows[index]?.to);
    expect(rows[index]?.notMeasured.bitrateMbps).toBe('the pair was not measured');
  }
  // Two whole pairs and half of one, and no more than the lease and the look for the agent beside them.
  const seconds = (Date.parse(rows.at(-1)?.to ?? '') - Date.parse(rows[0]?.from ?? '')) / 1000;
  expect(seconds).toBeLessThan(50);
  expect([state, verdict]).toEqual(['finished', 'INVALID']);
  // The pair that has the cause is the worst one.
  expect(reason).toMatch(
    /^render-1 → display-1: display-1 was not reachable from .*; 3 other rows were not PASS/,
  );
});

test('a machine that is back at once costs its open pair alone', async () => {
  await begin();
  await inPair(1, 'render-1 → display-1');
  fleet.cut('display-1');
  await bench.clock.pass(5500);
  fleet.mend('display-1');
  await bench.ended();
  expect(verdicts().map(([, verdict]) => verdict)).toEqual(['INVALID', ...Array(5).fill('PASS')]);
});

test.each([
  [{ on: '' }, /at least 2 machines/],
  [{ on: 'render-1' }, /at least 2 machines/],
  [{ on: 'render-1,render-1' }, /render-1 twice/],
])('%j is refused before anything starts', async (parameters, sentence) => {
  await expect(begin(parameters)).rejects.toThrow(sentence);
  expect(bench.engine.state()).toMatchObject({ mode: 'idle', run: null });
});

test('a machine that is not there: nothing is measured, and it is named', async () => {
  await begin({ on: 'render-1,display-9' });
  await bench.ended();
  const { rows, state, reason } = readRun(bench.runFolder);
  expect([rows, state]).toEqual([[], 'failed']);
  expect(reason).toContain('display-9');
});
