import { expect, test } from 'vitest';
import { PresentationLedger } from './presentation-ledger';

function ledgerOf(count: number): PresentationLedger<number> {
  const ledger = new PresentationLedger<number>();
  for (let frame = 0; frame < count; frame += 1) ledger.noteWritten(1_000_003 + frame * 16_667, frame);
  return ledger;
}
const mediaTime = (frame: number): number => (1_000_003 + frame * 16_667) / 1e6;

test('each callback names its frame', () => {
  const ledger = ledgerOf(3);
  expect(ledger.presented({ mediaTime: mediaTime(0), presentedFrames: 1 })).toEqual([0]);
  expect(ledger.presented({ mediaTime: mediaTime(1), presentedFrames: 2 })).toEqual([1]);
});

test('a frame that the browser passed over is not presented', () => {
  const ledger = ledgerOf(4);
  expect(ledger.presented({ mediaTime: mediaTime(0), presentedFrames: 1 })).toEqual([0]);
  expect(ledger.presented({ mediaTime: mediaTime(3), presentedFrames: 2 })).toEqual([3]);
});

test('frames whose callbacks were skipped are known by their number', () => {
  const ledger = ledgerOf(5);
  expect(ledger.presented({ mediaTime: mediaTime(0), presentedFrames: 1 })).toEqual([0]);
  expect(ledger.presented({ mediaTime: mediaTime(4), presentedFrames: 4 })).toEqual([2, 3, 4]);
});

test('a frame that was not written, or was reported before, is none', () => {
  const ledger = ledgerOf(2);
  expect(ledger.presented({ mediaTime: 0, presentedFrames: 1 })).toEqual([]);
  expect(ledger.presented({ mediaTime: mediaTime(1), presentedFrames: 2 })).toEqual([1]);
  expect(ledger.presented({ mediaTime: mediaTime(1), presentedFrames: 2 })).toEqual([]);
});
