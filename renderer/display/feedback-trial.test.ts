import { expect, test } from 'vitest';
import { FeedbackTrial, mostCostShare, silenceMs } from './feedback-trial';

function trialOf(costMs: number, pictures: number, callbacks: number): FeedbackTrial {
  const trial = new FeedbackTrial();
  for (let picture = 0; picture < pictures; picture += 1) trial.noteWritten(costMs, 10);
  for (let callback = 0; callback < callbacks; callback += 1) trial.noteCallback();
  return trial;
}

test('callbacks and little cost are feedback', () => {
  expect(trialOf(mostCostShare, 10, 5).lack(0)).toBeNull();
});

test('nothing is decided before enough pictures and callbacks', () => {
  expect(trialOf(1, 9, 9).lack(100)).toBe('probing');
  expect(trialOf(1, 10, 4).lack(100)).toBe('probing');
});

test('a browser that never calls back gives none, and one that stops gives none any more', () => {
  expect(trialOf(1, 10, 0).lack(silenceMs)).toBe('no-callbacks');
  expect(trialOf(1, 100, 99).lack(silenceMs - 1)).toBeNull();
  expect(trialOf(1, 100, 99).lack(silenceMs)).toBe('no-callbacks');
});

test('feedback that costs too much is none', () => {
  expect(trialOf(10 * mostCostShare + 0.1, 10, 9).lack(0)).toBe('too-slow');
});
