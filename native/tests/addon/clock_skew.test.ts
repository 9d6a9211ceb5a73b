import { expect, test } from 'vitest';
import { addon, codeOf } from './addon_fixture';

/** For what a clock that runs fast gains meanwhile. */
const toleranceMs = 1;

/** The addon's clock lies between two of Node's own readings of the clock that it reads, however long they are apart. */
function expectAhead(offsetMs: number): void {
  const beforeNs = process.hrtime.bigint();
  const nowNs = addon.monotonicNs();
  const afterNs = process.hrtime.bigint();
  expect(nowNs / 1e6 - offsetMs).toBeGreaterThan(Number(beforeNs) / 1e6 - toleranceMs);
  expect(nowNs / 1e6 - offsetMs).toBeLessThan(Number(afterNs) / 1e6 + toleranceMs);
}

test('the clock can be made that of another machine', () => {
  expectAhead(0);
  addon.skewClock({ offsetMs: 37, partsPerMillion: 20 });
  expectAhead(37);
  addon.skewClock({ offsetMs: -1000.5, partsPerMillion: 0 });
  expectAhead(-1000.5);
  addon.skewClock({ offsetMs: 0, partsPerMillion: 0 });
  expectAhead(0);
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
