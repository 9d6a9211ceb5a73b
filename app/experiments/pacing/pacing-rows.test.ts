import { expect, test } from 'vitest';
import { violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { figureOf, numberOf } from '../../facts/row-figures';
import type { Verdict } from '../../facts/verdict';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import type { PacingReadings } from './measure';
import { pacingMetrics } from './metrics';
import { failedRow, pacedRow } from './pacing-rows';
import { madeUpPacing, madeUpPacingRows, madeUpPlan } from './pacing-rows.fixture';
import { pacingVerdict } from './verdict';

function rowWith(received: Partial<PacingReadings['received']>, changes: Partial<PacingReadings> = {}) {
  return pacedRow(
    frameOf(0),
    madeUpPlan('spin'),
    { ...madeUpPacing(460, received), ...changes },
    'own',
    defaultThresholds,
  );
}

test('each figure is known or says why not', () => {
  for (const row of madeUpPacingRows()) {
    for (const { id } of pacingMetrics) {
      if (row.step['pacing.method'] === 'txtime' && row.notMeasured[id] === undefined) continue;
      expect(row.notMeasured[id] === undefined, `${row.label}: ${id}`).toBe(figureOf(row, id) !== null);
    }
  }
});

const policy: NonNullable<PacingReadings['policy']> = {
  ...{
    type: 'prepared',
    address: '127.0.0.1',
    port: 0,
    realTimePriority: 1,
    timerSlackNs: 0,
    lockedMemory: true,
  },
  ...{ cores: [1], refused: '' },
};

test.each<[PacingReadings['policy'], string]>([
  [policy, 'SCHED_FIFO 1, core 1, locked memory'],
  [{ ...policy, realTimePriority: 0, timerSlackNs: 1 }, 'ordinary, timer slack 1 ns, core 1, locked memory'],
  [
    {
      ...{ ...policy, realTimePriority: 0, timerSlackNs: null },
      ...{ cores: [0, 1], lockedMemory: false, refused: 'SCHED_FIFO' },
    },
    'ordinary, timer slack not known, 2 cores, ordinary memory, refused: SCHED_FIFO',
  ],
])('how the sender was scheduled: %j', (prepared, text) => {
  const { figures } = rowWith({}, { policy: prepared });
  expect(figures['pacing.policy']).toBe(text);
});

test('figures are those of the pacer, in their units', () => {
  const row = rowWith({ early: 3, tooLateToPresent: 40 });
  expect(row.figures).toMatchObject({
    'pacing.interval.iqrNs': 460,
    'pacing.interval.rangeNs': 46_000,
    'pacing.undisturbed.iqrNs': 230,
    'pacing.excludedPercent': (100 * 800) / 79_999,
    'pacing.packetsEarly': 3,
    'pacing.missedPercent': 0.05,
    'pacing.wakeUpsPerSecond': 8000,
    'pacing.senderCpuPercent': 15,
    'pacing.receiverCpuPercent': 2.5,
    'pacing.holds': 12,
    'pacing.policy': 'SCHED_FIFO 1, core 1, locked memory',
    'pacing.interval.longestUs': {
      points: [
        [0, 148],
        [1, 148.46],
        [2, 148.92],
      ],
    },
  });
  expect(row.details).toMatchObject({ stream: { id: '0211223344550001' } });
});

test.each([
  [999, ['p001Ns', 'p999Ns'], 'fewer than 1,000 values'],
  [9999, ['p9999Ns'], 'fewer than 10,000 values'],
])('a tail of %i intervals is not measured as far out as it has too few', (count, names, reason) => {
  const { intervals } = madeUpPacing(460);
  const { received } = intervals;
  const row = rowWith({}, { intervals: { ...intervals, received: received && { ...received, count } } });
  for (const name of names) {
    expect(row.figures[`pacing.interval.${name}`]).toBeNull();
    expect(row.notMeasured[`pacing.interval.${name}`]).toBe(reason);
  }
  expect(row.figures['pacing.interval.p99Ns']).not.toBeNull();
});

test('a method that does not spin cannot see what holds it, and says so', () => {
  const row = pacedRow(frameOf(0), madeUpPlan('timer'), madeUpPacing(3200), 'own', defaultThresholds);
  expect(row.figures['pacing.holds']).toBeNull();
  expect(row.notMeasured['pacing.holds']).toBe('this method does not spin');
});

test('what another sender lost in a longer pause than its numbers can count is not known', () => {
  const paced = madeUpPacing(460);
  const { received } = paced.intervals;
  const medianNs = received?.p50Ns;
  if (!received || medianNs === undefined) throw new Error('there are no intervals');
  const withPause = (maxNs: number) => {
    const intervals = { ...paced.intervals, received: { ...received, maxNs } };
    return pacedRow(
      frameOf(0),
      null,
      { ...paced, intervals, policy: null, sent: null },
      'listen',
      defaultThresholds,
    );
  };
  const { verdict, reason } = withPause(128 * medianNs);
  expect([verdict, wordsOf(reason)]).toEqual([
    'WARN',
    'no packet arrived for 16000000 ns: how many are missing is unknown, because the sender’s numbers repeat after 256',
  ]);
  expect(withPause(127 * medianNs).verdict).toBe('PASS');
});

test('a stream of another sender has no schedule that is known', () => {
  const listened = { ...madeUpPacing(460), policy: null, sent: null };
  const row = pacedRow(frameOf(0), null, listened, 'listen', defaultThresholds);
  expect(row.step).toEqual({ 'pacing.method': 'listen' });
  expect(row.verdict).toBe('PASS');
  const unknown = ['packetsEarly', 'packetsLate', 'undisturbed.iqrNs', 'packetsSent', 'holds'];
  for (const id of unknown.map((name) => `pacing.${name}`))
    expect(row.notMeasured[id]).toContain('another sender');
  expect(numberOf(row, 'pacing.timeIntervalErrorNs')).toBe(89_100);
});

test('the card’s clock has no place on the schedule', () => {
  const listening = { ...madeUpPacing(460).listening, stamps: 'hardware' as const };
  const row = rowWith({ early: 80_000, late: 80_000, tooLateToPresent: 80_000 }, { listening });
  expect(row.verdict).toBe('PASS');
  expect(row.notMeasured['pacing.missedPercent']).toContain('clock is its own');
  expect(row.notMeasured['pacing.undisturbed.sdNs']).toContain('clock is its own');
});

test('windows that came too late leave the undisturbed figures unknown', () => {
  const row = rowWith({ undecided: 5 });
  expect(row.figures['pacing.undisturbed.iqrNs']).toBeNull();
  expect(row.figures['pacing.interval.iqrNs']).toBe(460);
});

test.each<[name: string, received: Partial<PacingReadings['received']>, verdict: Verdict, words: string]>([
  [
    'none',
    {},
    'PASS',
    'all 80000 packets arrived in time; half of the intervals lie within 460 ns, all within 46000 ns',
  ],
  [
    'late',
    { late: 4, longestLateRun: 3, latestNs: 478_123 },
    'WARN',
    '4 of 80000 packets arrived more than one interval late, the latest 478123 ns, up to 3 in a row',
  ],
  [
    'early',
    { early: 23_700, earliestNs: -9_873_000 },
    'WARN',
    '23700 of 80000 packets arrived more than one interval early, the earliest 9873000 ns',
  ],
  [
    'lost',
    { received: 79_997, lost: 3, lostRanges: [7, 8, 12, 12] },
    'FAIL',
    '3 packets lost, numbers 7–8, 12',
  ],
  ['doubled', { duplicated: 1, duplicates: [9] }, 'FAIL', '1 packet received twice, numbers 9'],
  ['swapped', { reordered: 1, latecomers: [700] }, 'FAIL', '1 packet out of order, numbers 700'],
  ['missed', { tooLateToPresent: 25 }, 'FAIL', '25 of 80000 packets arrived after their presentation time'],
  [
    'overflow',
    { overflowed: 2, lost: 2, lostRanges: [5, 6] },
    'INVALID',
    'the receiver was too slow for 2 packets',
  ],
  ['no stamp', { unstamped: 1 }, 'INVALID', 'the kernel gave 1 packet no time stamp'],
  ['silence', { received: 0, lost: 80_000, lostRanges: [0, 79_999] }, 'INVALID', 'no packet came'],
])('of irregularities: %s', (_, received, verdict, words) => {
  const row = rowWith(received);
  expect(row.verdict).toBe(verdict);
  expect(wordsOf(row.reason)).toContain(words);
});

test('packets that are damaged are said, and what came in the place of ours too', () => {
  const damaged = rowWith({ damaged: 3 });
  expect(damaged.verdict).toBe('WARN');
  expect(wordsOf(damaged.reason)).toBe(
    '3 packets left out: cut off, or with fields that contradict each other',
  );
  const others = rowWith({ received: 0, lost: 80_000, foreign: 40, otherAudio: 2, damaged: 1 });
  expect(others.verdict).toBe('INVALID');
  expect(wordsOf(others.reason)).toContain('42 were of other streams, subtypes or forms, 1 damaged');
});

test('what runs beside is in the row; streams that did not run make it INVALID', () => {
  const plan = { ...madeUpPlan('timer'), streams: 2 };
  const beside = { streams: 2, ran: true, frames: { received: 1200, missing: 3 }, pathMbps: 130.5 };
  const row = pacedRow(frameOf(0), plan, { ...madeUpPacing(460), beside }, 'own', defaultThresholds);
  expect(row.verdict).toBe('PASS');
  expect(row.step).toMatchObject({ 'pacing.method': 'timer', 'pacing.streamsBeside': 2 });
  expect(row.figures).toMatchObject({
    'pacing.pathMbps': 130.5,
    'pacing.besideFramesReceived': 1200,
    'pacing.besideFramesMissing': 3,
  });
  const absent = pacedRow(
    frameOf(0),
    plan,
    { ...madeUpPacing(460), beside: { ...beside, ran: false } },
    'own',
    defaultThresholds,
  );
  expect(absent.verdict).toBe('INVALID');
  expect(wordsOf(absent.reason)).toContain(
    '2 streams should have run beside the packets, but not all of them did',
  );
});

test('stolen time beyond the profile’s limit spoils a row', () => {
  const guards = [violatedBy([reasonOf('cpu-stolen', { percent: 7.5, limitPercent: 5 })])];
  const row = pacedRow(
    { ...frameOf(0), guards },
    madeUpPlan('spin'),
    madeUpPacing(460),
    'own',
    defaultThresholds,
  );
  expect(row.verdict).toBe('INVALID');
});

const late = { late: 12_277, longestLateRun: 12_277, latestNs: 1_540_000_000, tooLateToPresent: 12_000 };

/** A row whose packets came late, by ends that stood still. */
function stoodStillRow(
  times: { sent?: Partial<PacingReadings['sent']>; received?: Partial<PacingReadings['received']> },
  realTimePriority = 1,
  cpuPercent: number | null = null,
  streams: number | null = null,
) {
  const { sent, ...made } = madeUpPacing(460, { ...late, ...times.received });
  const beside =
    streams === null ? null : { streams, ran: true, frames: { received: 600, missing: 0 }, pathMbps: 60 };
  const measured = {
    ...{ ...made, beside, sent: sent && { ...sent, ...times.sent } },
    policy: { ...policy, realTimePriority },
  };
  const frame = { ...frameOf(0), cpuPercent };
  return pacedRow(frame, { ...madeUpPlan('timer'), streams }, measured, 'own', defaultThresholds);
}

test('a pacer that was stopped makes its row INVALID and is named, whatever came late', () => {
  const row = stoodStillRow({ sent: { stoppedNs: 1.46e9 } });
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toMatch(
    /^12000 of 80000 packets .*, not judged: our packet pacer \(sender\) process was stopped for 1\.46 s \(limit 0\.25 s\)$/,
  );
  expect(wordsOf(stoodStillRow({ received: { stoppedNs: 3e8 } }).reason)).toMatch(
    /^12000 of 80000 packets .*, not judged: our packet pacer \(receiver\) process was stopped for 0\.3 s \(limit 0\.25 s\)$/,
  );
  const short = stoodStillRow({ sent: { stoppedNs: 2.5e8 }, received: { stoppedNs: 2.5e8 } });
  expect(short.verdict).toBe('FAIL');
  // Within their bounds they keep the verdict, and are named all the same.
  expect(wordsOf(short.reason)).toMatch(
    /^12000 of 80000 packets .*; our packet pacer \(sender\) process was stopped for 0\.25 s \(limit 0\.25 s\); our packet pacer \(receiver\) process was stopped for 0\.25 s \(limit 0\.25 s\)$/,
  );
  expect(row.details).toMatchObject({
    standstills: { sender: { stoppedNs: 1.46e9, starvedNs: 0 }, receiver: { stoppedNs: 0, starvedNs: 0 } },
  });
});

test('a sender that waited for a processor makes its row INVALID, but where it has real-time priority', () => {
  const waited = { sent: { starvedNs: 6e8 } };
  const row = stoodStillRow(waited, 0);
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toMatch(
    /^12000 of 80000 packets .*, not judged: our packet pacer \(sender\) process waited for a processor for 0\.6 s \(limit 0\.25 s\)$/,
  );
  expect(stoodStillRow(waited, 1).verdict).toBe('FAIL');
  // Stamps are the kernel’s.
  expect(stoodStillRow({ received: { starvedNs: 6e8 } }, 0).verdict).toBe('FAIL');
});

test('what waited on a machine that the streams beside filled is the result; what was stopped is not', () => {
  const waited = { sent: { starvedNs: 6e8 } };
  expect(stoodStillRow(waited, 0, 95, 2).verdict).toBe('FAIL');
  expect(stoodStillRow(waited, 0, 80, 2).verdict).toBe('INVALID');
  expect(stoodStillRow(waited, 0, null, 2).verdict).toBe('INVALID');
  expect(stoodStillRow(waited, 0, 95, 0).verdict).toBe('INVALID');
  expect(stoodStillRow({ sent: { stoppedNs: 6e8 } }, 0, 95, 2).verdict).toBe('INVALID');
});

test('the verdict is that of the worst row; where all pass, in the words of the steadiest', () => {
  const [late, good, unmeasured] = madeUpPacingRows();
  if (!late || !good || !unmeasured) throw new Error('There are such rows');
  expect(pacingVerdict([late, good, unmeasured])).toEqual({
    verdict: 'WARN',
    reason: expect.stringMatching(/^timer: 3 of 80000 packets .*; 1 other row was WARN$/),
  });
  expect(pacingVerdict([good]).reason).toMatch(/^spin: all 80000 packets arrived in time/);
  expect(pacingVerdict([]).verdict).toBe('INVALID');
});

test('a pacer that fails makes its row INVALID, in its own words', () => {
  const row = failedRow(frameOf(0), madeUpPlan('timer'), 'This machine was too busy to begin in time');
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toBe('the pacer failed: This machine was too busy to begin in time');
});

test('a card whose clock was set is a warning where its stamps are the intervals', () => {
  const { received, listening, ...others } = madeUpPacing(460);
  const set = { ...others, received: { ...received, clockSteps: 2 } };
  const rowOf = (stamps: 'hardware' | 'software') =>
    pacedRow(
      frameOf(0),
      madeUpPlan('spin'),
      { ...set, listening: { ...listening, stamps } },
      'own',
      defaultThresholds,
    );
  expect(rowOf('software').verdict).toBe('PASS');
  expect(rowOf('hardware').verdict).toBe('WARN');
  expect(wordsOf(rowOf('hardware').reason)).toMatch(/^the clock of the network card was set 2 times/);
});
