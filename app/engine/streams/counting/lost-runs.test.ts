import { expect, test } from 'vitest';
import { MissCause } from '../../../protocol/records';
import { range } from '../../../testing/columns';
import { TestStream } from '../../../testing/test-stream';
import { ConnectionHistory } from '../connection-history';
import { LostRuns } from './lost-runs';
import { SlidingLoss } from './sliding-loss';

function runsOf(...slots: number[]): LostRuns {
  const runs = new LostRuns();
  for (const slot of slots) runs.add(slot, 'dropped');
  return runs;
}

test('gaps are counted by their length, the one that is still open too', () => {
  const runs = runsOf(
    1,
    ...range(3, 4),
    ...range(10, 14),
    ...range(20, 29),
    ...range(40, 69),
    ...range(80, 110),
  );
  const all = { of1: 1, of2: 1, of3to5: 1, of6to10: 1, of11to30: 1, over30: 1 };
  expect(runs.gapHistogram).toEqual(all);
  expect(runs.gapHistogram).toEqual(all);
  runs.add(112, 'dropped');
  expect(runs.gapHistogram).toEqual({ ...all, of1: 2 });
  expect(new LostRuns().gapHistogram.of1).toBe(0);
});

test('a gap is one gap, whatever lost its frames', () => {
  const runs = new LostRuns();
  runs.add(5, 'dropped');
  runs.add(6, 'sender', MissCause.SendBlocked);
  runs.add(7, 'undecodable');
  expect(runs.gapHistogram.of3to5).toBe(1);
  expect(runs.listed.map(({ stage, frames }) => [stage, frames])).toEqual([
    ['dropped', 1],
    ['sender', 1],
    ['undecodable', 1],
  ]);
});

test('misses of different causes are different losses', () => {
  const runs = new LostRuns();
  runs.add(5, 'sender', MissCause.SendBlocked);
  runs.add(6, 'sender', MissCause.Injected);
  expect(runs.listed.map(({ cause }) => cause)).toEqual([MissCause.SendBlocked, MissCause.Injected]);
});

test('copies share a list that grows no more', () => {
  const runs = runsOf(...range(1, 200).map((loss) => 10 * loss));
  const copy = runs.copy();
  copy.add(2001, 'dropped');
  expect([runs.listed[199]?.frames, copy.listed[199]?.frames]).toEqual([1, 2]);
  expect(runs.copy().listed).not.toBe(runs.listed);
  runs.add(3000, 'dropped');
  expect(runs.copy().listed).toBe(runs.listed);
});

test('a copy goes its own way, also with the newest loss', () => {
  const runs = runsOf(1, 2);
  const copy = runs.copy();
  copy.add(3, 'dropped');
  copy.add(20, 'dropped');
  expect([runs.newest?.last, runs.listed.length, runs.gapHistogram.of2]).toEqual([2, 1, 1]);
  expect(copy.listed.map(({ first, last }) => [first, last])).toEqual([
    [1, 3],
    [20, 20],
  ]);
  runs.add(3, 'dropped');
  expect([runs.listed[0]?.frames, copy.listed[0]?.frames]).toEqual([3, 3]);
});

test('the newest loss is known beyond the first 200', () => {
  const runs = runsOf(...range(0, 249).map((index) => index * 10));
  expect([runs.listed.length, runs.newest?.first]).toEqual([200, 2490]);
});

test('the worst second slides, and is reported of a row beside the worst two seconds', () => {
  const stream = new TestStream();
  const counter = stream.open(0, 599);
  stream.send(0, 599);
  stream.receive(0, 599, [10, 60, 69, 70, 129, 130, 300]);
  const { tally } = stream.ledger.close(counter, 599);
  expect([tally.worstSecondLost, tally.worstWindowLost]).toEqual([3, 5]);
  const window = new SlidingLoss(59.94);
  for (const slot of [0, 59, 60]) window.add(slot);
  expect(window.worst).toBe(2);
});

test('a connection is gone from its loss to its return, or to the end of the time that is asked for', () => {
  const history = new ConnectionHistory();
  for (const [atNs, connected] of [
    [0, false],
    [1e9, true],
    [5e9, true],
    [6e9, false],
    [8e9, true],
  ] as const)
    history.add(atNs, connected);
  expect(history.goneNs(0, 10e9)).toBe(2e9);
  expect(history.goneNs(7e9, 7.5e9)).toBe(1.5e9);
  expect(history.goneNs(0, 5e9)).toBe(0);
  // If no break falls within the time, a break close to it counts.
  expect(history.goneNearNs(7e9, 7.5e9, 5e9)).toBe(2e9);
  expect(history.goneNearNs(5e9, 5.5e9, 2e9)).toBe(1.5e9);
  history.add(9e9, false);
  expect(history.goneNs(9.5e9, 10e9)).toBe(1e9);
  expect([history.brokeAtNs(7e9, 7.5e9), history.brokeAtNs(8e9, 9e9)]).toEqual([6e9, null]);
  expect([history.brokeAtNs(0, 5e9), history.brokeAtNs(9.5e9, 10e9)]).toEqual([null, 9e9]);
});

test('hours of loss take no memory behind the oldest open row', () => {
  const stream = new TestStream();
  const gaps = (): number => (stream.ledger as unknown as { gaps: { length: number } }).gaps.length;
  const live = stream.open(0);
  let row = stream.open(60);
  const length = 3600;
  for (let first = 0; first < 20 * length; first += length) {
    const end = first + length - 1;
    const lost = range(first, end).filter((slot) => slot % 10 === 9);
    stream.send(first, end);
    stream.receive(first, first + 118, lost);
    stream.transportDropped += 1;
    stream.receive(first + 119, end, lost);
    expect(gaps()).toBeLessThan(100);
    const counts = stream.ledger.close(row, end);
    expect(counts).toMatchObject({ conserved: true, droppedReceiverQueue: 1 });
    row = stream.open(end + 1);
  }
  expect(stream.ledger.preview(live, 20 * length - 1)).toMatchObject({ droppedReceiverQueue: 20 });
});
