import { expect, test } from 'vitest';
import { Lease, type LeaseEnd } from './lease';

const second = 1e9;

function leaseWithEnds(firstFence = 100): { lease: Lease; ends: LeaseEnd[] } {
  const ends: LeaseEnd[] = [];
  return { lease: new Lease(firstFence, (end) => ends.push(end)), ends };
}

test('the first who asks has it for 5 s, and who asks meanwhile is told who has it and for how long', () => {
  const { lease, ends } = leaseWithEnds();
  expect(lease.acquire('one', 0)).toEqual({ fence: 100 });
  expect(lease.acquire('two', 2 * second)).toEqual({ heldBy: 'one', forNs: 3 * second });
  expect([lease.holder(2 * second), lease.endsNs, lease.isCurrent(100, 2 * second)]).toEqual([
    ...['one', 5 * second, true],
  ]);
  expect(ends).toEqual([]);
});

test('renewed each second it does not end; left alone it ends after 5 s, once', () => {
  const { lease, ends } = leaseWithEnds();
  lease.acquire('one', 0);
  for (let at = 1; at <= 60; at++) expect(lease.renew(100, at * second)).toBe(true);
  lease.expire(65 * second - 1);
  expect(ends).toEqual([]);
  lease.expire(65 * second);
  lease.expire(66 * second);
  expect(ends).toEqual([{ holder: 'one', fence: 100, why: 'expired' }]);
  expect([lease.holder(66 * second), lease.endsNs]).toEqual([null, Number.POSITIVE_INFINITY]);
});

test.each(['renew', 'release', 'isCurrent'] as const)(
  '%s with the number of a lease that has ended is refused, whoever has it now',
  (method) => {
    const { lease, ends } = leaseWithEnds();
    lease.acquire('one', 0);
    // Its holder comes too late, before anything else has noticed.
    expect(lease[method](100, 5 * second)).toBe(false);
    expect(ends).toEqual([{ holder: 'one', fence: 100, why: 'expired' }]);
    expect(lease.acquire('two', 6 * second)).toEqual({ fence: 101 });
    expect(lease[method](100, 6 * second)).toBe(false);
    expect(lease.isCurrent(101, 6 * second)).toBe(true);
    expect(lease.acquire('one', 12 * second)).toEqual({ fence: 102 });
    expect(lease[method](100, 12 * second)).toBe(false);
    expect(lease[method](101, 12 * second)).toBe(false);
  },
);

test('released it is free at once', () => {
  const { lease, ends } = leaseWithEnds();
  lease.acquire('one', 0);
  expect(lease.release(100, second)).toBe(true);
  expect(lease.release(100, second)).toBe(false);
  expect(lease.acquire('two', second)).toEqual({ fence: 101 });
  expect(ends).toEqual([{ holder: 'one', fence: 100, why: 'released' }]);
});

test('the same console that asks again replaces its own lease', () => {
  const { lease, ends } = leaseWithEnds();
  lease.acquire('one', 0);
  expect(lease.acquire('one', second)).toEqual({ fence: 101 });
  expect(ends).toEqual([{ holder: 'one', fence: 100, why: 'replaced' }]);
  expect([lease.isCurrent(100, second), lease.isCurrent(101, second), lease.endsNs]).toEqual([
    ...[false, true, 6 * second],
  ]);
});

test('what is done when a lease ends finds it free', () => {
  const taken: unknown[] = [];
  const lease: Lease = new Lease(1, () => taken.push(lease.holder(9 * second)));
  lease.acquire('one', 0);
  lease.expire(5 * second);
  expect(taken).toEqual([null]);
});
