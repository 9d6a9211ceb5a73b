import { expect, test } from 'vitest';
import { fine, type Guard, violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { defaultThresholds } from '../../protocol/thresholds';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { SimulatedClock } from '../../testing/simulated-clock';
import { judgedWithOtherEnd, OtherEndWatch } from './other-end';

const others: Guard = violatedBy([
  reasonOf('others-busy', { percent: 60, limitPercent: 25, machine: 'display-1' }),
]);

const slow = reasonOf('link-reached', {
  throughputMbps: 300,
  percent: 30,
  linkMbps: 1000,
  wantedPercent: 90,
});
const lost = reasonOf('datagrams-lost', { lossPercent: 2, sentMbps: 900, maxLossPercent: 0.1 });
const carried = reasonOf('link-reached', { throughputMbps: 940, percent: 94, linkMbps: 1000 });

function row(changes: Partial<ClosedRow>, direction = 'send'): ClosedRow {
  const figures = { measuredSeconds: 2, 'link.lineRatePercent': 30 };
  const step = { 'link.protocol': 'TCP', 'link.direction': direction };
  return { ...exampleRow(), step, figures, ...changes };
}

function judged(one: ClosedRow, cpuPercent: number | null, guard: Guard = fine): [string, string] {
  const other = { machine: 'display-1', cpuPercent, guards: [guard] };
  const { verdict, reason } = judgedWithOtherEnd(one, other, { saturatedPercent: 90 });
  return [verdict, wordsOf(reason)];
}

test('a link that carries too little, to a machine that had nothing to do, stays a FAIL', () => {
  expect(judged(row({ verdict: 'FAIL', reason: [slow] }), 10)[0]).toBe('FAIL');
});

test('a full machine at the other end excuses it, and so does one whose load is not known', () => {
  const failed = row({ verdict: 'FAIL', reason: [slow] });
  expect(judged(failed, 95)).toEqual([
    'INVALID',
    expect.stringMatching(
      /^300.*, not judged: the processors of display-1 were 95 % busy, so the link may carry more$/,
    ),
  ]);
  expect(judged(failed, null)).toEqual([
    'INVALID',
    expect.stringMatching(/^300.*, not judged: the load of display-1 was not measured$/),
  ]);
});

test('datagrams are lost at a full receiver, and not at a full sender', () => {
  const failed: Partial<ClosedRow> = { verdict: 'FAIL', reason: [lost] };
  expect(judged(row(failed, 'send'), 95)[0]).toBe('INVALID');
  expect(judged(row(failed, 'receive'), 95)[0]).toBe('FAIL');
});

test('other programs there excuse a loss; a row that passes stays a PASS and names them', () => {
  expect(judged(row({ verdict: 'FAIL', reason: [slow] }), 70, others)).toEqual([
    'INVALID',
    expect.stringMatching(
      /^300.*, not judged: other programs took 60\.0 % of the CPU of display-1 \(limit 25 %\)$/,
    ),
  ]);
  expect(judged(row({ verdict: 'PASS', reason: [carried] }), 95, others)).toEqual([
    'PASS',
    expect.stringMatching(/^940.*; other programs took 60\.0 % of the CPU of display-1/),
  ]);
});

test('a round trip is compared with nothing, so that it needs the guards of both machines', () => {
  const step = { 'link.protocol': 'ping' };
  const ping = row({ verdict: 'PASS', reason: [reasonOf('rtt-measured', { rttMs: 1 })], step });
  const measured = { ...ping, figures: { measuredSeconds: 1, 'link.rttMs': 1 } };
  expect(judged(measured, 10)[0]).toBe('PASS');
  expect(judged(measured, 10, others)[0]).toBe('INVALID');
});

test('what the other machine was sampled in the repeats of the row counts, once its samples are here', async () => {
  const clock = new SimulatedClock();
  const isoAt = (): string => new Date(clock.wallMs()).toISOString();
  const samples = [loadSample({ atNs: 0 })].slice(1);
  const signal = new AbortController().signal;
  const watch = new OtherEndWatch(
    'display-1',
    { samples },
    {
      ...{ clock, isoNow: isoAt, samples: () => [], standstills: () => [], signal },
      thresholds: defaultThresholds,
    },
  );
  const from = isoAt();
  const busy = [10, 10, 95, 95, 95];
  for (const cpuPercent of busy) {
    await clock.pass(1000);
    samples.push(loadSample({ atNs: clock.monotonicNs(), cpuPercent }));
  }
  const startedAt = new Date(Date.parse(from) + 2000).toISOString();
  const details = { runs: [{ startedAt, elapsedSeconds: 3 }] };
  expect(await watch.of(row({ from, to: isoAt(), details }))).toMatchObject({ cpuPercent: 95 });
  // Without samples it waits for three seconds, and says that there were none.
  samples.splice(0);
  const waiting = watch.of(row({ from, to: isoAt(), details }));
  await clock.pass(4000);
  const { cpuPercent, guards } = await waiting;
  expect(cpuPercent).toBeNull();
  expect(guards.some((guard) => guard.state === 'violated' && guard.spoilsFigures)).toBe(true);
});
