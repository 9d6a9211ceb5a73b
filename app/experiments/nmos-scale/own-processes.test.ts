import { expect, test } from 'vitest';
import { type Guard, violatedByLoad } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import type { Standstill } from '../../protocol/standstill';
import { defaultThresholds } from '../../protocol/thresholds';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { judge } from './judgement';
import { madeUpPart, madeUpReport, madeUpScale } from './scale-rows.fixture';

interface Case {
  kind: Standstill['kind'];
  seconds: number;
  missed?: number;
  sample?: Partial<LoadSample>;
  guards?: Guard[];
}

/** Of a row in which one of two registries stood still. */
function judged({ kind, seconds, missed = 0, sample = {}, guards = [] }: Case): string {
  const report = madeUpReport(750, { heartbeatsMissed: missed, missedBy: { none: missed } });
  const who = { role: 'registry 2' };
  const standstills = [{ who, kind, fromNs: 2e9, toNs: 1e9 * (2 + seconds) }];
  const part = madeUpPart({ report, standstills, fromNs: 1e9, samples: [loadSample(sample)] });
  const { verdict, reason } = judge(part, madeUpScale, defaultThresholds, guards);
  return `${verdict}: ${wordsOf(reason)}`;
}

/** Registry and nodes take all of it, or half. */
const filledByUs = {
  cpuPercent: 98,
  roles: { registry: roleLoad(48, 160, 'runtime'), nodes: roleLoad(48, 180, 'runtime') },
};
const filledByOthers = { ...filledByUs, roles: { registry: roleLoad(48, 160, 'runtime') } };

const stoppedText = 'our registry 2 process was stopped for 1.2 s (limit 0.25 s)';
const starvedText = 'our registry 2 process waited for a processor for 1.2 s (limit 0.25 s)';
const missedText = '2 heartbeats missed (no answer: 2)';
const goodText = '750 nodes with 6 resources each registered in 1.75 s; 2250 heartbeats, none missed';

test.each<[string, Case, string]>([
  ['stopped, nothing lost', { kind: 'stopped', seconds: 1.2 }, `INVALID: ${stoppedText}`],
  [
    'stopped, heartbeats missed',
    { kind: 'stopped', seconds: 1.2, missed: 2 },
    `INVALID: ${missedText}, not judged: ${stoppedText}`,
  ],
  [
    'stopped on a machine that we filled',
    { kind: 'stopped', seconds: 1.2, missed: 2, sample: filledByUs },
    `INVALID: ${missedText}, not judged: ${stoppedText}`,
  ],
  ['stopped for less than the limit', { kind: 'stopped', seconds: 0.2 }, `PASS: ${goodText}`],
  [
    'stopped for less than the limit, heartbeats missed',
    { kind: 'stopped', seconds: 0.2, missed: 2 },
    `FAIL: ${missedText}`,
  ],
  ['starved, nothing lost', { kind: 'starved', seconds: 1.2 }, `PASS: ${goodText}; ${starvedText}`],
  [
    'starved, heartbeats missed',
    { kind: 'starved', seconds: 1.2, missed: 2 },
    `INVALID: ${missedText}, not judged: ${starvedText}`,
  ],
  [
    'starved on a machine that we filled, heartbeats missed',
    { kind: 'starved', seconds: 1.2, missed: 2, sample: filledByUs },
    `FAIL: ${missedText}; ${starvedText}`,
  ],
  [
    'starved on a machine that others filled, heartbeats missed',
    { kind: 'starved', seconds: 1.2, missed: 2, sample: filledByOthers },
    `INVALID: ${missedText}, not judged: ${starvedText}`,
  ],
  [
    'starved on a machine that the hypervisor took from us too',
    { kind: 'starved', seconds: 1.2, missed: 2, sample: { ...filledByUs, cpuStealPercent: 20 } },
    `INVALID: ${missedText}, not judged: ${starvedText}`,
  ],
])('%s', (_, of, text) => {
  expect(judged(of)).toBe(text);
});

test('what was before the row does not count', () => {
  const who = { role: 'nodes' };
  const standstills = [{ who, kind: 'stopped', fromNs: 1e9, toNs: 3e9 } as const];
  const part = madeUpPart({ standstills, fromNs: 3e9 });
  expect(judge(part, madeUpScale, defaultThresholds, []).verdict).toBe('PASS');
});

test('where nodes were stopped, their event loop stalled for that reason', () => {
  const piece = { who: { role: 'nodes' }, kind: 'stopped', fromNs: 2e9, toNs: 3.2e9 } as const;
  const report = { ...madeUpReport(750), stalls: [{ standstillMs: 1200, standstillPercent: 0.5 }] };
  const part = madeUpPart({ report, standstills: [piece] });
  const { verdict, reason } = judge(part, madeUpScale, defaultThresholds, []);
  expect([verdict, wordsOf(reason)]).toEqual([
    ...['INVALID', 'our nodes process was stopped for 1.2 s (limit 0.25 s)'],
  ]);
});

test('a machine that we filled excuses no other guard: its row stays what it was', () => {
  const guards = [violatedByLoad([reasonOf('no-load-sample', { seconds: 2 })])];
  expect(judged({ kind: 'starved', seconds: 1.2, missed: 2, sample: filledByUs, guards })).toMatch(
    /^INVALID: 2 heartbeats missed .*, not judged: our registry 2 process waited for a processor for 1.2 s .*; no load sample /,
  );
});
