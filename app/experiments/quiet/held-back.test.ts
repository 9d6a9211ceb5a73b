import { expect, test } from 'vitest';
import type { ProcessStandstill } from '../../engine/load/standstills';
import type { Standstill } from '../../protocol/standstill';
import { heldBackBy, notHeldBack } from './held-back';

const firstSlotNs = 8.64e15;

/** 10 s at 60 Hz: the thread was due after 3 s and woke 219 ms later, and after 5 s and woke 20 ms later. */
function heldBy(...pieces: ProcessStandstill[]) {
  const lateMs = new Map([
    [180, 219],
    [300, 20],
  ]);
  const woken = Array.from({ length: 600 }, (_, slot) => slot).filter(
    (slot) => !(slot > 180 && slot <= 193) && slot !== 301,
  );
  const records = {
    slot: Uint32Array.from(woken),
    latenessNs: Float64Array.from(woken, (slot) => 1e6 * (lateMs.get(slot) ?? 0.05)),
    ...{ firstSlotNs, overflowed: 0 },
  };
  return heldBackBy(pieces, records, 60, 600);
}

/** Between two moments, in seconds after the first slot. */
function piece(
  role: string,
  from: number,
  to: number,
  kind: Standstill['kind'] = 'stopped',
): ProcessStandstill {
  return { who: { role }, kind, fromNs: firstSlotNs + from * 1e9, toNs: firstSlotNs + to * 1e9 };
}

test('of a stop beside a late wake-up, the rest is without it and without the slots that passed', () => {
  const { stopped, rest, starved } = heldBy(piece('content', 3.02, 3.22));
  expect(stopped).toEqual({ role: 'content', seconds: expect.closeTo(0.2, 6) });
  expect(rest).toMatchObject({ wakeUps: 585, overslept: 1, late: 1, longestMs: expect.closeTo(20, 0) });
  expect(starved).toEqual([]);
});

test.each([
  ['beside wake-ups in time', piece('content', 4, 4.2)],
  ['that ended before the slot', piece('content', 2.8, 2.99)],
  ['that began behind the wake-up', piece('content', 3.23, 3.4)],
  ['of a process without the thread', piece('engine', 3.02, 3.22)],
  ['of a program of others', { ...piece('', 3.02, 3.22), who: { tool: 'ping' } }],
])('a stop %s holds nothing back', (_, stop) => {
  expect(heldBy(stop)).toEqual(notHeldBack);
});

test('a process that waited for a processor then leaves nothing out, whichever it is', () => {
  const found = heldBy(piece('engine', 5, 5.06, 'starved'), piece('content', 8, 8.1, 'starved'));
  expect(found).toEqual({
    ...notHeldBack,
    starved: [{ role: 'engine', seconds: expect.closeTo(0.06, 6) }],
  });
});
