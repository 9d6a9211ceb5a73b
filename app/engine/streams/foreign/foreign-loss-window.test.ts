import { expect, test } from 'vitest';
import { PictureClass, PictureStatus } from '../../../protocol/records';
import { captures, range } from '../../../testing/columns';
import { ForeignLedger } from './foreign-ledger';

const pace = (rate: number) => ({
  rate: { numerator: rate, denominator: 1 },
  frameFormat: 'progressive' as const,
});

/** Frames at moments; `lostAt`: those that are next to these moments do not come. */
function worst(
  declared: number,
  moments: number[],
  lostAt: number[],
  fromSeconds: number,
  toSeconds: number,
  heldTo = (at: number): number => at,
) {
  const ledger = new ForeignLedger(pace(declared));
  const nearest = lostAt.map((at) =>
    moments.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best)),
  );
  let open = null;
  for (const at of moments) {
    if (!open && at >= fromSeconds) open = ledger.openRange(fromSeconds * 1e9);
    if (nearest.includes(at)) continue;
    const one = { frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: PictureClass.Other };
    ledger.add(
      captures([{ ...one, captureNs: heldTo(at) * 1e9 + 1e6, timestampUs: 1.7e15 + at * 1e6 }]),
      pace(declared),
    );
  }
  if (!open) throw new Error('no range');
  const { missing, worstWindowLost, worstSecondLost, missingReason } = ledger.close(open, toSeconds * 1e9);
  return { missing, worstWindowLost, worstSecondLost, missingReason };
}

const steady = (rate: number, from: number, to: number): number[] =>
  range(Math.ceil(from * rate), Math.floor(to * rate) - 1).map((frame) => 1 + frame / rate);

test('two frames 3 s apart are not lost in one window of 2 s, whatever rate is declared (counted from the first picture)', () => {
  expect(worst(60, steady(30, 0, 20), [8, 11], 1, 20)).toMatchObject({ missing: 2, worstWindowLost: 1 });
});

test('two frames 1.5 s apart are lost in one window of 2 s, whatever rate is declared', () => {
  expect(worst(30, steady(60, 0, 20), [8, 9.5], 1, 20)).toMatchObject({ missing: 2, worstWindowLost: 2 });
});

test('the same after the rate has changed within the row', () => {
  // From 60 to 50 frames a second, and from 25 to 60.
  const slower = [...steady(60, 0, 6), ...steady(24, 6, 30)];
  expect(worst(60, slower, [14, 17], 3, 30)).toMatchObject({ missing: 2, worstWindowLost: 1 });
  const quicker = [...steady(24, 0, 6), ...steady(60, 6, 30)];
  expect(worst(24, quicker, [14, 15.5], 3, 30)).toMatchObject({ missing: 2, worstWindowLost: 2 });
});

test('two frames with a pause of 5 s between them are not lost in one window', () => {
  const paused = steady(60, 0, 30).filter((at) => at < 10 || at > 15);
  expect(worst(60, paused, [9, 16], 3, 30)).toMatchObject({ worstWindowLost: 1 });
});

test('frames that are held up for less than a stall move no loss into a window, or out of one', () => {
  // Those from 8 to 8.4 s come together at 8.4 s, 0.02 ms apart.
  const heldTo = (at: number): number => (at >= 8 && at < 8.4 ? 8.4 + (at - 8) / 1000 : at);
  expect(worst(60, steady(60, 0, 20), [8.1, 10.3], 3, 20, heldTo)).toMatchObject({ worstWindowLost: 1 });
  expect(worst(60, steady(60, 0, 20), [6.3, 8.1], 3, 20, heldTo)).toMatchObject({ worstWindowLost: 2 });
});
