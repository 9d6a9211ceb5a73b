import { expect, test } from 'vitest';
import { violatedBy, violatedByLoad } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import { defaultThresholds } from '../../protocol/thresholds';
import { notHeldBack } from './held-back';
import { type Judged, judge } from './judgement';

const quietUse: Judged['use'] = { othersPercent: 2, programs: [], cores: 4, throttles: null };
const inTime = { wakeUps: 600, overslept: 0, late: 0, p99Ms: 0.2, longestMs: 0.9 };

function judged(changes: Partial<Judged> = {}): { verdict: Verdict; codes: string[]; words: string } {
  const { verdict, reason } = judge(
    {
      ...{ wakeUps: inTime, heldBack: notHeldBack, use: quietUse },
      ...{ stolenMaxPercent: 0, slowGovernors: [], guards: [] },
      ...changes,
    },
    defaultThresholds,
  );
  return { verdict, codes: reason.map(({ code }) => code), words: wordsOf(reason) };
}

test('a quiet machine passes, whatever governs its processors', () => {
  expect(judged({ slowGovernors: ['powersave'] })).toEqual({
    ...{ verdict: 'PASS', codes: ['woke-in-time'] },
    words: 'all 600 wake-ups were in time, the latest 0.900 ms late',
  });
});

test.each<[late: number, Verdict, limit: number]>([
  [1, 'WARN', 0],
  [2, 'FAIL', 1],
  [60, 'FAIL', 1],
])('%s late wake-ups are %s, and the limit is said', (late, verdict, limit) => {
  const found = judged({ wakeUps: { ...inTime, late, longestMs: 21.4 } });
  expect(found.verdict).toBe(verdict);
  expect(found.words).toContain(
    `${late} of 600 wake-ups were over 8.3 ms late (limit ${limit}), the latest 21.4 ms`,
  );
});

test.each([
  [1, 'the thread slept past 1 of 3000 slots (limit 0), its latest wake-up came 1.9 ms late; '],
  [3, 'the thread slept past 3 of 3000 slots (limit 0), its latest wake-up came 1.9 ms late; '],
])('%s skipped slots did not come in time: the row is no PASS', (overslept, words) => {
  const found = judged({ wakeUps: { ...inTime, wakeUps: 3000 - overslept, overslept, longestMs: 1.9 } });
  expect(found.verdict).toBe('WARN');
  expect(found.words.startsWith(words), found.words).toBe(true);
});

test('skipped slots beside late wake-ups are counted apart', () => {
  const found = judged({ wakeUps: { ...inTime, overslept: 4, late: 2, longestMs: 40 } });
  expect(found).toMatchObject({
    ...{ verdict: 'FAIL', codes: ['wake-ups-late', 'slots-skipped', 'no-cause-seen'] },
  });
});

test.each<[p99Ms: number, Verdict]>([
  [1, 'PASS'],
  [1.2, 'WARN'],
  [4.1, 'WARN'],
  [4.2, 'FAIL'],
])('1 wake-up in 100 more than %s ms late is %s', (p99Ms, verdict) => {
  expect(judged({ wakeUps: { ...inTime, p99Ms, longestMs: 5 } }).verdict).toBe(verdict);
});

test('stolen time beyond the profile’s limit fails the machine here, and says what to do once', () => {
  const stolen = reasonOf('cpu-stolen', { percent: 7.5, limitPercent: 5 });
  expect(judged({ guards: [violatedBy([stolen])], stolenMaxPercent: 7.5 })).toEqual({
    ...{ verdict: 'FAIL', codes: ['cpu-stolen'] },
    words: expect.stringMatching(/took 7.5 % of the CPU away \(limit 5 %\): give this virtual machine cores/),
  });
});

