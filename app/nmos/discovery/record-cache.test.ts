import { describe, expect, it } from 'vitest';
import type { ServiceRecord } from './codec';
import { RecordCache } from './record-cache';

const pointer: ServiceRecord = {
  ...{ name: '_nmos-node._tcp.local', ttlSeconds: 100, isFlush: false },
  ...{ type: 'PTR', target: 'a._nmos-node._tcp.local' },
};
const place = (port: number): ServiceRecord => ({
  ...{
    name: 'a._nmos-node._tcp.local',
    ttlSeconds: 120,
    isFlush: true,
    type: 'SRV',
    target: 'h.local',
    port,
  },
});

describe('records that were heard, RFC 6762 section 10', () => {
  it('are kept for their time, which each hearing renews', () => {
    const cache = new RecordCache();
    cache.add(pointer, 0);
    expect(cache.records(99_999)).toHaveLength(1);
    cache.add(pointer, 99_999);
    expect(cache.records(199_998)).toHaveLength(1);
    expect(cache.records(199_999)).toEqual([]);
  });

  it('are gone a second after their goodbye', () => {
    const cache = new RecordCache();
    cache.add(pointer, 0);
    cache.add({ ...pointer, ttlSeconds: 0 }, 5000);
    expect(cache.records(5999)).toHaveLength(1);
    expect(cache.records(6000)).toEqual([]);
  });

  it('are replaced by one that flushes, but not by one of the same second', () => {
    const cache = new RecordCache();
    cache.add(place(1), 0);
    cache.add(place(2), 500);
    expect(cache.records(3000)).toHaveLength(2);
    cache.add(place(3), 5000);
    expect(cache.records(6000)).toEqual([place(3)]);
  });

  it('are in the order in which they were heard', () => {
    const cache = new RecordCache();
    for (const port of [1, 2, 1]) cache.add(place(port), 0);
    expect(cache.records(0)).toEqual([place(2), place(1)]);
  });

  it('are asked for again at 80, 85, 90 and 95 % of their time', () => {
    const cache = new RecordCache();
    cache.add(pointer, 0);
    expect(cache.nextMs()).toBe(80_000);
    expect(cache.takeDue(79_999)).toEqual([]);
    expect([80_000, 85_000, 90_000, 95_000].map((at) => cache.takeDue(at).length)).toEqual([1, 1, 1, 1]);
    expect(cache.takeDue(99_000)).toEqual([]);
    expect(cache.nextMs()).toBe(100_000);
  });

  it('go along with a question for the first half of their time', () => {
    const cache = new RecordCache();
    cache.add(pointer, 0);
    expect(cache.known('_NMOS-node._tcp.local', 20_000)).toEqual([{ ...pointer, ttlSeconds: 80 }]);
    expect(cache.known('_nmos-node._tcp.local', 50_000)).toEqual([]);
  });

  it('that are doubted go unless they are heard again', () => {
    const cache = new RecordCache();
    cache.add(pointer, 0);
    cache.add(place(1), 0);
    cache.doubt(() => true, 1000, 10_000);
    cache.add(pointer, 2000);
    expect(cache.records(11_000)).toEqual([pointer]);
  });

  it('are no more than memory takes', () => {
    const cache = new RecordCache();
    for (let index = 0; index < 30_000; index++) cache.add({ ...pointer, target: `${index}.local` }, 0);
    expect(cache.records(0)).toHaveLength(20_000);
  });
});
