import { expect, test } from 'vitest';
import type { Progress } from '../protocol/console';
import type { Plan } from '../protocol/plan';
import type { Session, SessionRun } from '../protocol/session';
import { planProgressOf } from './plan-progress';

const storageOf = (repeats: number) => ({
  experiment: 'storage',
  parameters: { repeats, holdSeconds: 10, tests: ['SEQ1M-Q1T1'], operations: ['read'] },
  repeat: 1,
});

function sessionOf(experiments: Plan['experiments'], states: SessionRun['state'][]): Session {
  const running = states.some((state) => state === 'waiting' || state === 'running');
  return {
    ...{ schema: 'whiteline-session/1', id: '1', name: 'Plan', startedAt: '', endedAt: null },
    state: running ? 'running' : 'finished',
    plan: { name: 'Plan', experiments },
    runs: states.map((state, index) => ({
      ...{ folder: String(index), experiment: 'storage', name: 'storage', verdict: null, reason: '', state },
    })),
    ...{ verdict: null, reason: '' },
  };
}

const progress: Progress = {
  ...{ phase: 'measuring', step: 1, steps: 2, phaseSeconds: 10, phaseElapsedSeconds: 5 },
  remainingSeconds: 15,
};

test('a plan is as far as the time that its runs take, and lasts as long as what is left of them', () => {
  const session = sessionOf(
    [storageOf(2), { ...storageOf(2), repeat: 2 }, storageOf(4)],
    ['finished', 'running', 'waiting', 'waiting'],
  );
  expect(planProgressOf(session, progress)).toEqual({
    ...{ run: 2, runs: 4, remainingSeconds: 75, isAtLeast: false },
    done: 0.25,
  });
});

test('a run of which the time is not known makes the time of the plan a lower bound', () => {
  const quality = { experiment: 'codec-quality', parameters: {}, repeat: 1 };
  const session = sessionOf([storageOf(2), quality], ['running', 'waiting']);
  expect(planProgressOf(session, progress)).toMatchObject({ remainingSeconds: 15, isAtLeast: true });
});

test('a plan that is over has nothing left', () => {
  const session = sessionOf([storageOf(2), storageOf(2)], ['finished', 'failed']);
  expect(planProgressOf(session, null)).toMatchObject({ run: 2, runs: 2, done: 1, remainingSeconds: 0 });
});
