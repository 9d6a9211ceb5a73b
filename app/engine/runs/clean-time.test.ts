import { expect, test } from 'vitest';
import type { StreamView } from '../../protocol/console';
import { CleanTime } from './clean-time';

interface Given {
  id?: number;
  state?: StreamView['state'];
  lost?: number | null;
  lostNow?: number | null;
  missed?: number | null;
  inOutages?: number | null;
}

const view = ({
  id = 1,
  state = 'receiving',
  lost = 0,
  lostNow = 0,
  missed = 0,
  inOutages = null,
}: Given = {}) => ({
  ...{ id, state, lostTotal: lost, lostNow, framesSenderMissed: missed, framesInOutages: inOutages },
});

/** Looks one second apart. Each counts up to one second before it. */
function looked(...looks: Given[][]): CleanTime {
  const clean = new CleanTime();
  for (const [index, given] of looks.entries()) clean.look((index + 1) * 1e9, given.map(view));
  return clean;
}

const lengths = (...looks: Given[][]) => looked(...looks).lengths;

test('there is no figure before anything was counted', () => {
  expect(lengths()).toBeNull();
  expect(lengths([], [])).toBeNull();
  expect(lengths([{ lost: null }], [{ lostNow: null }], [{ state: 'connecting' }])).toBeNull();
});

test('it grows while nothing is lost, and a lost frame of any stream begins it anew', () => {
  const two = (lost: number): Given[] => [{ id: 1 }, { id: 2, lost }];
  expect(lengths(two(0), two(0), two(0))).toEqual({ nowMs: 2000, longestMs: 2000 });
  expect(lengths(two(0), two(0), two(0), two(1))).toEqual({ nowMs: 0, longestMs: 2000 });
  expect(lengths(two(0), two(0), two(0), two(1), two(1), two(1))).toEqual({ nowMs: 1000, longestMs: 2000 });
  expect(lengths(two(3), two(3), two(5), two(5), two(5), two(5))).toEqual({ nowMs: 2000, longestMs: 2000 });
});

test.each([
  ['out of reach', { state: 'sender-gone' as const }],
  ['stalled', { state: 'stalled' as const }],
  ['not measured in that second', { lostNow: null }],
  ['not counted', { lost: null }],
  ['a frame short that was not sent', { missed: 1 }],
  ['one frame short by an estimate', { inOutages: 1 }],
])('time in which a stream is %s is not clean', (_, given) => {
  expect(lengths([{}], [{}], [given])).toEqual({ nowMs: 0, longestMs: 1000 });
});

test('a stream that is added belongs to it from when it is counted, and one that is removed no more', () => {
  const added: Given[] = [{}, { id: 2, state: 'connecting', lost: null }];
  expect(lengths([{}], [{}], added, added)).toEqual({ nowMs: 3000, longestMs: 3000 });
  expect(lengths([{}], [{}], added, [{}, { id: 2 }])).toEqual({ nowMs: 3000, longestMs: 3000 });
  expect(lengths([{}], [{}], added, [{}, { id: 2, lost: 7 }])).toEqual({ nowMs: 0, longestMs: 2000 });
  expect(lengths([{}], [{}, { id: 2 }], added)).toEqual({ nowMs: 0, longestMs: 1000 });
  expect(lengths([{}, { id: 2 }], [{}, { id: 2 }], [{}], [{}])).toEqual({ nowMs: 3000, longestMs: 3000 });
});

test('the same look counts once', () => {
  const clean = looked([{}], [{}]);
  clean.look(2e9, [view({ lost: 5 })]);
  expect(clean.lengths).toEqual({ nowMs: 1000, longestMs: 1000 });
});
