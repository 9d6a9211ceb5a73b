import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toProblem } from '../../protocol/errors';
import { LateCause } from '../../protocol/records';
import { range } from '../../testing/columns';
import type { Row } from '../../testing/named-rows';
import { SimulatedBench, sumsOf } from '../../testing/simulated-bench';
import { fullCpu } from '../../testing/simulated-load';
import { temporaryFolder } from '../../testing/temporary-folder';
import { repeatMetrics, streamCosts } from './metrics';

/** Whole ramps over made-up records, from the commands to the hosts to the run's folder and its report. */

const folder = temporaryFolder();
let bench: SimulatedBench;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
});
afterEach(() => bench.close());

const small = { format: '640x360@30', holdSeconds: 2, warmUpSeconds: 0.5, maxStreams: 1 };
const begin = (more: object) => bench.begin('stream-load', { ...small, ...more });
const run = (more: object) => bench.run('stream-load', { ...small, ...more });

const shapeOf = (rows: Row[]) => rows.map(({ streams, verdict, label }) => [streams, verdict, label]);

test('a ramp on which nothing is lost: each frame of each stream, and what each stream costs', async () => {
  await run({ maxStreams: 3 });
  const { rows, verdict, reason, state } = bench.readRun();
  expect([state, verdict, reason]).toEqual([
    'finished',
    'PASS',
    '3 streams ran without loss; the limit was not reached: 3 streams were the most tested',
  ]);
  expect(rows.map(({ streams }) => streams)).toEqual([0, 1, 2, 3]);
  for (const row of rows.slice(1)) {
    const { streams } = row;
    expect(sumsOf(row)).toEqual([60 * streams, 0, 60 * streams, 60 * streams, 0]);
    for (const stream of row.perStream) expect(sumsOf(stream)).toEqual([60, 0, 60, 60, 0]);
    expect(row).toMatchObject({
      ...{ verdict: 'PASS', reason: 'no frame lost', measuredSeconds: 2, bitrateMbps: 100 * streams },
      ...{ picturesCaptured: 60 * streams, framesDuplicated: 0, framesReordered: 0, stalls: 0 },
    });
    expect(row.latencyMs).toMatchObject({ min: 2, p50: 2, p99: 2, max: 2 });
  }
  const costs = { machineCpu: 4, senderCpu: 2, receiverCpu: 1, network: 100 };
  for (const { load, perStream, added } of streamCosts)
    for (const id of [perStream, added])
      expect([id, Number(rows[3]?.values[id]).toFixed(6)]).toEqual([id, costs[load].toFixed(6)]);
  expect(bench.events('stream-added', 'stream-connected', 'stream-removed').map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 3 }, () => ['stream-added', 'stream-connected']).flat(),
    ...Array.from({ length: 3 }, () => 'stream-removed'),
  ]);
  await bench.expectWhole();
});

