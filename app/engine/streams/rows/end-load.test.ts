import { describe, expect, test } from 'vitest';
import { brokenGuards } from '../../../protocol/precedence';
import { reasonOf, wordsOf } from '../../../protocol/reason-words';
import { defaultThresholds } from '../../../protocol/thresholds';
import { deviceLoad } from '../../../testing/end-load';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { LoadSums } from '../../load/load-sums';
import {
  busierOf,
  type EndLoad,
  endLoadOf,
  higherLoad,
  isFilledByUs,
  isFull,
  othersGuards,
  withoutOthers,
} from './end-load';
import { judgeStream, loss, nothingCounted } from './judgement';

/** Busiest, and what others took, %. */
type Load = [busiest: number | null, others: number | null];
const idle: Load = [10, 2];
const none: Load = [null, null];

function end(cpu: Load, gpu: Load = none, isElsewhere = false): EndLoad {
  return { cpu: deviceLoad(...cpu), gpu: deviceLoad(...gpu), stolenPercent: 0, isElsewhere };
}

/** A loss at these ends, where our own streams are known to have filled one of them or are not. */
function judged(sender: EndLoad, receiver: EndLoad = sender) {
  const evidence = {
    ...nothingCounted({ guards: [], contradictions: [] }),
    absent: [],
    findings: [loss(true, reasonOf('frames-missing', { frames: 9, method: 'number' }))],
    isOwnLimit: [sender, receiver].some((one) => isFilledByUs(one, defaultThresholds)),
  };
  const { verdict, reason } = judgeStream(evidence, { sender, receiver }, defaultThresholds);
  const guard = reason.find(({ code }) => code === 'others-busy' || code === 'not-checked');
  return [verdict, guard ? wordsOf([guard]) : ''];
}

const cpuTaken = (percent: string) => `other programs took ${percent} % of the CPU (limit 25 %)`;
const gpuTaken = (percent: string) => `other programs took ${percent} % of the GPU (limit 25 %)`;
const notChecked = (what: string) => `${what} could not be checked: no file descriptor is left`;
const cpuUnknown = notChecked('how much of the CPU other programs took');
const gpuUnknown = notChecked('how much of the GPU other programs took');

describe('a loss on this machine', () => {
  test.each<[string, cpu: Load, gpu: Load, verdict: string, guard: string]>([
    ['nothing is full', idle, none, 'FAIL', ''],
    ['we filled the CPU', [95, 5], none, 'FAIL', ''],
    ['others filled the CPU', [95, 60], none, 'INVALID', cpuTaken('60.0')],
    ['others took as much as they may not', [40, 25], none, 'INVALID', cpuTaken('25.0')],
    ['others took less', [40, 24.9], none, 'FAIL', ''],
    ['who filled the CPU is not known', [95, null], none, 'INVALID', cpuUnknown],
    ['who took much of the CPU is not known', [25, null], none, 'INVALID', cpuUnknown],
    ['all took little of the CPU', [24.9, null], none, 'FAIL', ''],
    ['the CPU was not measured', none, none, 'INVALID', cpuUnknown],
    ['we filled the GPU', idle, [95, 5], 'FAIL', ''],
    ['others filled the GPU', idle, [95, 70], 'INVALID', gpuTaken('70.0')],
    ['others filled the GPU, and we half of the CPU', [50, 0], [99, 99], 'INVALID', gpuTaken('99.0')],
    ['others took much of a GPU that is not full', idle, [60, 40], 'INVALID', gpuTaken('40.0')],
    ['who filled the GPU is not known', idle, [90, null], 'INVALID', gpuUnknown],
    ['who used a GPU that is not full is not known', idle, [89.9, null], 'FAIL', ''],
    ['others filled both', [95, 60], [95, 70], 'INVALID', cpuTaken('60.0')],
    [
      'others filled the GPU, who filled the CPU is not known',
      [95, null],
      [95, 70],
      'INVALID',
      gpuTaken('70.0'),
    ],
    [
      'we filled the GPU, others the CPU: nobody knows whose loss it is',
      [95, 60],
      [95, 5],
      'INVALID',
      cpuTaken('60.0'),
    ],
  ])('%s', (_, cpu, gpu, verdict, guard) => {
    expect(judged(end(cpu, gpu))).toEqual([verdict, guard]);
  });
});

