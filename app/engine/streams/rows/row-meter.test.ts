import { expect, test } from 'vitest';
import { frameNumbers } from '../../../facts/figure';
import { wordsOf } from '../../../facts/reason-words';
import { DisplayStage } from '../../../protocol/display';
import { MissCause } from '../../../protocol/records';
import { defaultThresholds } from '../../../protocol/thresholds';
import { captures, range, testSenderId, testSourceId } from '../../../testing/columns';
import { loadSample } from '../../../testing/load-sample';
import { measuredRow } from '../../../testing/measured-row';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { testRate } from '../../../testing/test-stream';
import { SampledSide } from '../../machines/machine-side';
import { SharedClock } from '../clocks/release-clock';
import { ledgerOf } from '../counting/arrival-ledger';
import { firstSlotFrom, slotNs } from '../counting/schedule';
import { SourceLedger } from '../counting/source-ledger';
import { StreamLedger } from '../counting/stream-ledger';
import { ForeignLedger } from '../foreign/foreign-ledger';
import { ActiveSource, Stream } from '../stream';
import { RowMeter } from './row-meter';

test('a row covers the slots from its beginning to its end, and no more', async () => {
  const { meter, clock, stream, toNs, schedule, fromNs } = measuredRow();
  const row = await clock.until(meter.close(toNs));
  const first = meter.firstSlot(stream) ?? -1;
  expect(slotNs(schedule, first)).toBeGreaterThanOrEqual(fromNs - 1e4);
  expect(slotNs(schedule, first - 1)).toBeLessThan(fromNs);
  const { framesScheduled } = row.figures;
  expect(framesScheduled).toBeGreaterThanOrEqual(119);
  expect(framesScheduled).toBeLessThanOrEqual(121);
  expect(row.figures).toMatchObject({ framesReceived: framesScheduled, conserved: true });
  expect(row.verdict).toBe('PASS');
  expect(row.subjects[0]?.figures).toMatchObject({ firstFrame: first, framesDropped: 0 });
});

test('a stream that began again before the row is counted from the row’s first slot, unless rows join', () => {
  const { fromNs, toNs, set, samples, clock, schedule } = measuredRow();
  const rate = schedule.rate;
  const begin = (source: ActiveSource, ledger: SourceLedger): Stream => {
    const stream = new Stream(1, 'Whiteline 1', source, fromNs - 3e9, 0);
    const identity = { sourceId: testSourceId, senderId: testSenderId, firstSlot: 0, assumeSubmitted: false };
    stream.follow(source, new StreamLedger(ledger, { ...identity, clock: new SharedClock(0) }));
    return stream;
  };
  const firstSlot = (joins: boolean): number | null => {
    const source = new ActiveSource(2, 'white-line', { width: 640, height: 360, rate });
    const ledger = new SourceLedger(schedule);
    const [before, stream] = [begin(source, ledger), begin(source, ledger)];
    before.lostWindowSeconds = 2;
    before.endedNs = schedule.startNs;
    before.giveWayTo(stream);
    const pictures = range(0, 100).map((slot) => ({ frameNumber: slot, captureNs: slotNs(schedule, slot) }));
    stream.addCaptures(captures(pictures));
    const options = { set, clock, joins, thresholds: defaultThresholds, wallOffsetUs: 0 };
    const rest = { samples: () => samples };
    return new RowMeter({ ...options, ...rest }, 1, [stream], fromNs, toNs).firstSlot(stream);
  };
  expect(firstSlot(true)).toBe(0);
  expect(slotNs(schedule, firstSlot(false) ?? 0)).toBeGreaterThanOrEqual(fromNs - 1e4);
});

test('what came in a row of the one in the place of a stream that had ended is counted in it', async () => {
  const { fromNs, toNs, set, samples, clock, schedule } = measuredRow();
  const source = new ActiveSource(2, 'white-line', { width: 640, height: 360, rate: schedule.rate });
  const ledger = new SourceLedger(schedule);
  const begin = (): Stream => {
    const stream = new Stream(1, 'Whiteline 1', source, fromNs - 3e9, 0);
    const identity = { sourceId: testSourceId, senderId: testSenderId, firstSlot: 0, assumeSubmitted: false };
    stream.follow(source, new StreamLedger(ledger, { ...identity, clock: new SharedClock(0) }));
    return stream;
  };
  const captured = (stream: Stream, from: number, to: number): void =>
    stream.addCaptures(
      captures(range(from, to).map((slot) => ({ frameNumber: slot, captureNs: slotNs(schedule, slot) }))),
    );
  const [before, next] = [begin(), begin()];
  const firstOfRow = firstSlotFrom(schedule, fromNs);
  captured(before, 0, firstOfRow - 30);
  before.lostWindowSeconds = 2;
  const options = { set, clock, joins: true, thresholds: defaultThresholds, wallOffsetUs: 0 };
  const rest = { samples: () => samples };
  const meter = new RowMeter({ ...options, ...rest }, 1, [before], fromNs);
  before.giveWayTo(next);
  captured(next, firstOfRow + 60, firstOfRow + 89);
  const { figures } = await clock.until(meter.close(toNs));
  expect(figures.framesReceived).toBe(30);
  expect(next.fresh).toBeNull();
});