describe('what is put in on purpose', () => {
  const inject = [
    ...['miss:5-7', 'skip:20-24', 'repeat:30', 'swap:34,35', 'tear:38-39', 'stale-band:42', 'damage-top:44'],
    ...['black:47', 'green:50', 'dim:52', 'shrink:54', 'mislabel:56'],
  ].join('; ');

  test('is counted exactly, with its numbers, and named as the cause', async () => {
    await run({ inject, stopOn: [] });
    const { rows, verdict, reason } = bench.readRun();
    const first = rows[1]?.perStream[0]?.firstFrame ?? 0;
    expect(rows[1]?.perStream[0]).toMatchObject({
      ...{ missedFrames: range(first + 5, first + 7), droppedFrames: range(first + 20, first + 24) },
      ...{ firstFrame: first, lastFrame: first + 59 },
    });
    const counts = {
      ...{ framesScheduled: 60, framesSenderMissed: 3, framesSubmitted: 57, framesReceived: 52 },
      ...{ framesDropped: 5, framesDroppedTransport: 5, framesDroppedReceiverQueue: 0 },
      ...{ framesDuplicated: 1, framesReordered: 1, framesUndecodable: 1, framesUndecodableUnmatched: 0 },
      ...{ framesTorn: 2, framesStale: 1, framesDamaged: 1, framesDiscoloured: 1, framesDimmed: 1 },
      ...{ framesWrongSize: 1, framesMislabelled: 1, picturesCaptured: 53, stalls: 0 },
    };
    expect(bench.figures(1)).toMatchObject(counts);
    expect(bench.codes()[1]).toEqual(['frames-missed', 'frames-lost']);
    expect([verdict, reason]).toEqual(['FAIL', injected(14, 3)]);
    const own = rows[1]?.reason;
    expect(own).toContain('the sender missed 3 frames: injected on purpose');
    expect(own).toMatch(/\d+ of 57 frames were lost: .+, all injected on purpose/);
    const put = bench.events('fault-injected').map(({ text }) => text);
    expect(put).toEqual([
      expect.stringMatching(`^miss:5-7; skip:20-.*, counted from frame ${first} of the stream$`),
    ]);
    await bench.expectWhole();
  });

  test('a call that does not return and a receiver that fetches nothing cost what they must', async () => {
    await run({ inject: 'delay:10,200ms; stall:30-39', stopOn: [] });
    const { rows, reason } = bench.readRun();
    const stream = rows[1]?.perStream[0];
    const first = stream?.firstFrame ?? 0;
    expect(stream).toMatchObject({
      ...{ missedFrames: range(first + 11, first + 15), droppedFrames: range(first + 31, first + 37) },
      ...{ framesDroppedReceiverQueue: 7, framesDroppedTransport: 0 },
    });
    expect(reason).toBe(injected(7, 5));
    await bench.expectWhole();
  });

  const injected = (lost: number, notSubmitted: number): string =>
    'no number of streams ran without loss; with 1 stream, ' +
    `all ${lost + notSubmitted} frames (${lost} lost, ${notSubmitted} not submitted) were injected on purpose; no limit is proved`;
});