test('a thread that waits for a processor is what is looked for; one that is stopped says nothing', () => {
  const late = { ...inTime, late: 5, longestMs: 400 };
  const data = { role: 'content', seconds: 0.4, limitSeconds: 0.25 };
  const starved = violatedByLoad([reasonOf('process-starved', data)]);
  const stopped = violatedBy([reasonOf('process-stopped', data)]);
  expect(judged({ guards: [starved], wakeUps: late })).toMatchObject({ verdict: 'FAIL' });
  expect(judged({ guards: [starved, stopped], wakeUps: late })).toMatchObject({
    ...{ verdict: 'INVALID', codes: ['wake-ups-late', 'process-stopped'] },
  });
  expect(judged({ guards: [stopped] }).verdict).toBe('PASS');
});

const stopped = { role: 'content', seconds: 0.22 };
const stopWords =
  'our content process was stopped for at least 0.220 s: its late or missing wake-ups for 13 slots prove nothing about the machine';

test('limits that were broken only while our process was stopped make the row INVALID, and blame no machine', () => {
  const wakeUps = { wakeUps: 588, overslept: 12, late: 1, p99Ms: 140, longestMs: 208 };
  const rest = { ...inTime, wakeUps: 587 };
  expect(judged({ wakeUps, heldBack: { stopped, rest, starved: [] } })).toEqual({
    ...{ verdict: 'INVALID', codes: ['wake-ups-late', 'slots-skipped', 'wake-ups-slow', 'thread-stopped'] },
    words: expect.stringMatching(
      new RegExp(`^1 of 588 wake-ups were over 8.3 ms late.*, not judged: ${stopWords}$`),
    ),
  });
  // As many late ones as make a WARN are left, and with those of the stop it would be a FAIL.
  const warned = { ...rest, late: 1, longestMs: 9 };
  expect(judged({ wakeUps, heldBack: { stopped, rest: warned, starved: [] } }).verdict).toBe('INVALID');
  // At 1 Hz the only wake-up may be one of the stop.
  const only = { ...inTime, wakeUps: 1, late: 1, longestMs: 208 };
  expect(judged({ wakeUps: only, heldBack: { stopped, rest: null, starved: [] } }).verdict).toBe('INVALID');
});

test('where the rest is as bad as the whole row, it decides, and what the stop did is said', () => {
  const wakeUps = { wakeUps: 588, overslept: 12, late: 6, p99Ms: 140, longestMs: 208 };
  const rest = { ...inTime, wakeUps: 587, late: 5, longestMs: 12 };
  expect(judged({ wakeUps, heldBack: { stopped, rest, starved: [] } })).toEqual({
    ...{ verdict: 'FAIL', codes: ['wake-ups-late', 'no-cause-seen', 'thread-stopped'] },
    words: expect.stringMatching(
      new RegExp(`^5 of 587 wake-ups .* \\(limit 1\\), the latest 12.0 ms; .*; ${stopWords}$`),
    ),
  });
  expect(judged({ heldBack: { stopped, rest: inTime, starved: [] } }).codes).toEqual(['woke-in-time']);
});

test('a stop for longer than it may is said by the guard alone', () => {
  const guards = [
    violatedBy([reasonOf('process-stopped', { role: 'content', seconds: 0.4, limitSeconds: 0.25 })]),
  ];
  const wakeUps = { ...inTime, wakeUps: 578, overslept: 22, late: 1, longestMs: 390 };
  const heldBack = { stopped: { ...stopped, seconds: 0.4 }, rest: { ...inTime, wakeUps: 577 }, starved: [] };
  expect(judged({ guards, wakeUps, heldBack })).toMatchObject({
    ...{ verdict: 'INVALID', codes: ['wake-ups-late', 'slots-skipped', 'process-stopped'] },
  });
});

test('a process that waited for a processor beside late wake-ups is named: something took it', () => {
  const starved = [{ role: 'content', seconds: 0.18 }];
  const wakeUps = { ...inTime, late: 2, longestMs: 178 };
  expect(judged({ wakeUps, heldBack: { ...notHeldBack, starved } })).toEqual({
    ...{ verdict: 'FAIL', codes: ['wake-ups-late', 'process-waited'] },
    words: expect.stringMatching(/; our content process waited 0\.180 s for a processor then$/),
  });
});

