import { expect, test } from 'vitest';
import type { Standstill } from '../protocol/standstill';
import { SharedStandstills } from './shared-standstills';

/** Begins so many seconds after the start of the machine. */
function piece(second: number, kind: Standstill['kind'] = 'stopped', ms = 60): Standstill {
  // A machine that has been up for 100 days.
  const fromNs = 8.64e15 + 1e9 * second;
  return { kind, fromNs, toNs: fromNs + 1e6 * ms };
}

function ofTwo(): SharedStandstills {
  return new SharedStandstills(new SharedArrayBuffer(SharedStandstills.bytesFor(2)));
}

test('pieces are taken once, exactly and in their order, also behind the end of the memory', () => {
  const shared = ofTwo();
  expect(shared.take(0)).toEqual([]);
  for (let second = 0; second < 7; second++) {
    const pieces = [piece(second, 'stopped'), piece(second + 0.5, 'starved')].slice(second % 2);
    for (const one of pieces) shared.write(one);
    expect(shared.take(0)).toEqual(pieces);
    expect(shared.take(0)).toEqual([]);
  }
});

test('what finds no room is summed up by kind, and later pieces find room again', () => {
  const shared = ofTwo();
  for (const [second, kind] of (['stopped', 'stopped', 'starved', 'stopped', 'starved'] as const).entries())
    shared.write(piece(second, kind, 60 + second));
  const nowNs = piece(9).fromNs;
  expect(shared.take(nowNs)).toEqual([
    ...[piece(0, 'stopped', 60), piece(1, 'stopped', 61)],
    { kind: 'stopped', fromNs: nowNs - 63e6, toNs: nowNs },
    { kind: 'starved', fromNs: nowNs - 126e6, toNs: nowNs },
  ]);
  shared.write(piece(10));
  expect(shared.take(nowNs)).toEqual([piece(10)]);
});
