import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figureOf } from '../../facts/row-figures';
import type { ScriptedHelper } from '../../testing/scripted-helper';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { rowTexts, secondsOf, type WholeRunOrder, wholeRun } from '../../testing/whole-run';
import { type MadeUpPackets, madeUpPacers } from './pacer.fixture';
import type { PacerMessage } from './pacer-program';
import { pacing } from './pacing';
import { madeUpPacing } from './pacing-rows.fixture';

const folder = temporaryFolder();

/** Over loopback, 10 s a row. */
function paced(
  packets: readonly MadeUpPackets[],
  more: Record<string, unknown> = {},
  order: Partial<WholeRunOrder> = {},
) {
  const clock = new SimulatedClock();
  const parameters = { path: 'udp', methods: ['timer', 'spin'], holdSeconds: 10, core: 1, ...more };
  const launch = madeUpPacers(clock, packets);
  return wholeRun({ experiment: pacing, clock, folder, parameters, launch, ...order });
}

const steady: MadeUpPackets = { spreadNs: 460 };
const late: MadeUpPackets = { spreadNs: 3200, received: { late: 3, longestLateRun: 2, latestNs: 190_000 } };
const inTime =
  'all 80000 packets arrived in time; half of the intervals lie within 460 ns, all within 46000 ns';

test('two methods: rows, their times, their figures and the verdict, in run.json and in the report', async () => {
  const { outcome, run, page, incidents, progress } = await paced([late, steady]);
  const reason =
    '3 of 80000 packets arrived more than one interval late, the latest 190000 ns, up to 2 in a row';
  expect(rowTexts(run)).toEqual([
    ['timer', 'WARN', reason],
    ['spin', 'PASS', inTime],
  ]);
  expect(outcome).toMatchObject({ state: 'finished', verdict: 'WARN', problem: null });
  expect(run).toMatchObject({ state: 'finished', verdict: 'WARN', reason: outcome.reason });
  expect(outcome.reason).toBe(`timer: ${reason}`);
  // A second ahead of the first packet, and 0.1 s for the last one.
  expect(secondsOf(run)).toEqual([
    [0, 11.1],
    [11.1, 22.2],
  ]);
  const [timer, spin] = run.rows;
  expect(timer?.figures).toMatchObject({
    ...{ measuredSeconds: 10, 'pacing.interval.iqrNs': 3200, 'pacing.interval.rangeNs': 320_000 },
    ...{ 'pacing.packetsSent': 80_000, 'pacing.packetsLate': 3, 'pacing.senderCpuPercent': 15 },
    'pacing.holds': null,
  });
  expect(spin?.figures).toMatchObject({
    // A hold of 0.3 ms in each second.
    ...{ 'pacing.holds': 10, 'pacing.interval.iqrNs': 460, 'pacing.excludedPercent': (100 * 800) / 79_999 },
    'pacing.policy': 'SCHED_FIFO 1, core 1, locked memory',
  });
  expect(timer?.notMeasured['pacing.holds']).toBe('this method does not spin');
  expect(page.run.rows).toEqual(run.rows);
  expect(incidents).toEqual([]);
  expect(progress.map(({ phase, step, phaseElapsedSeconds }) => [phase, step, phaseElapsedSeconds])).toEqual(
    ['timer', 'spin'].flatMap((phase, row) =>
      Array.from({ length: 11 }, (_, second) => [phase, row + 1, second]),
    ),
  );
  expect(progress.at(-1)?.remainingSeconds).toBe(0);
});

test('what was lost, doubled and swapped is named with its numbers, and fails the run', async () => {
  const received = { received: 79_997, lost: 3, lostRanges: [7, 8, 12, 12], duplicated: 1, duplicates: [9] };
  const { run } = await paced(
    [{ spreadNs: 460, received: { ...received, reordered: 1, latecomers: [700] } }],
    {
      methods: ['spin'],
    },
  );
  expect(rowTexts(run)).toEqual([
    [
      ...['spin', 'FAIL'],
      '3 packets lost, numbers 7–8, 12; 1 packet received twice, numbers 9; 1 packet out of order, numbers 700 ' +
        '(measured from 12:00:00.250 to 12:00:11.350 UTC)',
    ],
  ]);
  expect(run.verdict).toBe('FAIL');
});