test('what our own instrument missed is INVALID, and what was found all the same is said', () => {
  const fault = reasonOf('no-load-sample', { seconds: 3 });
  const late = { ...inTime, late: 5, longestMs: 40 };
  expect(judged({ guards: [violatedBy([fault])], wakeUps: late })).toMatchObject({
    ...{ verdict: 'INVALID', codes: ['wake-ups-late', 'no-load-sample'] },
  });
  expect(judged({ wakeUps: null, guards: [violatedBy([fault])] }).verdict).toBe('INVALID');
});

test('busy programs and heat are warnings, each with its limit', () => {
  const programs = [{ name: 'cc1plus', percent: 40, processIds: [71, 72, 73, 74, 75, 76] }];
  expect(judged({ use: { ...quietUse, othersPercent: 45, programs } })).toEqual({
    ...{ verdict: 'WARN', codes: ['others-busy', 'close-program'] },
    words:
      'other programs took 45.0 % of the CPU (limit 25 %); close cc1plus (processes 71, 72, 73, 74 and 2 more, 40.0 % of the CPU)',
  });
  expect(judged({ use: { ...quietUse, throttles: 3 } })).toEqual({
    ...{ verdict: 'WARN', codes: ['processor-throttled'] },
    words: 'the processor slowed down 3 times because of heat (limit 0): improve its cooling',
  });
  expect(judged({ use: { ...quietUse, throttles: 0 } }).verdict).toBe('PASS');
});

test('the server of the fleet is named as what it is, and not among what to close', () => {
  const programs = [
    { name: 'the fleet’s own server', percent: 20, processIds: [7] },
    { name: 'backup', percent: 6, processIds: [9] },
  ];
  const found = judged({ wakeUps: { ...inTime, late: 1, longestMs: 9 }, use: { ...quietUse, programs } });
  expect(found.codes).toEqual(['wake-ups-late', 'close-program', 'fleet-server-busy']);
  expect(found.words).toMatch(
    /close backup \(process 9, 6.0 % of the CPU\); the fleet’s own server \(process 7\) took 20.0 % of the CPU: leave it running$/,
  );
});

test('late wake-ups come with what to switch off: the two busiest programs, the hypervisor, the governor', () => {
  const late = { ...inTime, late: 9, longestMs: 30 };
  const programs = [
    { name: 'kernel threads', percent: 20, processIds: [2] },
    { name: 'firefox', percent: 12, processIds: [8] },
    { name: 'backup', percent: 6, processIds: [9] },
    { name: 'cron', percent: 5, processIds: [10] },
  ];
  const busy = { ...quietUse, programs };
  expect(
    judged({ wakeUps: late, use: busy, stolenMaxPercent: 2, slowGovernors: ['powersave'] }).codes,
  ).toEqual(['wake-ups-late', 'close-program', 'close-program', 'busy-hypervisor', 'slow-governor']);
  // A twentieth of one of four cores is 1.25 % of all.
  const hardlyBusy = { ...quietUse, programs: [{ name: 'cron', percent: 1.2, processIds: [10] }] };
  expect(judged({ wakeUps: late, use: hardlyBusy, stolenMaxPercent: 0.9 }).codes).toEqual([
    'wake-ups-late',
    'no-cause-seen',
  ]);
});

test('where no cause was seen, it says what was looked at', () => {
  const late = { ...inTime, late: 9, longestMs: 30 };
  const advice = 'was seen that explains it: check interrupts and the firmware’s power saving';
  const wordsWith = (changes: Partial<Judged>): string => judged({ wakeUps: late, ...changes }).words;
  expect(wordsWith({})).toMatch(new RegExp(`; no program, governor or hypervisor ${advice}$`));
  const unknown = { use: { ...quietUse, programs: null }, stolenMaxPercent: null };
  expect(wordsWith(unknown)).toMatch(new RegExp(`; no governor ${advice}$`));
  // Many programs took it, none of them much.
  expect(judged({ wakeUps: late, use: { ...quietUse, othersPercent: 45 } }).codes).toEqual([
    ...['wake-ups-late', 'others-busy'],
  ]);
});
