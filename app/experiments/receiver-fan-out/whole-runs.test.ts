import { afterEach, beforeEach, expect, test } from 'vitest';
import { givenUp } from '../../testing/fleet-bench';
import type { Row } from '../../testing/named-rows';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Whole runs over made-up records, from the commands to the hosts to the run's folder and its report. */

const folder = temporaryFolder();
let bench: SimulatedBench;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
});
afterEach(() => bench.close());

const small = { format: '640x360@30', holdSeconds: 2, warmUpSeconds: 0.5, maxReceivers: 2 };
const begin = (more = {}) => bench.begin('receiver-fan-out', { ...small, ...more });
const inRow = (row: number, phase: string) => bench.inRow(row, { phase, seconds: 1.5 });
const shapeOf = (rows: Row[]) =>
  rows.map(({ label, verdict, perStream }) => [label, verdict, perStream.length]);

test('receivers of one sender, then senders: each receiver is counted by itself, and its cost is reported', async () => {
  await begin();
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no receiver, no sender', 'PASS', 0],
    ['receivers on one sender: 1', 'PASS', 1],
    ['receivers on one sender: 2', 'PASS', 2],
    ['senders: 1', 'PASS', 1],
    ['senders: 2', 'PASS', 2],
  ]);
  expect(rows.map(({ values }) => values['fanOut.senders'])).toEqual([0, 1, 1, 1, 2]);
  expect(rows.map(({ values }) => values['fanOut.receivers'])).toEqual([0, 1, 2, 1, 2]);
  for (const row of rows.slice(1)) {
    const { streams } = row;
    expect(sumsOf(row)).toEqual([60 * streams, 0, 60 * streams, 60 * streams, 0]);
    for (const stream of row.perStream) expect(sumsOf(stream)).toEqual([60, 0, 60, 60, 0]);
  }
  const names = rows.map(({ perStream }) => perStream.map(({ name }) => name));
  expect(names).toEqual([
    [],
    ['Whiteline 1'],
    ['Whiteline 1', 'Whiteline 1, receiver 2'],
    ['Whiteline 1'],
    ['Whiteline 1', 'Whiteline 2'],
  ]);
  expect([verdict, reason]).toEqual([
    'PASS',
    'one more receiver on a sender costs 100.0 Mb/s, 2.00 % sending CPU, 1.00 % receiving CPU; one more sender with its receiver ' +
      '100.0 Mb/s, 2.00 % sending CPU, 1.00 % receiving CPU: a further receiver takes 100 % of a further sender’s bandwidth and ' +
      '100 % of a further sender’s sending CPU',
  ]);
  await bench.expectWhole();
});

test('what one receiver loses is its own, and what the sender misses is missed by all of its receivers', async () => {
  await begin({ maxReceivers: 3 });
  await inRow(2, 'receivers on one sender');
  const lost = bench.hosts.stream(2).lose(3);
  await inRow(3, 'receivers on one sender');
  const missed = bench.hosts.stream(1).block(100);
  await inRow(4, 'senders');
  bench.hosts.stream(4).block(100);
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  // More of what is not carried says nothing of its cost: the second arm ends with its first row.
  expect(shapeOf(rows)).toEqual([
    ['no receiver, no sender', 'PASS', 0],
    ['receivers on one sender: 1', 'PASS', 1],
    ['receivers on one sender: 2', 'FAIL', 2],
    ['receivers on one sender: 3', 'FAIL', 3],
    ['senders: 1', 'FAIL', 1],
  ]);
  expect(rows[2]?.perStream.map(({ droppedFrames }) => droppedFrames)).toEqual([[], lost]);
  expect(rows[3]?.perStream.map(({ missedFrames }) => missedFrames)).toEqual([missed, missed, missed]);
  expect(missed).toHaveLength(2);
  expect(rows.slice(2).map(sumsOf)).toEqual([
    [120, 0, 120, 117, 3],
    [180, 6, 174, 174, 0],
    [60, 2, 58, 58, 0],
  ]);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /^what one more receiver costs cannot be known: .+; receivers on one sender: 2: Whiteline 1, receiver 2: 3 of 60 frames were dropped in transport .+; 2 other rows were not PASS \(2 FAIL\); 3 and 1 of 3 rows with receivers and with senders were measured$/,
    ),
  ]);
  await bench.expectWhole();
});

test('a sending process that dies makes its row INVALID, and all receivers go on', async () => {
  await begin();
  await inRow(2, 'receivers on one sender');
  bench.hosts.die('sending');
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no receiver, no sender', 'PASS', 0],
    ['receivers on one sender: 1', 'PASS', 1],
    ['receivers on one sender: 2', 'INVALID', 2],
    ['senders: 1', 'PASS', 1],
    ['senders: 2', 'PASS', 2],
  ]);
  expect(bench.codes()[2]).toContain('process-died');
  expect(rows.slice(3).map(sumsOf)).toEqual([
    [60, 0, 60, 60, 0],
    [120, 0, 120, 120, 0],
  ]);
  expect([state, verdict, reason]).toEqual([
    'finished',
    'INVALID',
    expect.stringMatching(
      /; receivers on one sender: 2: .+; 2 of 2 streams did not pass, not judged: Whiteline 1: the sender left no record of \d+ frames; our sending process was killed \(SIGKILL\)$/,
    ),
  ]);
  expect(bench.events('host-died', 'host-started').map(({ kind }) => kind)).toEqual([
    'host-died',
    'host-started',
  ]);
  await bench.expectWhole();
});

test('a machine that is gone ends the run: its row is INVALID and names it, and the rows before are kept', async () => {
  const fleet = new SimulatedFleet(bench);
  fleet.start('render-1');
  await begin({ receiveOn: 'render-1', holdSeconds: 20 });
  await inRow(1, 'receivers on one sender');
  fleet.cut('render-1');
  await bench.ended();
  const { rows, state, verdict, reason } = bench.readRun();
  expect(shapeOf(rows)).toEqual([
    ['no receiver, no sender', 'PASS', 0],
    ['receivers on one sender: 1', 'INVALID', 1],
  ]);
  expect(rows[1]?.measuredSeconds).toBeLessThan(15);
  expect([state, verdict]).toEqual(['finished', 'INVALID']);
  expect(reason).toMatch(givenUp);
});

test('Stop in the middle keeps the rows so far', async () => {
  await begin({ holdSeconds: 30 });
  await bench.inRow(1, { phase: 'receivers on one sender', seconds: 2.5 });
  await bench.execute({ name: 'stop' });
  const { rows, state, verdict } = bench.readRun();
  expect([state, verdict]).toEqual(['aborted', null]);
  expect(rows.map((row) => [row.label, row.measuredSeconds, ...sumsOf(row)])).toEqual([
    ['no receiver, no sender', 30, 0, 0, 0, 0, 0],
    ['receivers on one sender: 1', 1.7, 51, 0, 51, 51, 0],
  ]);
  await bench.expectWhole();
});

test.each([
  [{ maxReceivers: 1 }, /maxReceivers/],
  [{ source: '/nowhere/clip.mov' }, /clip\.mov/],
])('%j is refused before anything starts', async (parameters, sentence) => {
  await expect(begin(parameters)).rejects.toThrow(sentence);
  expect(bench.engine.state()).toMatchObject({ mode: 'idle', run: null });
});
