import { expect, test } from 'vitest';
import { wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { type ControllerPart, changed, changes, controllerRow, filled } from './crosspoints';
import { nmosScaleParameters } from './declaration';

const parameters = nmosScaleParameters.parse({ nodes: 10, crosspoints: 5 });
type Matrix = NonNullable<Parameters<typeof filled>[2]['figures']>;
const matrix: Matrix = {
  ...{ senders: 12, receivers: 11, ownSenders: 10, ownReceivers: 10 },
  ...{ seconds: 0.5, messages: 2, bytes: 2_000_000, losses: 0, leftOut: 0, leftOutFirst: null },
};

const change = {
  ...{ crosspoints: 5, failed: 0, firstProblem: null, seconds: 0.5, shownSeconds: 0.75 },
  ...{ p50Ms: 10, p99Ms: 20, maxMs: 30 },
};
const nobodyStood = { samples: [], standstills: [], others: [], fromNs: 0 };
const awake = { standstillMs: 5, standstillPercent: 0 };

const fillOf = (figures: Matrix | null, why: string | null = null): ControllerPart =>
  filled(10, 'pages', { type: 'filled', figures, why, ...awake });
const changeOf = (differences: object, why: string | null = null): ControllerPart =>
  changed({ tried: 5, wanted: 5 }, changes[1], {
    type: 'changed',
    figures: { ...change, ...differences },
    why,
    ...awake,
  });

test.each<[string, ControllerPart, string, string]>([
  ['a matrix', fillOf(matrix), 'PASS', '12 × 11 filled in 0.50 s'],
  [
    'one without all receivers, whatever others have',
    fillOf({ ...matrix, ownReceivers: 9 }),
    'FAIL',
    'the controller found 10 senders and 9 receivers of this run; the run registered 10 of each',
  ],
  [
    'a subscription that was lost',
    fillOf({ ...matrix, losses: 1 }),
    'FAIL',
    'the registry ended 1 subscription while the matrix was filled',
  ],
  [
    'resources that cannot be used',
    fillOf({ ...matrix, leftOut: 2, leftOutFirst: 'a sender without an id' }),
    'WARN',
    '2 resources of the registry cannot be used; the first: a sender without an id',
  ],
  [
    'more of this run than there are',
    fillOf({ ...matrix, senders: 9 }),
    'INVALID',
    'the figures contradict each other (senders): 10 of this run, 9 in all',
  ],
  [
    'all shown before the last was answered',
    changeOf({ shownSeconds: 0.25 }),
    'INVALID',
    'the figures contradict each other (time): 0.5 s until the last answer, 0.25 s until all were shown',
  ],
  [
    'a registry that fails',
    fillOf(null, 'it is over'),
    'FAIL',
    'the controller could not read the registry: it is over',
  ],
  [
    'crosspoints',
    changeOf({}),
    'PASS',
    '5 crosspoints changed in 0.50 s; the Query API showed all of them after 0.75 s',
  ],
  [
    'a crosspoint that fails',
    changeOf({ failed: 1, firstProblem: 'locked' }),
    'FAIL',
    '1 of 5 crosspoints failed; the first: locked',
  ],
  [
    'a registry without all',
    changeOf({ crosspoints: 4 }),
    'FAIL',
    'the registry holds the resources for only 4 of 5 crosspoints',
  ],
  [
    'crosspoints of which no device was asked',
    changeOf({ failed: 5, firstProblem: 'no', seconds: null, shownSeconds: null, p50Ms: null }),
    'FAIL',
    '5 of 5 crosspoints failed; the first: no',
  ],
  [
    'a registry that does not show them',
    changeOf({ shownSeconds: null }),
    'FAIL',
    'the Query API did not show all 5 crosspoints within 60 s',
  ],
])('%s is judged', (_, part, verdict, words) => {
  const row = controllerRow({ ...frameOf(1), index: 1 }, part, nobodyStood, parameters, defaultThresholds);
  expect([row.verdict, wordsOf(row.reason)]).toEqual([verdict, words]);
});

test('without a registered node a matrix says nothing', () => {
  const part = filled(0, 'pages', { type: 'filled', figures: matrix, why: null, ...awake });
  const { verdict, reason } = controllerRow(
    { ...frameOf(0), index: 0 },
    part,
    nobodyStood,
    parameters,
    defaultThresholds,
  );
  expect([verdict, wordsOf(reason)]).toEqual(['INVALID', 'no node was registered']);
});

test('a controller that stood still itself says nothing of the registry', () => {
  const message = { type: 'filled', figures: matrix, why: null, ...awake, standstillMs: 1200 } as const;
  const frame = { ...frameOf(0), index: 0 };
  const row = controllerRow(frame, filled(10, 'pages', message), nobodyStood, parameters, defaultThresholds);
  expect(row.verdict).toBe('INVALID');
  expect(wordsOf(row.reason)).toContain('the controller stalled for 1.20 s');
});