test('figures that cannot be true make the row INVALID, and are an event', async () => {
  const { run, incidents } = await paced([{ spreadNs: 460, received: { lost: 5 } }, steady]);
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['INVALID', 'PASS']);
  expect(incidents).toMatchObject([
    ['contradiction', expect.stringMatching(/^timer: .*80005 received or lost.*80000 sent/)],
  ]);
  expect(run.verdict).toBe('INVALID');
});

test.each([
  [
    'the sender is killed',
    { to: 'sender', afterSeconds: 4, what: (helper) => helper.die('SIGKILL', 'out of memory') },
    ['The packet pacer (sender) was killed (SIGKILL). Its last words: out of memory', 5],
  ],
  [
    'the receiver hangs',
    { to: 'receiver', afterSeconds: 2.25, what: (helper) => helper.hang() },
    // Its last message came 2 s after the first packet; it then gave no sign of life for 10 s.
    ['The packet pacer (receiver) gave no sign of life for 10 s and was ended', 13.1],
  ],
  [
    'the sender talks nonsense',
    { to: 'sender', afterSeconds: 6, what: (helper) => helper.write('all is well\n') },
    ['The packet pacer (sender) was ended, since it sent a line that is no JSON: all is well', 7],
  ],
] satisfies [string, NonNullable<MadeUpPackets['happens']>, [string, number]][])(
  'where %s, its row is INVALID with the reason, and the next one is measured',
  async (_, happens, [words, atSeconds]) => {
    const { outcome, run, incidents } = await paced([{ ...steady, happens }, steady]);
    expect(rowTexts(run)).toEqual([
      ['timer', 'INVALID', words.replace('The', 'the')],
      ['spin', 'PASS', inTime],
    ]);
    expect(incidents).toEqual([['helper-died', words]]);
    expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
    expect(secondsOf(run)).toEqual([
      [0, atSeconds],
      [atSeconds, atSeconds + 11.1],
    ]);
    expect(run.rows[0]?.figures['pacing.interval.iqrNs'] ?? null).toBeNull();
  },
);

const { sent, received: came, intervals } = madeUpPacing(460);
type Happens = NonNullable<MadeUpPackets['happens']>;

test.each<[string, Happens['to'], PacerMessage | null | undefined, string]>([
  [
    'a sender that ends early',
    'sender',
    sent && { ...sent, slots: 40, sent: 40 },
    '(sender) failed: it sent 40 packets in 40 slots, and was asked for 80000',
  ],
  [
    'a sender that sends more',
    'sender',
    sent && { ...sent, slots: 80_001 },
    '(sender) failed: it sent 80000 packets in 80001 slots, and was asked for 80000',
  ],
  ['a receiver that ends unasked', 'receiver', came, '(receiver) failed: it ended before it was asked to'],
  [
    'a sender that speaks for the receiver',
    'sender',
    intervals.received,
    '(sender) failed: it said “received” in the place of the other end',
  ],
])('%s makes its row INVALID by its name', async (_, to, message, words) => {
  const happens: Happens = { to, afterSeconds: 0.5, what: (helper) => message && helper.say(message) };
  const { run } = await paced([{ ...steady, happens }, steady]);
  expect(rowTexts(run)[0]).toEqual(['timer', 'INVALID', `the pacer failed: packet pacer ${words}`]);
  expect(run.rows[1]?.verdict).toBe('PASS');
});

test('what a receiver says of seconds takes no more room than the row has', async () => {
  const { seconds } = madeUpPacing(460);
  const floods = (helper: ScriptedHelper): void => {
    for (let second = 0; second < 2000; second += 1)
      for (const one of seconds) helper.say({ ...one, second });
  };
  const happens: Happens = { to: 'receiver', afterSeconds: 0.5, what: floods };
  const { run } = await paced([{ ...steady, happens }], { methods: ['spin'] });
  // Of 10 s, and of 30 s in which its ends may be late.
  const [row] = run.rows;
  expect(row && figureOf(row, 'pacing.interval.longestUs')).toMatchObject({ points: { length: 41 } });
});