describe('a loss of a sender elsewhere, which does not report what others take there', () => {
  const here = end(idle);
  test.each<[string, EndLoad, EndLoad, verdict: string, guard: string]>([
    ['its machine is not reported', end(none, none, true), here, 'FAIL', ''],
    ['its CPU had time', end([89.9, null], none, true), here, 'FAIL', ''],
    [
      'its CPU was full',
      end([95, null], none, true),
      here,
      'INVALID',
      notChecked('how much of the CPU other programs took on the sender’s machine'),
    ],
    [
      'its GPU was full',
      end(idle, [95, null], true),
      here,
      'INVALID',
      notChecked('how much of the GPU other programs took on the sender’s machine'),
    ],
    ['this machine was full of others', end(none, none, true), end([95, 60]), 'INVALID', cpuTaken('60.0')],
    ['the receiver is elsewhere', here, end(none, none, true), 'FAIL', ''],
  ])('%s', (_, sender, receiver, verdict, guard) => {
    expect(judged(sender, receiver)).toEqual([verdict, guard]);
  });
});

test('without a loss the reason names other programs that took too much, and what is not known of them is no guard', () => {
  const evidence = { ...nothingCounted({ guards: [], contradictions: [] }), absent: [], good: [] };
  const full = end([95, null], [95, 70]);
  expect(judgeStream(evidence, { sender: full, receiver: full }, defaultThresholds)).toMatchObject({
    verdict: 'PASS',
    reason: [{ code: 'others-busy', data: { percent: 70, isGpu: true } }],
  });
  const taken = end([100, 90], [5, 0]);
  expect(judgeStream(evidence, { sender: taken, receiver: taken }, defaultThresholds)).toMatchObject({
    verdict: 'PASS',
    reason: [{ code: 'others-busy', data: { percent: 90 } }],
  });
});

test.each<[string, EndLoad, boolean, boolean]>([
  ['idle', end(idle), false, false],
  ['the CPU by us', end([90, 24]), true, true],
  ['the GPU by us', end(idle, [90, 24]), true, true],
  ['the GPU by others', end(idle, [90, 25]), true, false],
  ['the GPU by others, the CPU by us', end([90, 0], [90, 80]), true, true],
  ['the GPU by nobody knows whom', end(idle, [90, null]), true, false],
  ['nothing measured', end(none), false, false],
])('whether an end is full, and filled by us: %s', (_, load, full, byUs) => {
  expect([isFull(load, defaultThresholds), isFilledByUs(load, defaultThresholds)]).toEqual([full, byUs]);
});

test.each([
  { stolenPercent: 5, byUs: true },
  { stolenPercent: 5.1, byUs: false },
  { stolenPercent: null, byUs: false },
])(
  'a full CPU of which the hypervisor took $stolenPercent %: filled by us: $byUs',
  ({ stolenPercent, byUs }) => {
    expect(isFilledByUs({ ...end([95, 0]), stolenPercent }, defaultThresholds)).toBe(byUs);
  },
);

test.each<[EndLoad, object]>([
  [end([95, 60], [40, 1]), { busiestPercent: 95, othersPercent: 60, isGpu: false }],
  [end([40, 1], [95, 60]), { busiestPercent: 95, othersPercent: 60, isGpu: true }],
  [end([0, 0], none), { busiestPercent: 0, isGpu: false }],
  [end(none, [0, 0]), { busiestPercent: 0, isGpu: true }],
  [end(none), { busiestPercent: null, isGpu: false }],
])('the load that a reason names is of the busier one, with what others took of that', (load, expected) => {
  expect(busierOf(load)).toMatchObject(expected);
});

test('the load of samples has CPU and GPU apart, at their worst, and what others took in the mean', () => {
  const roles = { sending: roleLoad(30, 60, 'sdk') };
  const sums = LoadSums.of([
    loadSample({ cpuPercent: 40, gpuPercent: 95, gpuOthersPercent: 80, roles }),
    loadSample({ cpuPercent: 50, gpuPercent: 10, gpuOthersPercent: 4, roles }),
  ]);
  expect(endLoadOf(sums)).toMatchObject({
    cpu: { busiestPercent: 50, othersPercent: 15 },
    gpu: { busiestPercent: 95, othersPercent: 42 },
  });
  const wordsFor = (load: EndLoad) => wordsOf(brokenGuards(othersGuards([load], defaultThresholds)));
  expect(wordsFor(endLoadOf(new LoadSums()))).toMatch(/: no load sample lies wholly within the row$/);
  expect(wordsFor(withoutOthers(endLoadOf(sums), 'no load sample was taken then'))).toMatch(
    /^how much of the CPU .*: no load sample was taken then; how much of the GPU .*: no load sample was taken then$/,
  );
});

test('of two times the higher figures count, and what is known of one of them', () => {
  expect(higherLoad(end([40, 30], none), end([90, null], [20, 1]))).toMatchObject({
    cpu: { busiestPercent: 90, othersPercent: 30 },
    gpu: { busiestPercent: 20, othersPercent: 1 },
  });
});
