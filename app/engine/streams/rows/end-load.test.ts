import { describe, expect, test } from 'vitest';
import { brokenGuards } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import type { LoadSample } from '../../../protocol/load';
import { defaultThresholds } from '../../../protocol/thresholds';
import { deviceLoad } from '../../../testing/end-load';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { sharedLoad } from '../../../testing/shared-load';
import { LoadSums } from '../../load/load-sums';
import { reportedLoad } from '../../load/window';
import {
  busierOf,
  type EndLoad,
  elsewhereLoad,
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
    [
      'others filled its CPU',
      end([95, 60], none, true),
      here,
      'INVALID',
      'other programs took 60.0 % of the CPU of the sender’s machine (limit 25 %)',
    ],
    [
      'others filled both, this one more',
      end([95, 60], none, true),
      end([95, 61]),
      'INVALID',
      cpuTaken('61.0'),
    ],
    [
      'others filled its CPU, who filled this one is not known',
      end([95, 60], none, true),
      end([95, null]),
      'INVALID',
      'other programs took 60.0 % of the CPU of the sender’s machine (limit 25 %)',
    ],
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

test.each<[string, a: EndLoad, b: EndLoad, cpu: Load, gpu: Load]>([
  ['both are known', end([40, 30], [10, 1]), end([90, 5], [20, 2]), [90, 30], [20, 2]],
  ['others are not known in the second', end([40, 30]), end([90, null]), [90, null], none],
  ['others are not known in the first', end([90, null]), end([40, 30]), [90, null], none],
  ['a GPU was measured in one of them', end([40, 30]), end([90, 5], [20, 1]), [90, 30], [20, 1]],
  [
    'others on a GPU are not known in one of them',
    end(idle, [95, null]),
    end(idle, [92, 2]),
    idle,
    [95, null],
  ],
])('of two times the higher figures count, what is not known stays so: %s', (_, a, b, cpu, gpu) => {
  const of = ([busiestPercent, othersPercent]: Load) => ({ busiestPercent, othersPercent });
  expect(higherLoad(a, b)).toMatchObject({ cpu: of(cpu), gpu: of(gpu), stolenPercent: 0 });
  expect(higherLoad({ ...a, stolenPercent: null }, b).stolenPercent).toBeNull();
  expect(higherLoad(a, { ...b, stolenPercent: 4 }).stolenPercent).toBe(4);
  expect(higherLoad(withoutOthers(a, 'no sample came'), b).cpu).toMatchObject({ noOthers: 'no sample came' });
});

/** Samples twice a second, each with what others took of a CPU of 95 %; null: one of our processes was not read. */
function cpuSamples(others: (number | null)[]): LoadSample[] {
  return others.map((percent, index) =>
    loadSample({
      ...{
        atNs: 1e9 + index * 0.5e9,
        cpuPercent: 95,
        roles: { sending: percent === null ? null : roleLoad(95 - percent, 60, 'sdk') },
      },
      notMeasured: percent === null ? { 'roles.sending': 'no file descriptor is left' } : {},
    }),
  );
}

test.each<[string, (number | null)[], others: number | null]>([
  ['in all of the time', [4, 4, 4, 4, 4, 4], 4],
  ['but for one sample', [4, 4, null, 4, 4, 4], 4],
  ['but for 2 s', [4, null, null, null, 4, 4], null],
  ['but for the end', [4, 4, 4, null, null, null], null],
])(
  'a full CPU is filled by us where it is known what others took %s, and otherwise it is not known',
  (_, others, percent) => {
    const load = endLoadOf(LoadSums.of(cpuSamples(others)));
    expect(load.cpu.othersPercent).toBe(percent);
    expect(isFilledByUs(load, defaultThresholds)).toBe(percent !== null);
    if (percent === null) expect(load.cpu.noOthers).toBe('no file descriptor is left');
  },
);

test.each<[string, (number | null)[], others: number | null]>([
  ['in all of the time', [4, 4, 4, 4], 4],
  ['but for one', [4, null, 4, 4], 4],
  ['but for 2 s', [4, null, null, null, 4], null],
  ['never', [null, null], null],
])('what others took of a machine elsewhere, where it reports it %s', (_, others, percent) => {
  const reported = others.map((othersPercent, index) => ({
    ...sharedLoad({ cpuPercent: 95, othersPercent }),
    atNs: 1e9 + index * 0.5e9,
  }));
  expect(elsewhereLoad(reported).cpu).toMatchObject({
    ...{ busiestPercent: 95, othersPercent: percent, noOthers: 'the sender does not report it' },
  });
  expect(reportedLoad(reported, 'no reason').load.othersCpuMeanPercent).toBe(percent);
  // Of several senders, one after the other.
  const again = elsewhereLoad([...reported.slice(2), ...reported.slice(0, 2)]);
  expect(again.cpu.othersPercent).toBe(percent);
});

const nvidia = 'nvidia-smi is asked for the whole machine only';

test.each<[string, gpus: [level: number, others: number | null][], others: number | null]>([
  [
    'one GPU',
    [
      [95, 2],
      [92, 4],
    ],
    3,
  ],
  [
    'another GPU was full for a sample, of which nobody knows whose work it did',
    [
      [92, 2],
      [95, null],
      [92, 4],
    ],
    null,
  ],
  [
    'another GPU was full, though not as full',
    [
      [95, 2],
      [91, null],
      [95, 4],
    ],
    null,
  ],
  [
    'another GPU was busier for a sample, far from full',
    [
      [95, 2],
      [40, null],
      [95, 4],
    ],
    3,
  ],
  [
    'none was full, the busiest is of nobody knows whom',
    [
      [50, 2],
      [60, null],
      [50, 4],
    ],
    null,
  ],
  [
    'another GPU was busier for 2 s',
    [
      [95, 2],
      [40, null],
      [40, null],
      [40, null],
      [95, 4],
    ],
    null,
  ],
])('what others took of a GPU is of the one that was full: %s', (_, gpus, others) => {
  const samples = gpus.map(([gpuPercent, gpuOthersPercent], index) =>
    loadSample({
      ...{ atNs: 1e9 + index * 0.5e9, gpuPercent, gpuOthersPercent },
      notMeasured: gpuOthersPercent === null ? { gpuOthersPercent: nvidia } : {},
    }),
  );
  const { gpu } = endLoadOf(LoadSums.of(samples));
  expect(gpu.othersPercent).toBe(others);
  if (others === null) expect(gpu.noOthers).toBe(nvidia);
});