test('the row as it stands ends a second ago', () => {
  const { meter, fromNs } = measuredRow({ endedSecondsAgo: 0 });
  expect(meter.preview(fromNs + 1.9e9)).toBeNull();
  const figures = meter.preview(fromNs + 2.5e9)?.figures;
  expect(figures?.measuredSeconds).toBeCloseTo(1.5, 6);
  expect(figures?.framesReceived).toBe(figures?.framesScheduled);
});

test('a row that closes does not stand any more', async () => {
  const { meter, clock, fromNs, toNs } = measuredRow();
  const closed = meter.close(toNs);
  expect(meter.preview(fromNs + 2.5e9)).toBeNull();
  await clock.until(closed);
});

test('frames on their way are waited for, and counted when they come', async () => {
  const { meter, clock, stream, set, toNs, late } = measuredRow({ endedSecondsAgo: 0, lateFrames: 3 });
  let flushes = 0;
  set.flush = async () => {
    flushes += 1;
    if (flushes === 4) stream.ledger?.addCaptures(late);
  };
  expect(await clock.until(meter.close(toNs))).toMatchObject({
    figures: { framesDropped: 0, conserved: true },
  });
  expect(flushes).toBe(4);
});

/** A row of a sender without records whose last new picture came 0.39 s before its end, and then the same again and again. */
async function frozenRow(newAgainSeconds: number | null) {
  const { set, samples, clock, schedule, fromNs, toNs } = measuredRow({ endedSecondsAgo: 0 });
  const source = new ActiveSource(2, 'x', { width: 640, height: 360, rate: schedule.rate });
  const identity = { sourceId: testSourceId, senderId: testSenderId, firstSlot: 0, assumeSubmitted: true };
  const stream = new Stream(2, 'Elsewhere 1', source, fromNs - 3e9, 0);
  stream.follow(source, ledgerOf(new SourceLedger(schedule), { ...identity, clock: new SharedClock(0) }));
  const last = firstSlotFrom(schedule, toNs - 0.39e9) - 1;
  const add = (slots: number[], isFrozen: boolean): void =>
    stream.addCaptures(
      captures(
        slots.map((slot) => ({ frameNumber: isFrozen ? last : slot, captureNs: slotNs(schedule, slot) })),
      ),
    );
  const options = { set, clock, thresholds: defaultThresholds, wallOffsetUs: 0, isSenderRemote: true };
  const from = firstSlotFrom(schedule, fromNs);
  add(range(0, from - 1), false);
  const meter = new RowMeter({ ...options, samples: () => samples }, 1, [stream], fromNs, toNs);
  add(range(from, last), false);
  let next = last + 1;
  set.flush = async () => {
    const to = firstSlotFrom(schedule, clock.monotonicNs());
    const isNew = newAgainSeconds !== null && clock.monotonicNs() - toNs >= newAgainSeconds * 1e9;
    add(range(next, to), !isNew);
    next = to + 1;
  };
  const row = await clock.until(meter.close(toNs));
  return { row, seconds: (clock.monotonicNs() - toNs) / 1e9 };
}

test('a picture that is repeated at the end of a row is waited behind as a silence is, and costs what one costs', async () => {
  const { row, seconds } = await frozenRow(null);
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(row).toMatchObject({ verdict: 'FAIL', figures: { framesInOutages: 23, framesMissing: 0 } });
  expect(wordsOf(row.reason)).toMatch(
    /^no new picture for 400 ms, not over at the end of the row: about 23 frames/,
  );
});

test('new pictures that come behind it show exactly what was missing', async () => {
  const { row } = await frozenRow(1);
  expect(row).toMatchObject({ verdict: 'FAIL', figures: { framesInOutages: 0, framesMissing: 23 } });
});

