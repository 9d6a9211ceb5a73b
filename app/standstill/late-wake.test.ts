import { expect, test } from 'vitest';
import type { Standstill } from '../protocol/standstill';
import { standstillOf } from './late-wake';

/** A thread that is due after 50 ms, and had waited 7 ms for a processor in its life before. */
function woken(lateMs: number, queuedMs: number | null, stolenMs = 0): Standstill | null {
  const queued = { queuedBeforeNs: 7e6, queuedAfterNs: queuedMs === null ? null : 7e6 + 1e6 * queuedMs };
  return standstillOf({ dueNs: 1.05e9, wokeNs: 1.05e9 + 1e6 * lateMs, stolenNs: 1e6 * stolenMs, ...queued });
}

test.each<[string, number, number | null, Standstill['kind'] | null]>([
  ['in time', 0, 0, null],
  ['early', -1, 0, null],
  ['9 ms late', 9, 9, null],
  ['10 ms late without a wait', 10, 0, 'stopped'],
  ['1 s late, a bit less than half of it in the queue', 1000, 499, 'stopped'],
  ['1 s late, half of it in the queue', 1000, 500, 'starved'],
  ['1 s late, all of it in the queue', 1000, 1000, 'starved'],
  ['1 s late where the system does not tell', 1000, null, 'starved'],
])('%s', (_, lateMs, queuedMs, kind) => {
  const piece = kind && { kind, fromNs: 1.05e9, toNs: 1.05e9 + 1e6 * lateMs };
  expect(woken(lateMs, queuedMs)).toEqual(piece);
});

test('where the system told before and not after, or the other way round, it does not tell', () => {
  const late = { dueNs: 0, wokeNs: 1e9, stolenNs: 0 };
  for (const queued of [
    { queuedBeforeNs: 1, queuedAfterNs: null },
    { queuedBeforeNs: null, queuedAfterNs: 1 },
  ])
    expect(standstillOf({ ...late, ...queued })?.kind).toBe('starved');
});

test.each([
  [0, 40, 'stopped'],
  [0, 50, 'starved'],
  [20, 30, 'starved'],
  [0, 180, 'starved'],
])('100 ms late, %d ms in the queue, while the hypervisor took %d ms', (queuedMs, stolenMs, kind) => {
  expect(woken(100, queuedMs, stolenMs)?.kind).toBe(kind);
});
