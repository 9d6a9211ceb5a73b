import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import type { Verdict } from '../../facts/verdict';
import { defaultThresholds } from '../../protocol/thresholds';
import { judge } from './judgement';
import type { PartReadings } from './part-readings';
import { madeUpPart, madeUpReport, madeUpScale } from './scale-rows.fixture';

const parameters = { ...madeUpScale, waitSeconds: 60 };

function judged(changes: Partial<PartReadings> = {}): { verdict: Verdict; words: string } {
  const { verdict, reason } = judge(madeUpPart(changes), parameters, defaultThresholds, []);
  return { verdict, words: wordsOf(reason) };
}

const times = { firstSeconds: 0.1, p50Seconds: 0.2, p99Seconds: 0.3, lastSeconds: 0.4 };
const broken = { part: 'break', break: { seconds: 5, by: 'link' } } as const;

test.each<[string, Partial<PartReadings>, Verdict, string]>([
  [
    'all are registered and held',
    {},
    'PASS',
    '750 nodes with 6 resources each registered in 1.75 s; 2250 heartbeats, none missed',
  ],
  [
    'some are not registered, and some are refused',
    {
      report: madeUpReport(750, { registered: 740, refused: 3 }),
      counted: { ours: 4452, leftOver: 0, others: 0 },
    },
    'FAIL',
    '740 of 750 nodes registered; the registry refused 3 nodes',
  ],
  [
    'heartbeats were missed',
    { report: madeUpReport(750, { heartbeatsMissed: 6, missedBy: { '404': 3, none: 2, '503': 1 } }) },
    'FAIL',
    '6 heartbeats missed (no answer: 2, unknown to the registry (404): 3, other answer: 1)',
  ],
  [
    'all are registered, some at a second try',
    {
      report: madeUpReport(750, {
        ...{ failures: 5 },
        answers: { registration: { '201': 4500, '503': 3, none: 2 }, heartbeat: { '200': 9 }, removal: {} },
      }),
    },
    'FAIL',
    '5 registrations not answered as IS-04 requires (503: 3, no answer: 2)',
  ],
  [
    'a registry answers a heartbeat and a registration with an error after a break',
    {
      ...broken,
      report: {
        ...madeUpReport(750, {
          answers: {
            registration: { '201': 72, '500': 2, none: 4 },
            heartbeat: { '200': 738, '404': 12, '502': 1, none: 750 },
            removal: {},
          },
        }),
        recovery: { nodes: 750, back: 750, times, curve: [] },
      },
    },
    'FAIL',
    '2 registrations not answered as IS-04 requires (500: 2); 1 heartbeat not answered as IS-04 requires (502: 1)',
  ],
  [
    'the registry lost resources',
    { counted: { ours: 4494, leftOver: 0, others: 0 } },
    'FAIL',
    'the registry holds only 4494 of 4500 registered resources',
  ],
  [
    'the registry has more of ours than there are',
    { counted: { ours: 4500, leftOver: 1, others: 0 } },
    'WARN',
    'the registry holds 1 resource with the tag of this run that no node of the run has',
  ],
  [
    'the registry cannot be counted',
    { counted: { why: 'its Query API answered 500' } },
    'WARN',
    'the resources in the registry could not be counted: its Query API answered 500',
  ],
  [
    'the simulated nodes stood still',
    {
      report: { ...madeUpReport(750), stalls: [{ standstillMs: 1200, standstillPercent: 0.5 }] },
      counted: { ours: 0, leftOver: 0, others: 0 },
    },
    'INVALID',
    'the registry holds only 0 of 4500 registered resources, not judged: the simulated nodes stalled for 1.20 s: use fewer nodes, or end other programs on this machine',
  ],
  [
    'all are back after a break, in which heartbeats were missed',
    {
      ...broken,
      report: {
        ...madeUpReport(750, {
          heartbeatsMissed: 750,
          answers: { registration: {}, heartbeat: { '404': 9 }, removal: {} },
        }),
        recovery: { nodes: 750, back: 750, times, curve: [] },
      },
    },
    'PASS',
    '750 nodes back within 0.40 s, 9 of them unknown to the registry (404) and registered again',
  ],
  [
    'the registry removed nodes after a silence in which none could expire',
    {
      part: 'break',
      break: { seconds: 5, by: 'silence' },
      report: {
        ...madeUpReport(750, { answers: { registration: {}, heartbeat: { '404': 9 }, removal: {} } }),
        recovery: { nodes: 750, back: 750, times, curve: [] },
      },
    },
    'FAIL',
    'the registry answered 9 heartbeats with 404 after a silence of 5 s: with heartbeats each 5 s it keeps nodes for 12 s',
  ],
  [
    'some are not back',
    {
      ...broken,
      report: { ...madeUpReport(750), recovery: { nodes: 750, back: 749, times, curve: [] } },
    },
    'FAIL',
    '749 of 750 nodes back within 60 s',
  ],
  [
    'all are at the other registry',
    {
      part: 'registry killed',
      report: { ...madeUpReport(750), recovery: { nodes: 375, back: 375, times, curve: [] } },
    },
    'PASS',
    '375 nodes at the other registry within 0.40 s, no resources lost',
  ],
  [
    'the registry that lived on forgot nodes of the other for a while',
    {
      part: 'registry killed',
      fewest: { resources: 4482, expected: 4500 },
      report: {
        ...madeUpReport(750, { answers: { registration: {}, heartbeat: { '404': 3 }, removal: {} } }),
        recovery: { nodes: 375, back: 375, times, curve: [] },
      },
    },
    'FAIL',
    'the remaining registry removed nodes of the killed one: its lowest count was 4482 of 4500 resources, and it answered 3 heartbeats with 404',
  ],
  [
    'the registry that ended had no node',
    {
      part: 'registry killed',
      report: { ...madeUpReport(750), recovery: { nodes: 0, back: 0, times: null, curve: [] } },
    },
    'INVALID',
    'no node was registered, so none could come back',
  ],
  [
    'the last came after the time that is waited, before it was reported',
    { isLate: true },
    'FAIL',
    'the last of 750 nodes registered after the time limit of 60 s',
  ],
  [
    'the last was back after the time that is waited',
    {
      ...broken,
      isLate: true,
      report: { ...madeUpReport(750), recovery: { nodes: 750, back: 750, times, curve: [] } },
    },
    'FAIL',
    'the last of 750 nodes registered after the time limit of 60 s',
  ],
  [
    'the simulated nodes stood still in many pieces',
    { report: { ...madeUpReport(750), stalls: [{ standstillMs: 700, standstillPercent: 70 }] } },
    'INVALID',
    'the simulated nodes stalled for 70 % of the time, in stalls above 0.1 s (limit: 40 %): use fewer nodes, or end other programs on this machine',
  ],
  [
    'the machine was busy before',
    { busyBeforePercent: 97 },
    'WARN',
    'the machine was busy before the run: other programs took 97 % of its CPU (limit 25 %)',
  ],
])('%s', (_, changes, verdict, words) => {
  expect(judged(changes)).toEqual({ verdict, words });
});