test('what a display window has still to report of is waited for', async () => {
  const { meter, clock, stream, set, ledger, toNs } = measuredRow({ endedSecondsAgo: 0 });
  const report = (frameNumbers: number[]): void =>
    stream.display?.add(
      {
        ...{ streamId: stream.id, isPresentationKnown: true, ticksMissed: 1, frameNumbers },
        sourceIds: frameNumbers.map(() => testSourceId),
        fates: frameNumbers.map(() => DisplayStage.presented),
      },
      clock.monotonicNs(),
    );
  const first = meter.firstSlot(stream) ?? 0;
  report([first]);
  let flushes = 0;
  set.flush = async () => {
    flushes += 1;
    if (flushes === 4) report(range(first + 1, ledger.newestSeen(first + 200)));
  };
  const { figures } = await clock.until(meter.close(toNs));
  expect(figures).toMatchObject({ framesDisplayShown: figures.framesReceived, framesDisplayMissed: 0 });
  expect(flushes).toBe(4);
});

test('frames that do not come are dropped, after two seconds at most', async () => {
  const { meter, clock, toNs } = measuredRow({ endedSecondsAgo: 0, lateFrames: 3 });
  const { figures, subjects } = await clock.until(meter.close(toNs));
  expect(figures.framesDropped).toBe(3);
  expect(subjects.flatMap((stream) => frameNumbers(stream.figures.droppedFrames))).toHaveLength(3);
  const seconds = (clock.monotonicNs() - toNs) / 1e9;
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThan(3);
});

/** A row of so many seconds whose sender, receiver or both are on machines that reported their load at these seconds of it. */
async function rowOf(
  seconds: number,
  sampledAt: { sender?: number[]; receiver?: number[] },
  isLossy = false,
) {
  const options = { seconds, ...(isLossy && { lost: { frames: 3, transportDropped: 0 } }) };
  const { meter, clock, set, fromNs, toNs } = measuredRow(options);
  const side = (name: string, at: number[]): SampledSide => {
    const sampled = new SampledSide({ name, network: '' });
    for (const second of at) sampled.add(loadSample({ atNs: fromNs + second * 1e9 }));
    return sampled;
  };
  Object.assign(set, {
    senderSide: sampledAt.sender && side('render-1', sampledAt.sender),
    receiverSides: sampledAt.receiver ? [side('display-1', sampledAt.receiver)] : [],
  });
  const { verdict, reason } = await clock.until(meter.close(toNs));
  return { verdict, reason: wordsOf(reason) };
}

const each = range(0, 10);

test('where the machine of one end reported no load, the row is INVALID and names it', async () => {
  const ofSender = await rowOf(10, { sender: [] });
  expect(ofSender).toEqual({ verdict: 'INVALID', reason: 'no load sample of render-1 for 10.0 s' });
  const ofReceiver = await rowOf(10, { receiver: [], sender: each });
  expect(ofReceiver).toEqual({ verdict: 'INVALID', reason: 'no load sample of display-1 for 10.0 s' });
  const soonAfter = await rowOf(10, { sender: [0.5, 1, 9.5] });
  expect(soonAfter).toEqual({ verdict: 'INVALID', reason: 'no load sample of render-1 for 8.5 s' });
});

test('a machine that tells its load once a second, or whose bus was gone for less than a lease, spoils no row', async () => {
  expect(await rowOf(10, { sender: each, receiver: each })).toMatchObject({ verdict: 'PASS' });
  const late = await rowOf(10, { sender: each.filter((second) => second < 3 || second > 7) });
  expect(late.verdict).toBe('PASS');
  expect(late.reason).toContain('no load sample of render-1 for 6.0 s');
  // A row that is so short need not hold a whole sample.
  expect((await rowOf(2, { sender: [] })).verdict).toBe('PASS');
});

test('a loss proves nothing where the machine of one end reported no load for a while', async () => {
  const lost = await rowOf(10, { sender: [...each.filter((second) => second < 3 || second > 7)] }, true);
  expect(lost.verdict).toBe('INVALID');
  expect(lost.reason).toContain('no load sample of render-1 for 6.0 s');
});

