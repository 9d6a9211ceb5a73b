import { expect, test } from 'vitest';
import { type DisplayReport, DisplayStage, leftOutFate } from '../../../protocol/display';
import { range, testSourceId } from '../../../testing/columns';
import { TestStream } from '../../../testing/test-stream';
import { DisplayLedger } from './display-ledger';

const { captured, delivered, uploaded, presented } = DisplayStage;
const always = { fromNs: 0, toNs: 1e9 };

function report(frames: Record<number, number>, change: Partial<DisplayReport> = {}): DisplayReport {
  const frameNumbers = Object.keys(frames).map((slot) => Number(slot) >>> 0);
  return {
    ...{ streamId: 1, isPresentationKnown: true, ticksMissed: 0, frameNumbers },
    sourceIds: frameNumbers.map(() => testSourceId),
    fates: Object.values(frames),
    ...change,
  };
}

/** A stream whose frames 0 to 239 were all captured but those that got lost. */
function received(lost: number[] = []) {
  const stream = new TestStream();
  stream.send(0, 239);
  stream.receive(0, 239, lost);
  return { stream, display: new DisplayLedger(stream.ledger) };
}

test('a range counts each captured frame by what the window reported of it, and all adds up', () => {
  const { display } = received([64]);
  display.add(
    report({
      59: captured,
      60: presented,
      61: captured,
      62: delivered,
      63: uploaded,
      65: leftOutFate,
      66: presented,
    }),
    1,
  );
  const counts = display.over({ first: 60, last: 65 }, always, false);
  expect(counts).toMatchObject({
    ...{ captured: 5, reported: 5, shown: 1, leftOut: 1, isPresentationKnown: true },
    ...{ missedDelivery: 1, missedUpload: 1, missedPresentation: 1, missed: 3 },
  });
  expect(counts.reported).toBe(counts.shown + counts.missed + counts.leftOut);
});

test('where no one reports what was presented, an uploaded frame was shown', () => {
  const { display } = received();
  display.add(report({ 60: uploaded, 61: delivered }, { isPresentationKnown: false }), 1);
  expect(display.over({ first: 60, last: 61 }, always, false)).toMatchObject({
    ...{ shown: 1, missedUpload: 1, missedPresentation: 0, isPresentationKnown: false },
  });
});

test('frames of which nothing was reported are neither shown nor missed', () => {
  const { display } = received();
  display.add(report({ 60: presented, 61: presented }), 1);
  const slots = { first: 60, last: 69 };
  expect(display.over(slots, always, false)).toMatchObject({
    captured: 10,
    reported: 2,
    shown: 2,
    missed: 0,
  });
  // A row that is still open ends where the window's word ends.
  expect(display.over(slots, always, true)).toMatchObject({ captured: 2, reported: 2 });
});

test('what is no frame of this stream, was never captured, or was reported before, counts nowhere', () => {
  const { display } = received([62]);
  display.add(report({ 60: presented }, { sourceIds: [testSourceId + 1] }), 1);
  display.add(report({ 62: presented, 5000000: presented, 4294967295: presented }), 1);
  expect(display.live(1)).toBeNull();
  display.add(report({ 60: presented }), 1);
  display.add(report({ 60: captured }), 2);
  expect(display.live(2)).toMatchObject({ reported: 1, shown: 1, missed: 0 });
});

test('numbers wrap', () => {
  const stream = new TestStream({ firstSlot: 2 ** 32 - 2 });
  stream.send(2 ** 32 - 2, 2 ** 32 + 2);
  stream.receive(2 ** 32 - 2, 2 ** 32 + 2);
  const display = new DisplayLedger(stream.ledger);
  display.add(report({ 4294967295: captured, 0: presented, 1: presented }), 1);
  const counts = display.over({ first: 2 ** 32 - 1, last: 2 ** 32 + 1 }, always, false);
  expect(counts).toMatchObject({ captured: 3, shown: 2, missedDelivery: 1 });
});

test('compositor ticks count in the row in which they were reported', () => {
  const { display } = received();
  for (const [atNs, ticksMissed] of [
    [10, 1],
    [20, 2],
    [30, 4],
  ] as const)
    display.add(report({}, { ticksMissed }), atNs);
  const over = (fromNs: number, toNs: number) =>
    display.over({ first: 60, last: 61 }, { fromNs, toNs }, false).ticksMissed;
  expect([over(0, 30), over(10, 20), over(20, 25)]).toEqual([7, 2, 0]);
});

test('a row waits for the frames that a window still has to report of, and for no window that is gone', () => {
  const { display } = received(range(100, 110));
  expect(display.isKnownUntil(90, 0)).toBe(true);
  display.add(report({ 60: presented, 61: presented }), 1e9);
  expect(display.isKnownUntil(61, 1.5e9)).toBe(true);
  expect(display.isKnownUntil(62, 1.5e9)).toBe(false);
  expect(display.isKnownUntil(62, 2.1e9)).toBe(true);
  expect(display.live(2.1e9)).toBeNull();
  // What was never captured is not waited for.
  display.add(report({ 99: presented }), 3e9);
  expect(display.isKnownUntil(110, 3e9)).toBe(true);
});
