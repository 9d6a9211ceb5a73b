import { describe, expect, test } from 'vitest';
import { type GatedRow, type GateLimits, Gates } from './gates';

const none: GateLimits = { maxDuplicates: null, maxReordered: null, failOnWarn: false };
const passed = { verdict: 'PASS', reason: 'nothing lost' } as const;

function row(
  framesDuplicated: number | null,
  framesReordered: number | null = 0,
  picturesMixed: number | null = null,
): GatedRow {
  return { figures: { framesDuplicated, framesReordered, picturesMixed }, step: { streams: 1 } };
}

function judged(limits: Partial<GateLimits>, ...rows: GatedRow[]) {
  const gates = new Gates({ ...none, ...limits });
  for (const one of rows) gates.add(one);
  return gates.judged(passed);
}

describe('counts of all rows', () => {
  test('pass up to what is allowed', () => {
    expect(judged({ maxDuplicates: 5 }, row(2), row(3))).toEqual(passed);
    expect(judged({}, row(200, 200))).toEqual(passed);
  });

  test('fail above it, with the count and what is allowed', () => {
    expect(judged({ maxDuplicates: 4 }, row(2), row(3))).toEqual({
      verdict: 'FAIL',
      reason: '5 pictures came again, where 4 may; nothing lost',
    });
    expect(judged({ maxReordered: 0 }, row(0, 1)).reason).toMatch(
      /^1 picture came in another order, where 0 may/,
    );
  });

  test('that were not measured are INVALID, and FAIL where what was counted is too many', () => {
    const unknown = {
      verdict: 'INVALID',
      reason: 'not measured how many pictures came again, where 4 may; nothing lost',
    };
    expect(judged({ maxDuplicates: 4 }, row(0), row(null))).toEqual(unknown);
    expect(judged({ maxDuplicates: 4 }, row(0), row(0, 0, 1))).toEqual(unknown);
    expect(judged({ maxDuplicates: 4 }, row(5, 0, 1)).verdict).toBe('FAIL');
    expect(judged({ maxReordered: 4 }, row(null, 0, 1))).toEqual(passed);
    const gates = new Gates({ ...none, maxDuplicates: 0 });
    gates.add(row(null));
    expect(gates.judged({ verdict: 'FAIL', reason: '9 frames lost' }).verdict).toBe('FAIL');
  });
});

test('WARN fails where it is asked for, and an INVALID stays none', () => {
  const gates = new Gates({ ...none, failOnWarn: true });
  expect(gates.judged({ verdict: 'WARN', reason: '1 frame lost' })).toEqual({
    verdict: 'FAIL',
    reason: '1 frame lost; WARN is FAIL by --fail-on-warn',
  });
  expect(gates.judged({ verdict: 'INVALID', reason: 'a process stood still' }).verdict).toBe('INVALID');
  expect(gates.judged({ verdict: null, reason: 'stopped' })).toEqual({ verdict: null, reason: 'stopped' });
});