test('a sender without our code has a row of its time, by what its timestamps report', async () => {
  const clock = new SimulatedClock();
  const toNs = clock.monotonicNs() - 1.9e9;
  const fromNs = toNs - 4e9;
  const rate = { numerator: 60, denominator: 1 };
  const source = new ActiveSource(1, 'CAMERA (1)', { width: 640, height: 360, rate });
  const stream = new Stream(1, 'CAMERA (1)', source, fromNs - 5e9, 0);
  const foreign = new ForeignLedger({ rate, frameFormat: 'progressive' });
  stream.followForeign(source, foreign);
  const pictures = (first: number, last: number) =>
    captures(
      range(first, last)
        .filter((frame) => frame < 400 || frame > 402)
        .map((frame) => {
          const atNs = fromNs - 4e9 + (frame * 1e9) / 60;
          return { frameNumber: 0, captureNs: atNs + 2e6, timestampUs: 1.7e15 + atNs / 1000 };
        }),
    );
  foreign.add(pictures(0, 239), { rate, frameFormat: 'progressive' });
  const samples = range(0, 10).map((half) => loadSample({ atNs: fromNs + half * 0.5e9 }));
  const set = { deaths: 0, lost: false, standstills: () => [], flush: () => Promise.resolve() };
  const options = { set, clock, thresholds: defaultThresholds, wallOffsetUs: 0, samples: () => samples };
  const elsewhere = { ...options, isSenderRemote: true };
  const meter = new RowMeter(elsewhere, 0, [stream], fromNs, toNs);
  expect(meter.firstSlot(stream)).toBeNull();
  foreign.add(pictures(240, 560), { rate, frameFormat: 'progressive' });
  const row = await clock.until(meter.close(toNs));
  expect(row.verdict).toBe('FAIL');
  expect(row.figures.framesMissing).toBe(3);
  expect(row.figures.framesDropped).toBeNull();
  expect(row.figures['gapHistogram.of3to5']).toBe(1);
  expect(row.figures.picturesCaptured).toBe(237);
  expect(row.subjects[0]?.losses).toMatchObject([{ stage: 'missing', frames: 3 }]);
});

test('a row of a stream that others receive waits for no picture, and counts what its sender did', async () => {
  const { meter, clock, stream, toNs } = measuredRow({
    isReceived: false,
    missed: { frames: 2, cause: MissCause.SendBlocked },
  });
  stream.isReceiverRemote = true;
  const { figures, verdict } = await clock.until(meter.close(toNs));
  expect(clock.monotonicNs() - toNs).toBeLessThan(2e9);
  const { framesScheduled } = figures;
  expect(figures).toMatchObject({ framesSenderMissed: 2, framesSubmitted: (framesScheduled ?? 0) - 2 });
  expect(figures.framesDropped).toBeNull();
  expect(verdict).toBe('FAIL');
});

test('of several machines that receive, one of which no load sample came is named', async () => {
  const { set, clock, stream, fromNs, toNs, samples } = measuredRow({ seconds: 4 });
  const [first, second] = [
    new SampledSide({ name: 'display-1', network: '' }),
    new SampledSide({ name: 'display-2', network: '' }),
  ];
  for (const sample of samples) first.add(sample);
  const of = {
    ...set,
    receiverSides: [first, second],
    senderSide: new SampledSide({ name: 'render-1', network: '' }),
  };
  const options = { set: of, clock, thresholds: defaultThresholds, wallOffsetUs: 0, samples: () => samples };
  stream.receiverHost = first.name;
  const row = await clock.until(new RowMeter(options, 1, [stream], fromNs, toNs).close(toNs));
  const [fact] = row.reason.filter(({ code }) => code === 'no-load-sample');
  expect(fact?.data).toMatchObject({ machine: 'display-2' });
  expect(row.subjects[0]?.hosts).toMatchObject({ receiver: 'display-1' });
  expect(row.load['display-1']?.receiver).toMatchObject({ cpuMaxPercent: 20 });
  expect(row.notMeasured['receiver.cpuMaxPercent']).toMatch(/^display-2: no load sample/);
});

test('of a machine that is gone for good, no frame counts that was due after its last report', async () => {
  const { meter, clock, set, fromNs, toNs } = measuredRow({
    seconds: 4,
    lost: { frames: 3, transportDropped: 0 },
  });
  const reportedToNs = fromNs + 1e9;
  Object.assign(set, { lost: true, deaths: 1, reportedToNs: () => reportedToNs });
  const { figures, verdict } = await clock.until(meter.close(toNs));
  const { numerator, denominator } = testRate;
  expect(figures.framesScheduled).toBe(numerator / denominator);
  expect(figures.framesDropped).toBe(3);
  expect(verdict).toBe('INVALID');
  // Nothing more is waited for.
  expect(clock.monotonicNs() - toNs).toBeLessThan(2e9);
});
