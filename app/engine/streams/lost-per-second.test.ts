import { expect, test } from 'vitest';
import { lostPerSecond } from './lost-per-second';

const running = { lostNow: 2, lossesNotMeasured: '', framesInOutages: null, deliveredFps: 60 };

test('is the sum over the streams, and unknown without one', () => {
  expect(lostPerSecond([])).toEqual({ reason: 'no stream is followed' });
  expect(lostPerSecond([running, { ...running, lostNow: 3 }])).toEqual({ frames: 5 });
});

test('is unknown while an outage lasts, and counted again after it', () => {
  const away = { ...running, lostNow: 0, framesInOutages: 30 };
  for (const deliveredFps of [0, null])
    expect(lostPerSecond([running, { ...away, deliveredFps }])).toEqual({
      reason: 'a stream has an outage, whose lost frames are only estimated',
    });
  expect(lostPerSecond([running, { ...away, deliveredFps: 59.9 }])).toEqual({ frames: 2 });
});

test('counts what a stalled stream lost where its sender’s records report', () => {
  expect(lostPerSecond([{ ...running, lostNow: 60, deliveredFps: 0 }])).toEqual({ frames: 60 });
});

test('is not 0 where it was not measured: of no stream yet, or of one that does not show its losses', () => {
  const waiting = { ...running, lostNow: null, deliveredFps: null };
  expect(lostPerSecond([waiting])).toEqual({ reason: 'no stream was counted for a second yet' });
  expect(lostPerSecond([running, waiting])).toEqual({ frames: 2 });
  const why = 'the sender’s frames come at no steady rate';
  expect(lostPerSecond([running, { ...running, lostNow: null, lossesNotMeasured: why }])).toEqual({
    reason: `losses of a stream are not measured: ${why}`,
  });
});