test('a pacer that says why it cannot go on is quoted, and is no death', async () => {
  const text = 'This machine was too busy to begin in time';
  const happens = {
    ...({ to: 'sender', afterSeconds: 0 } as const),
    what: (helper: Parameters<NonNullable<MadeUpPackets['happens']>['what']>[0]) =>
      helper.say({ type: 'failed', text }),
  };
  const { run, incidents } = await paced([{ ...steady, happens }, steady]);
  expect(rowTexts(run)[0]).toEqual(['timer', 'INVALID', `the pacer failed: ${text}`]);
  expect([run.rows[1]?.verdict, incidents]).toEqual(['PASS', []]);
});

test('Ctrl-C in the middle of a row: what was sent until then is the last row', async () => {
  const { outcome, run, incidents } = await paced(
    [steady, steady, steady],
    { repeats: 2 },
    { stopAfterMs: 16_600 },
  );
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
  expect(outcome.reason).toMatch(
    /^stopped by the operator\. Until then: timer, repeat 1: all 80000 packets arrived in time/,
  );
  expect(run).toMatchObject({ state: 'aborted', verdict: null });
  expect(run.rows.map(({ label, verdict }) => [label, verdict])).toEqual([
    ['timer, repeat 1', 'PASS'],
    ['spin, repeat 1', 'PASS'],
  ]);
  expect(rowTexts(run)[1]?.[2]).toMatch(
    /^all 36000 packets arrived in time; .*; stopped after 4\.5 of 10 s$/,
  );
  // The row began at 11.1 s, its packets at 12.1 s.
  expect(run.rows[1]?.figures).toMatchObject({
    measuredSeconds: 4.5,
    'pacing.packetsSent': 36_000,
    'pacing.holds': 4,
  });
  expect(secondsOf(run)[1]).toEqual([11.1, 16.7]);
  expect(incidents).toEqual([]);
});

test('Ctrl-C before the first packet: no row, and a run without a figure', async () => {
  const { outcome, run } = await paced([steady], {}, { stopAfterMs: 500 });
  expect(outcome).toMatchObject({ state: 'aborted', verdict: null });
  expect(run.rows).toEqual([]);
});

test('a stream of others is listened to for the time that is asked for', async () => {
  const { run } = await paced([steady], {
    path: undefined,
    methods: undefined,
    listenInterface: 'lo',
    holdSeconds: 5,
  });
  expect(run.rows).toHaveLength(1);
  expect(run.rows[0]?.figures).toMatchObject({ measuredSeconds: 5, 'pacing.packetsSent': null });
  expect(secondsOf(run)).toEqual([[0, 5]]);
});

test('the raw log has where the sender was held, in the time of the monotonic clock', async () => {
  const { run, folder: own } = await paced([steady], { methods: ['spin'], holdSeconds: 2, rawLog: true });
  // The clock of the test begins at 60 s.
  expect(readFileSync(join(own, 'holds-1.csv'), 'utf8').split('\n')).toEqual([
    ...['fromNs,toNs', '61999700000,62000000000', '62999700000,63000000000', ''],
  ]);
  expect(run.rows[0]?.figures).toMatchObject({ 'pacing.holds': 2 });
});

test('samples of the load that are absent for seconds make the row INVALID', async () => {
  const isGap = (atNs: number): boolean => atNs > 65e9 && atNs < 69e9;
  const { run } = await paced(
    [steady],
    { methods: ['spin'] },
    { sampleAt: (atNs) => (isGap(atNs) ? null : {}) },
  );
  const [row] = rowTexts(run);
  expect(row?.[1]).toBe('INVALID');
  expect(row?.[2]).toMatch(/no load sample/);
});
