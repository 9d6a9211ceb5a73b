import { expect, test } from 'vitest';
import type { Comparison } from './compare';
import { outcomeOf } from './selftest';

const fine: Comparison = {
  verbs: [
    { verb: 'skip', faults: 1, expected: 3, machine: 0, counted: 3, figure: 'framesDropped', equal: true },
  ],
  checks: [{ name: 'pictures', expected: 597, counted: 597, equal: true }],
  machineMissed: [],
  machineDropped: [],
};
const quiet = { frames: 600, overflowed: 0, died: [] };
const killed = { role: 'sending', number: 2, exitCode: 137, signal: 'SIGKILL', isLost: false } as const;

test('equal counts on a quiet machine are certified', () => {
  expect(outcomeOf(fine, quiet).result).toBe('EQUAL');
});

test('what the machine loses itself does not spoil the test, unless it is more than a tenth', () => {
  const lost = (frames: number): Comparison => ({
    ...fine,
    machineMissed: Array.from({ length: frames - 1 }, (_, at) => at),
    machineDropped: [599],
  });
  expect(outcomeOf(lost(60), quiet).result).toBe('EQUAL');
  const { result, reason } = outcomeOf(lost(61), quiet);
  expect(result).toBe('INVALID');
  expect(reason).toBe(
    'this machine itself lost 61 of 600 frames, more than 10 %: close other programs and try again',
  );
});

test('what differs is named', () => {
  const [verb] = fine.verbs;
  const [check] = fine.checks;
  const differing: Comparison = {
    ...fine,
    verbs: verb ? [{ ...verb, counted: 2, equal: false }] : [],
    checks: check ? [{ ...check, counted: 1, equal: false }] : [],
  };
  expect(outcomeOf(differing, quiet)).toEqual({
    result: 'NOT EQUAL',
    reason: 'these differ: skip, pictures',
  });
});

test.each([
  [{ overflowed: 3 }, '3 records were lost'],
  [{ died: [killed] }, 'our sending process 2 was killed (SIGKILL)'],
])('an instrument that did not keep up says nothing: %j', (circumstances, reason) => {
  expect(outcomeOf(fine, { ...quiet, ...circumstances })).toEqual({ result: 'INVALID', reason });
});