describe('a ramp ends', () => {
  test('where a sender whose machine is full misses frames: it was the limit', async () => {
    await begin({ maxStreams: 4 });
    await bench.inRow(2);
    bench.load.next = fullCpu('sending');
    await bench.clock.pass(500);
    const missed = bench.hosts.stream(2).miss(3);
    await bench.ended();
    const { rows, verdict, reason } = bench.readRun();
    expect(shapeOf(rows)).toEqual([
      [0, 'PASS', ''],
      [1, 'PASS', ''],
      [2, 'FAIL', ''],
    ]);
    expect(sumsOf(rows[2] as Row)).toEqual([120, 3, 117, 117, 0]);
    expect(rows[2]?.perStream.map(({ missedFrames }) => missedFrames)).toEqual([[], missed]);
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringMatching(
        /^1 stream ran without loss; with 2 streams, the sender was the limit: Whiteline 2: .*the sender missed 3 frames/,
      ),
    ]);
    await bench.expectWhole();
  });

  test('where the SDK’s call does not return', async () => {
    await begin({ maxStreams: 2 });
    await bench.inRow(1);
    const missed = bench.hosts.stream(1).block(300);
    await bench.ended();
    const { rows, reason } = bench.readRun();
    expect(shapeOf(rows)).toEqual([
      [0, 'PASS', ''],
      [1, 'FAIL', ''],
    ]);
    expect(rows[1]?.perStream[0]?.missedFrames).toEqual(missed);
    expect(missed).toHaveLength(8);
    expect(reason).toMatch(
      /^no number of streams ran without loss; with 1 stream, the transport’s send call did not return in time: the sender missed 8 frames while .+up to 300 ms\)$/,
    );
    await bench.expectWhole();
  });

  test('where frames are lost for longer than a limit allows: row and ramp end early', async () => {
    await begin({ maxStreams: 3, holdSeconds: 10, stopAfterSeconds: 3, stopOn: ['loss'] });
    await bench.inRow(1);
    const stream = bench.hosts.stream(1);
    const lost = range(1, 14).flatMap(() => stream.clean(10).lose(5));
    await bench.ended();
    const { rows, verdict, reason } = bench.readRun();
    expect(shapeOf(rows)).toEqual([
      [0, 'PASS', ''],
      [1, 'FAIL', ''],
    ]);
    // A look each second: the fourth is the first that has seen three seconds of it.
    expect(rows[1]?.measuredSeconds).toBe(3.85);
    expect(sumsOf(rows[1] as Row)).toEqual([115, 0, 115, 81, 34]);
    const { lastFrame, droppedFrames } = rows[1]?.perStream[0] ?? {};
    expect(droppedFrames).toEqual(lost.filter((slot) => slot <= (lastFrame ?? 0)));
    expect(bench.codes()[1]).toEqual(['frames-lost', 'ended-early']);
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringMatching(
        /^no number of streams ran without loss; with 1 stream, the frames were lost on the way from sender to receiver: 34 of 115 frames were dropped in transport .+; ended after 3\.9 of 10 s \(rule: at most 1 frame lost in 2 s, more only for less than 3 s at a time; /,
      ),
    ]);
    await bench.expectWhole();
  });

  test('where a stream never comes: a short row says which', async () => {
    bench.hosts.unheard.add('HERE (Whiteline 2)');
    await run({ maxStreams: 4 });
    const { rows, verdict, reason } = bench.readRun();
    expect(rows.map(({ streams, measuredSeconds, verdict: of }) => [streams, measuredSeconds, of])).toEqual([
      [0, 2, 'PASS'],
      [1, 2, 'PASS'],
      [2, 1, 'FAIL'],
    ]);
    expect([verdict, reason]).toEqual([
      'FAIL',
      expect.stringMatching(
        /^1 stream ran without loss; with 2 streams, not every stream came through: Whiteline 2: no frame within 10 s of adding Whiteline 2 /,
      ),
    ]);
    await bench.expectWhole();
  });

  test('behind a row that stays INVALID', async () => {
    await begin({ maxStreams: 4, invalidRetries: 0 });
    await bench.inRow(1);
    bench.load.next = { cpuStealPercent: 40 };
    bench.hosts.stream(1).clean(5).lose(3);
    await bench.ended();
    const { rows, verdict, reason } = bench.readRun();
    expect(shapeOf(rows)).toEqual([
      [0, 'PASS', ''],
      [1, 'INVALID', ''],
    ]);
    expect(bench.codes()[1]).toEqual(['frames-lost', 'cpu-stolen']);
    expect([verdict, reason]).toEqual([
      'INVALID',
      expect.stringMatching(
        /^no valid row with streams; with 1 stream \(INVALID\): 3 of 60 frames were dropped in transport, not judged: the hypervisor took 40\.0 % of the CPU away \(limit 5 %\): give this virtual machine cores of its own, or measure when its host is less busy$/,
      ),
    ]);
    expect(reason.match(/with 1 stream/g)).toHaveLength(1);
    await bench.expectWhole();
  });
});

test('a refined ramp bisects between its steps: three streams, since the fourth loses frames', async () => {
  const steps = { start: 2, step: 4, maxStreams: 6, refine: true };
  await run({ ...steps, inject: 'skip:10-14', injectFrom: 4 });
  const { rows, verdict, reason } = bench.readRun();
  expect(rows.map((row) => [row.streams, row.verdict, ...sumsOf(row)])).toEqual([
    [0, 'PASS', 0, 0, 0, 0, 0],
    [2, 'PASS', 120, 0, 120, 120, 0],
    [6, 'FAIL', 360, 0, 360, 355, 5],
    [4, 'FAIL', 240, 0, 240, 235, 5],
    [3, 'PASS', 180, 0, 180, 180, 0],
  ]);
  for (const { perStream } of rows.slice(2, 4)) {
    const newest = perStream.at(-1);
    const first = newest?.firstFrame ?? 0;
    expect(perStream.flatMap(({ droppedFrames }) => droppedFrames)).toEqual(range(first + 10, first + 14));
    expect(newest?.droppedFrames).toHaveLength(5);
  }
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /^3 streams ran without loss; with 4 streams, all 5 lost frames were injected on purpose; no limit is proved; 1 other row was FAIL$/,
    ),
  ]);
  await bench.expectWhole();
});