test.each<[string, Partial<PartReadings>, string]>([
  [
    'more nodes are registered than there are',
    { report: madeUpReport(750, { registered: 751 }) },
    '(nodes): 751 registered, 750 in all',
  ],
  [
    'more is registered than the registry accepted',
    {
      report: madeUpReport(750, {
        answers: { registration: { '201': 4000 }, heartbeat: { '200': 2250 }, removal: {} },
      }),
    },
    '(resources): 4500 of the registered nodes, 4000 accepted by the registry',
  ],
  [
    'the registry lists more of ours than all nodes have',
    { counted: { ours: 4501, leftOver: 0, others: 0 } },
    '(resources): 4501 of this run in the registry, 4500 of all nodes',
  ],
  [
    'more come back than had to',
    { ...broken, report: { ...madeUpReport(750), recovery: { nodes: 700, back: 750, times, curve: [] } } },
    '(nodes): 750 back, 700 that had to come back',
  ],
  [
    'times do not rise',
    { report: madeUpReport(750, { times: { ...times, p50Seconds: 9 } }) },
    '(times): 9 s p50, 0.3 s p99',
  ],
])('%s: the figures contradict each other', (_, changes, words) => {
  const found = judged(changes);
  expect(found.verdict).toBe('INVALID');
  expect(found.words).toContain(`the figures contradict each other ${words}`);
});

test('where no node can notice the end of a registry in time, the reason says so', () => {
  const killed = madeUpPart({ part: 'registry killed', fewest: { resources: 342, expected: 360 } });
  const short = { ...parameters, heartbeatSeconds: 4, httpTimeoutSeconds: 1, expirySeconds: 4.2 };
  expect(wordsOf(judge(killed, short, defaultThresholds, []).reason)).toContain(
    'nodes can be silent for 5 s before they notice the end of a registry, and the expiry is 4.2 s',
  );
});
