import { expect, test } from 'vitest';
import { MissCause, PictureStatus } from '../../protocol/records';
import { defaultThresholds } from '../../protocol/thresholds';
import { captures, range } from '../../testing/columns';
import { ShownStream } from '../../testing/shown-stream';
import { SimulatedClock } from '../../testing/simulated-clock';
import { frameNs } from '../../testing/test-stream';
import { ForeignLedger } from './foreign/foreign-ledger';
import { ActiveSource, Stream } from './stream';
import { StreamViews } from './stream-view';
import { timelineBlock } from './timeline-block';

const wallOffsetUs = 5e6;

function viewsOf(): StreamViews {
  return new StreamViews({
    ...{ thresholds: defaultThresholds, warmUpSeconds: 1, wallOffsetUs, isSenderRemote: false },
    noteEvent: () => {},
    set: { deaths: 0, lost: false, standstills: () => [] },
    clock: new SimulatedClock(),
  });
}

/** Wall time of a moment of the monotonic clock. */
function wallMs(atNs: number): number {
  return atNs / 1e6 + wallOffsetUs / 1000;
}

test('each loss has its time, its frames and what became of them, and is explained when it is asked for', () => {
  const views = viewsOf();
  const shown = new ShownStream(views);
  shown.run(300);
  shown.miss(320, [305, 306]);
  shown.run(500, [410]);
  shown.spoil(504, PictureStatus.Torn);
  shown.run(800);
  const { stream } = shown;
  const block = timelineBlock(stream, views.lossesOf(stream), {
    ...{ range: null, nowNs: frameNs(800), wallOffsetUs },
  });
  expect(block.lossKeys).toEqual(['0/305', '0/410', '0/501']);
  expect(block).toMatchObject({ lostFrames: 5, notSentFrames: 2, outageFrames: null });
  expect([...block.lossMark]).toEqual([1, 0, 2]);
  expect(block.lossFromMs[1]).toBeCloseTo(wallMs(frameNs(410)), 3);
  expect(block.lossToMs[1]).toBeCloseTo(wallMs(frameNs(411)), 3);
  expect(block.framesUnlisted).toBe(0);
  expect(block.toMs - block.fromMs).toBe(60_000);

  expect(views.lossOf(stream, '0/410')).toMatchObject({
    kind: 'frames',
    loss: { stage: 'transport', firstFrame: 410, frames: 1 },
  });
  expect(views.lossOf(stream, '0/305')).toMatchObject({
    kind: 'frames',
    loss: { stage: 'sender', lastFrame: 306 },
  });
  expect(views.lossOf(stream, '0/501')).toMatchObject({ kind: 'frames', loss: { stage: 'torn' } });
  expect(views.lossOf(stream, '0/411')).toBeNull();
});

test('losses beyond the list are counted, and the newest is always in it', () => {
  const views = viewsOf();
  const shown = new ShownStream(views);
  shown.run(300);
  // 250 losses of one frame, ten frames apart.
  const lost = range(0, 249).map((index) => 310 + 10 * index);
  shown.run(3000, lost);
  const { stream } = shown;
  const block = timelineBlock(stream, views.lossesOf(stream), {
    ...{ range: { fromMs: 0, toMs: 1e12 }, nowNs: frameNs(3000), wallOffsetUs },
  });
  expect(block.lossKeys).toHaveLength(201);
  expect(block.lossKeys.at(-1)).toBe(`0/${lost.at(-1)}`);
  expect(block.framesUnlisted).toBe(49);
});

test('intervals of a sender without our code, and its losses by their times', () => {
  const rate = { numerator: 60, denominator: 1 };
  const source = new ActiveSource(1, 'Other', { width: 640, height: 360, rate });
  const stream = new Stream(1, 'Other', source, frameNs(0), wallOffsetUs);
  const foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
  stream.followForeign(source, foreign);
  const views = viewsOf();
  const send = (frames: number[]): void => {
    const pictures = captures(
      frames.map((frame) => ({
        ...{ frameNumber: 0, status: PictureStatus.Undecodable, captureNs: frameNs(frame) + 1e6 },
        timestampUs: frameNs(frame) / 1000,
      })),
    );
    stream.arrivals.add(pictures.captureNs);
    foreign.add(pictures, { rate, frameFormat: 'progressive' });
  };
  send(range(0, 90));
  views.views([stream], frameNs(91));
  send(range(91, 300).filter((frame) => frame < 200 || frame > 203));
  views.views([stream], frameNs(301));
  const block = timelineBlock(stream, views.lossesOf(stream), {
    ...{
      range: { fromMs: wallMs(frameNs(198)), toMs: wallMs(frameNs(206)) },
      nowNs: frameNs(301),
      wallOffsetUs,
    },
  });
  expect(block.isWhole).toBe(true);
  expect([...block.longestMs].map((ms) => Math.round(ms * 10) / 10)).toEqual([16.7, 16.7, 83.3, 16.7]);
  expect(block).toMatchObject({ lostFrames: 4, notSentFrames: null, framesUnlisted: 0 });
  expect(block.periodMs).toBeCloseTo(1000 / 60, 2);
  expect(views.lossOf(stream, block.lossKeys[0] ?? '')).toMatchObject({
    ...{ kind: 'frames', loss: { stage: 'missing', frames: 4 } },
  });
});

test('before the first picture nothing is known, and it is not 0', () => {
  const rate = { numerator: 50, denominator: 1 };
  const source = new ActiveSource(1, 'Other', { width: 640, height: 360, rate });
  const stream = new Stream(1, 'Other', source, 0, wallOffsetUs);
  const block = timelineBlock(stream, viewsOf().lossesOf(stream), {
    ...{ range: null, nowNs: 1e9, wallOffsetUs },
  });
  expect(block).toMatchObject({ firstMs: null, lastMs: null, periodMs: 20 });
  expect(block.atMs).toHaveLength(0);
});

test('a miss is explained by the send call that did not return', () => {
  const views = viewsOf();
  const shown = new ShownStream(views);
  shown.run(300);
  shown.miss(320, [305], MissCause.SendBlocked);
  shown.run(500);
  expect(views.lossOf(shown.stream, '0/305')).toMatchObject({
    loss: { causes: expect.arrayContaining([expect.objectContaining({ code: 'sdk-send-blocked' })]) },
  });
});