describe('a row that is INVALID is measured again, and the second one counts', () => {
  async function expectMeasuredAgain(streams: number, code: string): Promise<Row[]> {
    await bench.ended();
    const { rows, verdict, reason } = bench.readRun();
    expect(shapeOf(rows)).toEqual([
      [0, 'PASS', ''],
      [streams, 'INVALID', 'replaced by row 2'],
      [streams, 'PASS', ''],
    ]);
    expect(bench.codes()[1]).toContain(code);
    const [streamsText, was] = streams === 1 ? ['1 stream', 'was'] : [`${streams} streams`, 'were'];
    expect([verdict, reason]).toEqual([
      'PASS',
      `${streamsText} ran without loss; the limit was not reached: ${streamsText} ${was} the most tested`,
    ]);
    const frames = (rows[2]?.measuredSeconds ?? 0) * 30 * streams;
    expect(sumsOf(rows[2] as Row)).toEqual([frames, 0, frames, frames, 0]);
    await bench.expectWhole();
    return rows;
  }

  test('where a sending process died: its streams go on under their names, and are counted anew', async () => {
    await begin({ start: 2, maxStreams: 2 });
    await bench.inRow(2);
    bench.hosts.die('sending');
    const rows = await expectMeasuredAgain(2, 'process-died');
    for (const { perStream } of rows.slice(1))
      expect(perStream.map(({ name }) => name)).toEqual(['Whiteline 1', 'Whiteline 2']);
    expect(bench.events('host-died', 'host-started').map(({ text }) => text)).toEqual([
      'The sending process was killed (SIGKILL)',
      'The sending process was started again',
    ]);
  });

  test('where the receiving one died', async () => {
    await begin({ maxStreams: 1 });
    await bench.inRow(1);
    bench.hosts.die('receiving');
    await expectMeasuredAgain(1, 'process-died');
  });

  test('where our own pacing was late on a machine that was not full', async () => {
    await begin({ maxStreams: 1 });
    await bench.inRow(1);
    const missed = bench.hosts.stream(1).miss(3);
    const rows = await expectMeasuredAgain(1, 'pacing-late');
    expect(rows[1]?.perStream[0]?.missedFrames).toEqual(missed);
  });

  test('where other programs filled the machine', async () => {
    await begin({ maxStreams: 1, holdSeconds: 4 });
    await bench.inRow(1);
    bench.load.next = fullCpu('others');
    await bench.clock.pass(1000);
    const lost = bench.hosts.stream(1).lose(3);
    await bench.clock.pass(1500);
    bench.load.next = {};
    const rows = await expectMeasuredAgain(1, 'others-busy');
    expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  });

  test('where no load sample came, and frames were lost', async () => {
    await begin({ maxStreams: 1, holdSeconds: 4 });
    await bench.inRow(1);
    bench.load.next = null;
    const lost = bench.hosts.stream(1).lose(2);
    await bench.clock.pass(2500);
    bench.load.next = {};
    const rows = await expectMeasuredAgain(1, 'no-load-sample');
    expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  });

  test('where a process of ours was stopped, and frames were lost', async () => {
    await begin({ maxStreams: 1, holdSeconds: 4 });
    await bench.inRow(1);
    bench.hosts.stop('receiving', 0.4);
    const lost = bench.hosts.stream(1).lose(2);
    const rows = await expectMeasuredAgain(1, 'process-stopped');
    expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  });
});

