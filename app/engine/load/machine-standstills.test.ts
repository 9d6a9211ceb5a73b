import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokenGuards } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Standstill } from '../../protocol/standstill';
import { defaultThresholds } from '../../protocol/thresholds';
import { SimulatedClock } from '../../testing/simulated-clock';
import { MachineStandstills } from './machine-standstills';
import { standstillGuards } from './standstills';
import type { ThreadLook } from './tool-watch';

let clock: SimulatedClock;
let own: Standstill[];
let failure: string | null;
let problems: string[];
let tool: ThreadLook | null;
let standstills: MachineStandstills;

beforeEach(() => {
  clock = new SimulatedClock();
  own = [];
  failure = null;
  problems = [];
  tool = null;
  standstills = new MachineStandstills({
    clock,
    own: {
      take: () => {
        if (failure !== null) throw new Error(failure);
        return own.splice(0);
      },
      close: () => undefined,
    },
    toolProcessIds: () => (tool ? [7] : []),
    lookAtTools: () => new Map(tool ? [[7, { name: 'fio', threads: new Map([['7', tool]]) }]] : []),
    onProblem: (text) => problems.push(text),
  });
});
afterEach(() => standstills.close());

const foundSince = (fromNs: number) =>
  brokenGuards(standstillGuards(standstills.near(fromNs, clock.monotonicNs()), defaultThresholds));

test('a program that is stopped is seen four times a second, for as long as it is', async () => {
  const fromNs = clock.monotonicNs();
  const secondsStopped = async (seconds: number) => {
    tool = { state: 'other', cpuNs: 1 };
    await clock.pass(1000);
    tool = { state: 'stopped', cpuNs: 1 };
    await clock.pass(seconds * 1000);
    tool = null;
    await clock.pass(1000);
  };
  await secondsStopped(0.7);
  expect(foundSince(fromNs)).toEqual([]);
  const nextNs = clock.monotonicNs();
  await secondsStopped(1.2);
  expect(foundSince(nextNs)).toMatchObject([
    { code: 'process-stopped', data: { tool: 'fio', limitSeconds: 1 } },
  ]);
});

test('what the engine’s own thread found counts, also just now', () => {
  const nowNs = clock.monotonicNs();
  own.push({ kind: 'stopped', fromNs: nowNs - 0.5e9, toNs: nowNs });
  expect(foundSince(nowNs - 1e9)).toMatchObject([{ code: 'process-stopped', data: { role: 'engine' } }]);
});

test('where the thread has failed it is not known whether the engine stood still, which is reported once', async () => {
  const nowNs = clock.monotonicNs();
  failure = 'no thread is left';
  await clock.pass(2000);
  expect(foundSince(nowNs)).toEqual([
    reasonOf('not-checked', { what: 'whether our engine process stood still', why: 'no thread is left' }),
  ]);
  expect(problems).toEqual(['no thread is left']);
});
