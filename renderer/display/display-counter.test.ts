import { expect, test } from 'vitest';
import { leftOutFate, DisplayStage as Stage } from '../../app/protocol/display';
import { DisplayCounter, type FrameId, settleAfterMs } from './display-counter';

const sourceId = 40_000;
const id = (frameNumber: number, of = sourceId): FrameId => ({
  sourceId: of,
  frameNumber: frameNumber >>> 0,
});
const lateMs = 100_000;

function settled(counter: DisplayCounter) {
  counter.settle(lateMs + settleAfterMs);
  return counter.counts();
}

/** A frame through the stages up to this one; its record comes 50 ms after its picture, as in life. */
function pass(
  counter: DisplayCounter,
  frameNumber: number,
  upTo: (typeof Stage)[keyof typeof Stage],
  everyNth = 1,
): void {
  const atMs = 1000 + frameNumber;
  if (upTo >= Stage.delivered) counter.noteDelivered(id(frameNumber), everyNth, atMs);
  if (upTo >= Stage.uploaded) counter.noteUploaded(id(frameNumber), atMs + 5);
  if (upTo >= Stage.presented) counter.notePresented(id(frameNumber), atMs + 9);
  counter.noteCaptured(id(frameNumber), atMs + 50);
}

test('each frame is missed at the first stage that it did not reach, and all adds up', () => {
  const counter = new DisplayCounter(Stage.presented);
  const stages = [Stage.presented, Stage.delivered, Stage.captured, Stage.uploaded, Stage.presented];
  for (const [index, stage] of stages.entries()) pass(counter, index, stage);
  expect(settled(counter)).toEqual({
    captured: 5,
    delivered: 4,
    uploaded: 3,
    presented: 2,
    leftOut: 0,
    missedDelivery: 1,
    missedUpload: 1,
    missedPresentation: 1,
    missed: 3,
  });
});

test('without feedback, presented is not known and what was uploaded is not missed', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  pass(counter, 0, Stage.uploaded);
  pass(counter, 1, Stage.captured);
  expect(settled(counter)).toMatchObject({
    captured: 2,
    uploaded: 1,
    presented: null,
    missedPresentation: null,
    missed: 1,
  });
});

test('a frame is not judged before its time is over, and not changed after it', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  pass(counter, 0, Stage.uploaded);
  counter.noteCaptured(id(1), 2000);
  counter.settle(2000 + settleAfterMs - 1);
  expect(counter.counts()).toMatchObject({ captured: 1, missed: 0 });
  counter.settle(2000 + settleAfterMs);
  expect(counter.counts()).toMatchObject({ captured: 2, missedDelivery: 1 });
  counter.noteDelivered(id(1), 1, 2000 + settleAfterMs + 1);
  counter.noteUploaded(id(1), 2000 + settleAfterMs + 1);
  counter.settle(2000 + 2 * settleAfterMs);
  expect(counter.counts()).toMatchObject({ captured: 2, uploaded: 1, missedDelivery: 1 });
});

test('counting begins with the first picture, whether its record comes before it or behind it', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  for (const frameNumber of [8, 9, 10, 11]) counter.noteCaptured(id(frameNumber), 900);
  pass(counter, 10, Stage.uploaded);
  counter.noteCaptured(id(7), 1100);
  pass(counter, 11, Stage.uploaded);
  expect(counter.first).toEqual(id(10));
  expect(settled(counter)).toMatchObject({ captured: 2, uploaded: 2, missed: 0 });
});

test('before a picture came nothing is missed, however long that takes', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  for (let frameNumber = 0; frameNumber < 100; frameNumber += 1) {
    counter.noteCaptured(id(frameNumber), frameNumber * 100);
    counter.settle(frameNumber * 100);
  }
  expect(counter.counts()).toMatchObject({ captured: 0, missed: 0 });
});

test('the same number captured again is one frame, before and after it was judged', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  pass(counter, 0, Stage.uploaded);
  pass(counter, 0, Stage.uploaded);
  counter.settle(1050 + settleAfterMs);
  counter.noteCaptured(id(0), 1100 + settleAfterMs);
  expect(settled(counter)).toMatchObject({ captured: 1, missed: 0 });
});

test('of a stream that is too fast, only frames that should have come are missed', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  for (let frameNumber = 100; frameNumber < 106; frameNumber += 1) {
    const isTaken = frameNumber % 2 === 0 && frameNumber !== 104;
    pass(counter, frameNumber, isTaken ? Stage.uploaded : Stage.captured, 2);
  }
  expect(settled(counter)).toMatchObject({
    captured: 6,
    uploaded: 2,
    leftOut: 3,
    missedDelivery: 1,
    missed: 1,
  });
});

test('numbers wrap, and a source that starts again counts from its first frame', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  counter.noteDelivered(id(-1), 1, 1000);
  counter.noteUploaded(id(-1), 1000);
  counter.noteDelivered(id(0), 1, 1016);
  counter.noteUploaded(id(0), 1016);
  counter.noteCaptured(id(-2), 1050);
  counter.noteCaptured(id(0, 7), 1100);
  counter.noteDelivered(id(1, 7), 1, 1116);
  expect(settled(counter)).toMatchObject({ captured: 4, uploaded: 2, missedDelivery: 1, missedUpload: 1 });
});

test('what became of a frame is reported once, when its time is over', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  pass(counter, 10, Stage.uploaded, 2);
  pass(counter, 11, Stage.captured, 2);
  pass(counter, 12, Stage.captured, 2);
  expect(counter.settle(1010 + settleAfterMs - 1)).toEqual([]);
  expect(counter.settle(1010 + settleAfterMs)).toEqual([{ ...id(10), fate: Stage.uploaded }]);
  expect(counter.settle(lateMs)).toEqual([
    { ...id(11), fate: leftOutFate },
    { ...id(12), fate: Stage.captured },
  ]);
  expect(counter.settle(lateMs + settleAfterMs)).toEqual([]);
});

test('memory does not grow with time', () => {
  const counter = new DisplayCounter(Stage.uploaded);
  for (let frameNumber = 0; frameNumber < 20_000; frameNumber += 1) {
    pass(counter, frameNumber, Stage.uploaded);
    if (frameNumber % 250 === 0) counter.settle(frameNumber);
  }
  const kept = (counter as unknown as { frames: Map<number, unknown> }).frames.size;
  expect(kept).toBeLessThan(7000);
  expect(settled(counter)).toMatchObject({ captured: 20_000, uploaded: 20_000, missed: 0 });
});