test('repeats are rows of their own, and the row that stands for them shows the median one', async () => {
  await begin({ repeats: 3, stopOn: [] });
  await bench.inRow(1);
  bench.hosts.stream(1).lose(4);
  // The row is over after two seconds, and waits for two more for what it lost.
  await bench.clock.pass(4500);
  bench.hosts.stream(1).lose(2);
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(rows.map(({ row, label, framesDropped }) => [row, label, framesDropped])).toEqual([
    [0, '', 0],
    [1, 'repeat 1 of at most 3', 4],
    [2, 'repeat 2 of at most 3', 2],
    [3, 'repeat 3 of at most 3', 0],
    [4, 'median of 3: shows repeat 2', 2],
  ]);
  expect(rows.map(({ values }) => values[repeatMetrics.repeat])).toEqual([null, 1, 2, 3, null]);
  expect(rows[4]?.values[repeatMetrics.repeats]).toBe(3);
  expect(rows[4]?.values[repeatMetrics.spread]).toBe(0);
  expect(rows[4]?.perStream).toEqual(rows[2]?.perStream);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(/^no number of streams ran .+: 2 of 60 frames were dropped in transport /),
  ]);
  await bench.expectWhole();
});

describe('Stop in the middle', () => {
  test('of a row keeps it as far as it came', async () => {
    await begin({ maxStreams: 4, holdSeconds: 30 });
    await bench.inRow(1, { seconds: 3 });
    const lost = bench.hosts.stream(1).lose(2);
    await bench.clock.pass(1000);
    await bench.execute({ name: 'stop' });
    const { rows, state, verdict, reason } = bench.readRun();
    expect([state, verdict, reason]).toEqual([
      'aborted',
      null,
      expect.stringMatching(
        /^stopped by the operator\. Until then: no number of streams ran without loss; .+; stopped after 3\.9 of 30 s/,
      ),
    ]);
    expect(rows.map((row) => [row.streams, row.measuredSeconds, ...sumsOf(row)])).toEqual([
      [0, 30, 0, 0, 0, 0, 0],
      [1, 3.85, 115, 0, 115, 113, 2],
    ]);
    expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
    await bench.clock.pass(300);
    expect(bench.engine.state()).toMatchObject({ mode: 'idle', streams: [], source: null });
    await bench.expectWhole();
  });

  test.each([
    [0, []],
    [2, [['FAIL', 2]]],
  ])(
    'less than a second into a row keeps it only where frames were lost in it: %i',
    async (frames, expected) => {
      await begin({ maxStreams: 4, holdSeconds: 30 });
      await bench.inRow(1, { seconds: 0.3 });
      if (frames > 0) bench.hosts.stream(1).lose(frames);
      await bench.clock.pass(300);
      await bench.execute({ name: 'stop' });
      const [, ...rows] = bench.readRun().rows;
      expect(rows.map(({ verdict, framesDropped }) => [verdict, framesDropped])).toEqual(expected);
      await bench.expectWhole();
    },
  );

  test('of repeats keeps each', async () => {
    await begin({ repeats: 9, spreadPercent: 0, sources: 'each' });
    await bench.inRow(1);
    await bench.clock.pass(3000);
    await bench.execute({ name: 'stop' });
    const { rows, state } = bench.readRun();
    expect([state, rows.map(({ label, measuredSeconds }) => [label, measuredSeconds])]).toEqual([
      'aborted',
      [
        ['', 2],
        ['repeat 1 of at most 9', 2],
        ['repeat 2 of at most 9', 1.2],
      ],
    ]);
    expect(sumsOf(rows[2] as Row)).toEqual([36, 0, 36, 36, 0]);
    await bench.expectWhole();
  });
});

