import { expect, test } from 'vitest';
import type { Progress } from '../../protocol/console';
import { LatestProgress } from './latest-progress';

const measuring: Progress = {
  ...{ phase: 'measuring', step: 1, steps: 2, phaseSeconds: 10, phaseElapsedSeconds: 0 },
  ...{ remainingSeconds: 20, laterSeconds: 10, note: 'repeated' },
};

test('the times of what was reported are as of now', () => {
  let nowNs = 0;
  const latest = new LatestProgress({ monotonicNs: () => nowNs });
  expect(latest.now).toBeNull();
  latest.report(measuring);
  nowNs = 4e9;
  expect(latest.now).toMatchObject({ phaseElapsedSeconds: 4, remainingSeconds: 16 });
});

test('of a run that was stopped no step goes on and no time is left, until it is over', () => {
  const latest = new LatestProgress({ monotonicNs: () => 0 });
  latest.report(measuring);
  latest.end();
  latest.report({ ...measuring, phase: 'draining' });
  expect(latest.now).toEqual({
    ...{ phase: 'ending the run', step: 1, steps: 2 },
    ...{ phaseSeconds: 0, phaseElapsedSeconds: 0, remainingSeconds: 0 },
  });
  latest.forget();
  latest.report(measuring);
  expect(latest.now).toMatchObject({ phase: 'measuring', remainingSeconds: 20 });
});
