import { expect, test } from 'vitest';
import { addon, codeOf } from './addon_fixture';

/** Node's own reading of the clock that the addon reads. */
function aheadMs(): number {
  const beforeNs = process.hrtime.bigint();
  const nowNs = addon.monotonicNs();
  return (nowNs - Number(beforeNs)) / 1e6;
}

test('the clock can be made that of another machine', () => {
  expect(Math.abs(aheadMs())).toBeLessThan(5);
  addon.skewClock({ offsetMs: 37, partsPerMillion: 20 });
  expect(Math.abs(aheadMs() - 37)).toBeLessThan(5);
  addon.skewClock({ offsetMs: -1000.5, partsPerMillion: 0 });
  expect(Math.abs(aheadMs() + 1000.5)).toBeLessThan(5);
  addon.skewClock({ offsetMs: 0, partsPerMillion: 0 });
  expect(Math.abs(aheadMs())).toBeLessThan(5);
});

test.each([
  [undefined, /an object for skew but received undefined/],
  [{ offsetMs: '37', partsPerMillion: 0 }, /for skew.offsetMs but received 37/],
  [{ offsetMs: Number.POSITIVE_INFINITY, partsPerMillion: 0 }, /for skew.offsetMs but received Infinity/],
  [{ offsetMs: 0 }, /from -10000 to 10000 for skew.partsPerMillion but received undefined/],
  [{ offsetMs: 0, partsPerMillion: -1e6 }, /for skew.partsPerMillion but received -1000000/],
])('a skew of %j is refused', (skew, expected) => {
  const thrown = codeOf(() => addon.skewClock(skew as { offsetMs: number; partsPerMillion: number }));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(expected);
});
