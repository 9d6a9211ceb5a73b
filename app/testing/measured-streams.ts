import { AudioOffset } from '../engine/streams/clocks/audio-offset';
import type { ReleaseClock } from '../engine/streams/clocks/release-clock';
import { LostRuns } from '../engine/streams/counting/lost-runs';
import { slotPeriodNs } from '../engine/streams/counting/schedule';
import type { LedgerIdentity } from '../engine/streams/counting/stream-ledger';
import { TimeHistogram } from '../engine/streams/counting/time-histogram';
import { type ForeignCounts, ForeignLedger } from '../engine/streams/foreign/foreign-ledger';
import type { MeasuredStream } from '../engine/streams/rows/measured-stream';
import { sentCounts } from '../engine/streams/rows/sent-stream';
import { type DisplayFate, DisplayStage } from '../protocol/display';
import { captures, type Late, range, submits, testSourceId } from './columns';
import { frameNs, TestStream, testRate } from './test-stream';

/** Slots 60 to 179 of a stream, without those that got lost. */
export function measured(
  lost: number[] = [],
  identity: Partial<LedgerIdentity> = {},
  late: Late = [],
): MeasuredStream {
  const stream = new TestStream(identity);
  const counter = stream.open(60, 179);
  if (!identity.assumeSubmitted) stream.send(0, 239, { late });
  stream.receive(0, 239, lost);
  return stream.measure(counter, 179);
}

/** A stream of a sender on another machine that sends its records along. */
export function reported(): MeasuredStream {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  for (const slot of range(0, 239)) stream.source.assume(slot);
  stream.ledger.addSubmits(submits(range(0, 239)));
  stream.receive(0, 239);
  return stream.measure(counter, 179);
}

/** A stream that others receive, without the frames that its sender missed. */
export function sent(missed: number[] = [], cause?: number): MeasuredStream {
  const test = new TestStream();
  const counter = test.open(60, 179);
  test.send(0, 239, { missed, cause });
  const { stream, counts, ...measured } = test.measure(counter, 179);
  stream.isReceiverRemote = true;
  return { ...measured, stream, counts: counts && sentCounts(test.ledger, counter, counts) };
}

/** A stream of which no frame was ever captured; without a ledger when its sender wrote nothing either. */
export function silent(withLedger: boolean): MeasuredStream {
  const test = new TestStream();
  test.send(0, 239);
  const stream = test.stream();
  if (withLedger) return test.measure(test.open(60, 179), 179);
  stream.ledger = null;
  return { stream, counts: null, counter: null, foreign: null, outages: [], framesPerSecond: 60 };
}

/** A stream of another machine whose clock is 37 ms ahead of ours, known to ± 0.12 ms. */
const otherClock: ReleaseClock = {
  offsetUs: () => 37_000,
  differenceUs: () => 37_000,
  isShared: false,
  steps: [],
  uncertaintyUs: () => 120,
};

export function fromOtherMachine(latencyMs: (slot: number) => number = () => 2): MeasuredStream {
  const stream = new TestStream({ clock: otherClock });
  const counter = stream.open(60, 179);
  stream.send(0, 239);
  for (const slot of range(0, 239)) {
    const releaseTimeUs = frameNs(slot) / 1000 + 37_000;
    stream.capture(slot, { releaseTimeUs, captureNs: frameNs(slot) + latencyMs(slot) * 1e6 });
  }
  return stream.measure(counter, 179);
}

const noForeignLoss: ForeignCounts = {
  ...{ captured: 120, received: 120, duplicated: 0, reordered: 0, missing: 0, missingReason: '', stalls: 0 },
  ...{ unknownToNs: 0, unreportedBreaks: 0, placeholders: 0, greens: 0 },
  ...{
    lostAt: null,
    stalledAt: null,
    placeholdersAt: null,
    silences: { outages: [], connected: { times: 0, longestNs: 0 } },
    longestGapMs: 16.8,
    longestStallMs: 0,
    worstWindowLost: 0,
    worstSecondLost: 0,
    losses: [],
    newestLoss: null,
    framesPerSecond: 59.94,
  },
  gapHistogram: new LostRuns().gapHistogram,
  methodText: 'timestamps against the declared rate of 59.94 frames a second',
};

export function foreign(counts: Partial<ForeignCounts> = {}): MeasuredStream {
  const test = new TestStream();
  const stream = test.stream();
  stream.ledger = null;
  stream.followForeign(
    stream.source,
    new ForeignLedger({ rate: { numerator: 60000, denominator: 1001 }, frameFormat: 'progressive' }),
  );
  const receiveInterval = new TimeHistogram();
  for (const us of [16_000, 17_000, 16_000]) receiveInterval.add(us);
  if (stream.foreign) stream.foreign.firstCaptureNs = 1e9;
  return {
    ...{ stream, counts: null, counter: null, outages: [], framesPerSecond: 59.94 },
    foreign: { counts: { ...noForeignLoss, ...counts }, receiveInterval },
  };
}

/** Ten seconds with sound at an offset from its pictures, without the sound blocks of some frames. */
export function withSound(offsetMs: (slot: number) => number, missing: number[] = []): MeasuredStream {
  const test = new TestStream();
  const counter = test.open(60, 659);
  test.send(0, 719);
  test.receive(0, 719);
  const measured = test.measure(counter, 659);
  const audio = new AudioOffset({ periodNs: slotPeriodNs(testRate) }, 0);
  for (const second of range(0, 11)) {
    const slots = range(second * 60, second * 60 + 59);
    const heard = slots.filter((slot) => !missing.includes(slot));
    const column = (value: (slot: number) => number) => Float64Array.from(heard, value);
    audio.addPictures(
      captures(slots.map((slot) => ({ frameNumber: slot, captureNs: frameNs(slot) + 2e6 }))),
      testSourceId,
    );
    audio.addSound({
      captureNs: column((slot) => frameNs(slot) + 2e6),
      frameNumber: column((slot) => slot),
      samples: new Uint32Array(heard.length).fill(800),
      sampleRate: new Uint32Array(heard.length).fill(48_000),
      burstNs: column((slot) => (slot % 60 === 0 ? frameNs(slot) + (2 + offsetMs(slot)) * 1e6 : Number.NaN)),
      overflowed: 0,
    });
  }
  measured.stream.audio = audio;
  return measured;
}

/** A stream that a display window showed, but of whose frames from `unreportedFrom` on it reported nothing. */
export function shownInWindow(
  fates: Record<number, DisplayFate> = {},
  { isPresentationKnown = true, unreportedFrom = 240 } = {},
): MeasuredStream {
  const shown = measured();
  const frameNumbers = range(0, unreportedFrom - 1);
  shown.stream.display?.add(
    {
      ...{ streamId: shown.stream.id, isPresentationKnown, ticksMissed: 0, frameNumbers },
      sourceIds: frameNumbers.map(() => testSourceId),
      fates: frameNumbers.map((slot) => fates[slot] ?? DisplayStage.presented),
    },
    frameNs(180),
  );
  return shown;
}

/** The time of the slots 60 to 179. */
export const fromTo = { fromNs: frameNs(60), toNs: frameNs(180) };
