import { describe, expect, test } from 'vitest';
import { audioRecords, clockRecords } from '../../protocol/record-block';
import { PictureClass, PictureStatus } from '../../protocol/records';
import { type Capture, captures, testSourceId } from '../../testing/columns';
import { unknownClock } from '../../testing/test-stream';
import { ledgerOf } from './counting/arrival-ledger';
import { SourceLedger } from './counting/source-ledger';
import { outagesOf } from './outages';
import { PictureRepeats } from './picture-repeats';
import { ActiveSource, Stream } from './stream';
import { StreamEvents } from './stream-events';

const rate = { numerator: 30, denominator: 1 };
const periodNs = 1e9 / 30;

const uncoded = { status: PictureStatus.Undecodable, pictureClass: PictureClass.Other };

describe('a picture', () => {
  const isRepeat = (...pictures: Partial<Capture>[]): boolean[] => {
    const repeats = new PictureRepeats();
    const all = captures(pictures.map((one, index) => ({ frameNumber: 0, captureNs: index, ...one })));
    return pictures.map((_, index) => repeats.isRepeat(all, index));
  };

  test.each<[what: string, pictures: Partial<Capture>[], expected: boolean[]]>([
    ['of the same number repeats', [{ frameNumber: 1 }, { frameNumber: 1 }], [false, true]],
    ['of another number is new', [{ frameNumber: 1 }, { frameNumber: 2 }], [false, false]],
    ['of another source is new', [{ frameNumber: 1 }, { frameNumber: 1, sourceId: 9 }], [false, false]],
    [
      'of the same time repeats',
      [
        { ...uncoded, timestampUs: 5 },
        { ...uncoded, timestampUs: 5 },
      ],
      [false, true],
    ],
    [
      'of another time is new',
      [
        { ...uncoded, timestampUs: 5 },
        { ...uncoded, timestampUs: 6 },
      ],
      [false, false],
    ],
    ['without number and time may be new', [uncoded, uncoded], [false, false]],
    [
      'of the same number repeats, also behind one that cannot be read',
      [{ frameNumber: 1 }, uncoded, { frameNumber: 1 }],
      [false, false, true],
    ],
  ])('%s', (_, pictures, expected) => {
    expect(isRepeat(...pictures)).toEqual(expected);
  });
});

/** A sender of 30 frames a second without records: it stops at 9 s, and its last picture comes again at these times. */
function frozen(againSeconds: readonly number[], backSeconds = Number.POSITIVE_INFINITY) {
  const source = new ActiveSource(1, 'x', { width: 640, height: 360, rate });
  const stream = new Stream(1, 'Elsewhere 1', source, 1e9, 0);
  source.ledger = new SourceLedger({ startNs: 1e9, rate });
  const ledger = ledgerOf(source.ledger, {
    ...{ sourceId: testSourceId, senderId: 0, firstSlot: 0, assumeSubmitted: true, clock: unknownClock },
  });
  stream.follow(source, ledger);
  const texts: string[] = [];
  const events = new StreamEvents((kind, text) => texts.push(`${kind}: ${text}`));
  const pictureOf = (number: number): Capture => ({
    frameNumber: number,
    captureNs: 1e9 + number * periodNs,
  });
  const last = 240;
  const all = [
    ...Array.from({ length: last + 1 }, (_, number) => pictureOf(number)),
    ...againSeconds.map((seconds) => ({ frameNumber: last, captureNs: seconds * 1e9 })),
    ...Array.from({ length: 180 }, (_, index) => pictureOf(Math.round((backSeconds - 1) * 30) + index)),
  ].filter(({ captureNs }) => captureNs < 18e9);
  const counter = ledger.openRangeAt(5e9);
  ledger.boundRange(counter, 15e9);
  const states = new Set<string>();
  for (let nowNs = 1.25e9; nowNs <= 17e9; nowNs += 0.25e9) {
    const now = all.filter(({ captureNs }) => captureNs >= nowNs - 0.25e9 && captureNs < nowNs);
    const report = { streamId: 1, sourceName: 'HOST (x)', address: '', openedNs: 1, listed: true };
    stream.addReceiverReport(
      {
        ...{
          ...report,
          metadata: [],
          soundPeakDbfs: null,
          audio: audioRecords.empty(),
          time: clockRecords.empty(),
        },
        captures: captures(now),
        status: {
          ...{ connections: 1, width: 640, height: 360, frameFormat: 'progressive', fourCC: 'UYVY' },
          ...{ rateNumerator: 30, rateDenominator: 1, picturesCaptured: 1, lastCaptureNs: nowNs },
          ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
        },
      },
      nowNs,
    );
    events.look(stream, nowNs);
    if (nowNs > 10e9 && nowNs < backSeconds * 1e9)
      states.add(stream.state(nowNs, { warmUpSeconds: 0, connectTimeoutSeconds: 10 }));
  }
  const counts = ledger.closeRange(counter);
  const outages = outagesOf(stream, counts, 5e9, 15e9);
  return { texts, counts, outages, states: [...states] };
}

const everyFrame = Array.from({ length: 240 }, (_, index) => 9 + (index + 1) / 30);

describe('a sender that stops while it is connected', () => {
  test.each([
    ['never', []],
    ['once', [14.3]],
    ['now and then', [9.4, 9.9, 12, 14.99]],
    ['for every frame', everyFrame],
  ])('is out from its last new picture on, when that one comes again: %s', (_, again) => {
    const { texts, counts, outages, states } = frozen(again);
    expect(outages).toEqual([
      expect.objectContaining({ fromNs: 9e9, toNs: 15e9, isOver: false, frames: 179, isStall: true }),
    ]);
    expect(counts.longestGapMs).toBeCloseTo(6000, 3);
    expect(states).toEqual(['stalled']);
    expect(texts.filter((text) => !text.startsWith('stream-connected'))).toEqual([
      expect.stringMatching(/^stream-stalled: Elsewhere 1: No new picture for more than half a second/),
    ]);
  });

  test('comes back with its first new picture, not with a repeat', () => {
    const { texts, counts, outages } = frozen(everyFrame.slice(0, 100), 13);
    expect(counts).toMatchObject({ stalls: 1, tail: null });
    expect(counts.tally.dropped).toBe(119);
    expect(outages).toEqual([]);
    expect(texts.at(-1)).toMatch(
      /^stream-recovered: Elsewhere 1: pictures again after 4.0 s, about 119 frames/,
    );
  });
});