test('a receiver that falls behind on a full machine is the limit, and a movie that is late is none', async () => {
  await begin({ maxStreams: 2, stopOn: [] });
  await bench.inRow(1);
  bench.hosts.stream(1).late(3, LateCause.Disk);
  await bench.inRow(2);
  bench.load.next = fullCpu('receiving');
  await bench.clock.pass(500);
  const queued = bench.hosts.stream(2).fallBehind(6);
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(rows[1]).toMatchObject({ verdict: 'PASS', framesLateSource: 3, framesLateSourceDisk: 3 });
  expect(rows[2]).toMatchObject({ framesDroppedReceiverQueue: 6, framesDroppedTransport: 0 });
  expect(sumsOf(rows[2] as Row)).toEqual([120, 0, 120, 114, 6]);
  expect(rows[2]?.perStream[1]?.droppedFrames).toEqual(queued);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /^1 stream ran without loss; with 2 streams, the receiver was the limit, its machine’s CPU at up to 98 %: Whiteline 2: 6 of 60 frames were dropped in the receiver’s queue /,
    ),
  ]);
  await bench.expectWhole();
});

test('nothing comes for longer than a stall, and the stream goes on: its length in frames', async () => {
  await begin({ holdSeconds: 6, stopOn: [] });
  await bench.inRow(1);
  const lost = bench.hosts.stream(1).lose(60);
  await bench.ended();
  const { rows, verdict, reason } = bench.readRun();
  expect(sumsOf(rows[1] as Row)).toEqual([180, 0, 180, 120, 60]);
  expect(rows[1]?.perStream[0]?.droppedFrames).toEqual(lost);
  // From the picture before it to the one after it: 61 periods.
  expect([rows[1]?.stalls, Math.round((rows[1]?.longestGapMs ?? 0) * 30)]).toEqual([1, 61_000]);
  expect(bench.events('stream-stalled', 'stream-recovered').map(({ text }) => text)).toEqual([
    'Whiteline 1: No new picture for more than half a second; the sender is connected',
    'Whiteline 1: pictures again after 2.0 s',
  ]);
  expect([verdict, reason]).toEqual([
    'FAIL',
    expect.stringMatching(
      /: stood still once, longest gap 2033 ms .+; 60 of 180 frames were dropped in transport /,
    ),
  ]);
  await bench.expectWhole();
});

test('streams of a mix have the slots of their own rate, in processes of their own too', async () => {
  await run({
    mix: ['white-line 640x360@30', 'noise 320x180@25'],
    start: 3,
    maxStreams: 3,
    processes: 'each',
  });
  const { rows, verdict, environment } = bench.readRun();
  expect(rows[1]?.perStream.map(sumsOf)).toEqual(
    [30, 25, 30].map((rate) => [2 * rate, 0, 2 * rate, 2 * rate, 0]),
  );
  expect([verdict, environment.sources]).toEqual([
    'PASS',
    [
      { kind: 'white-line', format: '640x360@30' },
      { kind: 'noise', format: '320x180@25' },
    ],
  ]);
  // One beside them is there for inspecting movies.
  expect(bench.hosts.hosts.filter(({ role }) => role === 'sending')).toHaveLength(4);
  expect(bench.hosts.hosts.filter(({ gone }) => !gone).map(({ role }) => role)).toEqual([
    'sending',
    'receiving',
  ]);
  await bench.expectWhole();
});

test.each([
  [
    { start: 5, maxStreams: 4 },
    /Expected no more than the maximum of 4 streams for start but received 5\. Start with fewer/,
  ],
  [
    { processes: 'each', sources: 'shared' },
    /for sources but received shared\. A source lives in the process/,
  ],
  [{ mix: ['noise 0x0@60'] }, /for mix but received 0x0@60\. Use/],
  [{ mix: ['noise'], scale: '640x360' }, /Expected no value with a mix for scale but received 640x360\./],
  [{ mix: ['absent.mov'] }, /absent\.mov.+does not exist or cannot be read/],
  [{ stopOn: ['rain'] }, /Expected .*one of sender-miss, fail, loss, cpu, invalid/],
])('%j is refused with field, value and remedy, before anything starts', async (parameters, sentence) => {
  const refusal = await begin(parameters).catch(toProblem);
  expect(refusal && `${refusal.message}. ${refusal.remedy}`).toMatch(sentence);
  expect(bench.engine.state()).toMatchObject({ mode: 'idle', run: null });
  expect(bench.hosts.host('sending').named('openSource')).toEqual([]);
});
