import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { frameNumbers } from '../../facts/figure';
import { exitCodeOf, exitCodes, problemText } from '../../protocol/errors';
import type { ReceiverReport } from '../../protocol/host';
import { audioRecords, clockRecords } from '../../protocol/record-block';
import {
  InjectedFault,
  LateCause,
  MissCause,
  PictureClass,
  PictureStatus,
  type ReceiverStatus,
} from '../../protocol/records';
import { type CausedFrames, sharedRecordsXml } from '../../protocol/shared-records';
import { noStandstill, type StandstillSums } from '../../protocol/standstill';
import { defaultThresholds } from '../../protocol/thresholds';
import { type Capture, captures, range, testSourceId } from '../../testing/columns';
import { FakeApplication } from '../../testing/fake-application';
import { sharedLoad } from '../../testing/shared-load';
import { machineClock } from '../clock';
import { StandstillLog } from '../load/standstills';
import { ClockOffset } from './clocks/clock-offset';
import { SharedClock } from './clocks/release-clock';
import type { CaptureCounter } from './counting/capture-counter';
import { firstSlotFrom } from './counting/schedule';
import { SourceMark } from './counting/slot-flags';
import { injectedIn, noneInjected, partsOf } from './losses/loss-parts';
import { isOverdue, noVideo, WatchSet } from './watch-set';

const boot = 'this-boot';
const periodNs = 1e9 / 60;
/** The sender has run for a day when it is watched. */
const first = 5_184_000;
const slotNs = (slot: number): number => 5e9 + slot * periodNs;
const senderId = 7;

const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1 },
  ...{ frameFormat: 'progressive', fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1 },
  ...{ transportDropped: 0, transportQueueDepth: 0, metadataDropped: 0 },
};

let application: FakeApplication;
let set: WatchSet;
let events: { kind: string; text: string; details?: Record<string, unknown> }[];

beforeEach(async () => {
  application = new FakeApplication();
  events = [];
  set = new WatchSet({
    standstills: new StandstillLog(),
    ...{
      application,
      clock: machineClock,
      transport: { name: 'ndi', candidates: [] },
      wallOffsetUs: 0,
      boot,
    },
    noteEvent: (kind, text, details) => events.push({ kind, text, details }),
  });
  await set.start();
  await set.followed.add('Elsewhere 1');
});
afterEach(() => set.close());

interface Reported {
  metadata?: string[];
  atNs?: number;
  receiver?: Partial<ReceiverReport>;
}

/** What the receiving host says: these pictures, and what was heard. */
function reportPictures(pictures: Capture[], { metadata = [], atNs, receiver }: Reported = {}): void {
  const newestNs = pictures[pictures.length - 1]?.captureNs ?? 0;
  const report: ReceiverReport = {
    ...{ streamId: 1, sourceName: 'HOST (Elsewhere 1)', address: '', openedNs: 1, listed: true, metadata },
    soundPeakDbfs: null,
    status: { ...status, lastCaptureNs: newestNs },
    captures: captures(pictures),
    audio: audioRecords.empty(),
    time: clockRecords.empty(),
    ...receiver,
  };
  application.host('receiving').report({ atNs: atNs ?? newestNs, receivers: [report] });
}

function coded(slots: number[], capture: Partial<Capture> = {}): Capture[] {
  return slots.map((slot) => ({
    ...{ frameNumber: slot, captureNs: slotNs(slot) + 3e6, senderId },
    releaseTimeUs: Math.round(slotNs(slot) / 1000),
    ...capture,
  }));
}

function report(slots: number[], metadata: string[] = []): void {
  reportPictures(coded(slots), { metadata, atNs: slotNs(slots.at(-1) ?? first) });
}

interface Reported {
  missed?: number[];
  cause?: number;
  late?: CausedFrames;
  injected?: CausedFrames;
  boot?: string;
  sourceId?: number;
  cpuPercent?: number | null;
  overflowed?: number;
  standstills?: StandstillSums;
}

const noFrames: CausedFrames = { frameNumber: new Uint32Array(0), cause: new Uint8Array(0) };

function reported(submitted: number[], options: Reported = {}): string {
  const { missed = [], cause = MissCause.SendBlocked, late, cpuPercent = 12.5, sourceId } = options;
  const causes = new Uint8Array(missed.length).fill(cause);
  return sharedRecordsXml({
    ...{ senderId, sourceId: sourceId ?? testSourceId, startNs: 5e9, wallOffsetUs: 0 },
    ...{ boot: options.boot ?? boot, overflowed: options.overflowed ?? 0 },
    standstills: options.standstills ?? noStandstill,
    load: sharedLoad({ cpuPercent, measuredNs: slotNs(submitted[0] ?? 0) }),
    submitted: Uint32Array.from(submitted),
    beginUs: Float64Array.from(submitted, (slot) => Math.round((slotNs(slot) - 5e9) / 1000)),
    missed: { frameNumber: Uint32Array.from(missed), cause: causes },
    late: late ?? noFrames,
    injected: options.injected ?? noFrames,
  });
}

const stream = () => {
  const [found] = set.followed.streams;
  if (!found) throw new Error('there is no stream');
  return found;
};

function ledger() {
  const found = stream().ledger;
  if (!found) throw new Error('the stream is not followed yet');
  return found;
}

const kinds = (): string[] => events.map(({ kind }) => kind);

describe('with the sender’s records', () => {
  test('each absent number is attributed', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const counter = ledger().openRange(first + 10);
    counter.last = first + 99;
    const seen = range(first + 10, first + 109).filter((slot) => ![first + 20, first + 30].includes(slot));
    const submitted = range(first + 10, first + 109).filter((slot) => slot !== first + 20);
    report(seen, [reported(submitted, { missed: [first + 20] })]);
    const counts = ledger().close(counter, first + 99);
    expect(counts.tally).toMatchObject({ scheduled: 90, submitted: 89, missed: 1, dropped: 1 });
    expect([
      frameNumbers(counts.tally.missedFrames.ranges),
      frameNumbers(counts.tally.droppedFrames.ranges),
    ]).toEqual([[first + 20], [first + 30]]);
    expect(counts.conserved).toBe(true);
    expect(counter.latency.percentilesMs([50])[0]).toBeCloseTo(3, 1);
    expect(counter.submitInterval.percentilesMs([50])[0]).toBeCloseTo(16.67, 1);
    expect(ledger().identity.clock).toBeInstanceOf(SharedClock);
    expect(stream().reportedLoads.isHere).toBe(true);
  });

  test('records that the sender itself lost are known', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    expect(ledger().source.overflowed).toBe(0);
    report([], [reported([], { overflowed: 7 })]);
    expect(ledger().source.overflowed).toBe(7);
    // A sum that falls and rises again is no new loss.
    report([], [reported([], { overflowed: 0 })]);
    expect(ledger().source.overflowed).toBe(7);
    report([], [reported([], { overflowed: 7 })]);
    expect(ledger().source.overflowed).toBe(7);
  });

  test('a fault that it says it injected is its own word, and none of this run', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const counter = ledger().openRange(first + 10);
    counter.last = first + 39;
    const missed = [first + 20];
    const submitted = range(first + 10, first + 59).filter((slot) => slot !== first + 20);
    report(submitted, [reported(submitted, { missed, cause: MissCause.Injected })]);
    const counts = ledger().close(counter, first + 39);
    expect(counts.tally.missCauses.Injected).toBe(1);
    const injected = injectedIn(stream(), counts);
    expect(injected).toEqual(noneInjected);
    expect(partsOf(counts.tally, injected)).toMatchObject({ injectedMissed: 0, saidInjected: 1 });
  });

  test('frames that it says it left out are known as such, those that it lost beside them are not', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const lost = [first + 20, first + 21, first + 30];
    const submitted = range(first + 10, first + 59);
    const injected = {
      frameNumber: Uint32Array.of(first + 20, first + 21, first + 22),
      cause: new Uint8Array(3).fill(InjectedFault.Skipped),
    };
    const seen = submitted.filter((slot) => !lost.includes(slot));
    report(seen, [reported(submitted, { injected })]);
    const said = (mark: number): number => ledger().saidInjectedIn(first + 10, first + 59, mark);
    expect([said(SourceMark.SaidSkipped), said(SourceMark.SaidSpoilt)]).toEqual([2, 0]);
  });

  test('how long the sender’s process stood still is known from when it was first heard', () => {
    const sums = (stoppedMs: number, starvedMs: number, frames: number[] = []): string =>
      reported(frames, { standstills: { stoppedMs, starvedMs } });
    const hear = (seconds: number, ...metadata: string[]): void =>
      reportPictures([], { metadata, atNs: slotNs(first) + seconds * 1e9 });
    const submitted = range(first, first + 9);
    report(submitted, [sums(5000, 60, submitted)]);
    hear(1, sums(5000, 60));
    hear(3, sums(6200, 60));
    // Messages that were held up come together.
    hear(5, sums(6200, 160), sums(6900, 160), sums(7400, 160));
    // Started again, it counts anew.
    hear(6, sums(100, 0));
    // More than the time that passed, and half a second for the way, is not true.
    hear(6.25, sums(9000, 0));
    const pieces = stream().senderStandstills.near(0, slotNs(first) + 9e9);
    const who = { sender: stream().name };
    expect(pieces.map((piece) => [piece.who, piece.kind, piece.toNs - piece.fromNs])).toEqual([
      [who, 'stopped', 1.2e9],
      [who, 'stopped', 1.2e9],
      [who, 'starved', 0.1e9],
      [who, 'stopped', 0.75e9],
    ]);
  });

  test('misses and late pictures have their causes, and the sender’s load is known', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const counter = ledger().openRange(first + 10);
    counter.last = first + 39;
    const late = {
      frameNumber: Uint32Array.of(first + 11, first + 12, first + 13),
      cause: Uint8Array.of(LateCause.Disk, LateCause.Disk, LateCause.Decode),
    };
    const missed = [first + 20];
    const submitted = range(first + 10, first + 59).filter((slot) => slot !== first + 20);
    report(submitted, [reported(submitted, { missed, cause: MissCause.SenderLate, late, cpuPercent: 97 })]);
    const { tally, conserved } = ledger().close(counter, first + 39);
    expect(tally.missCauses).toMatchObject({ SenderLate: 1, SendBlocked: 0 });
    expect(tally).toMatchObject({
      lateSource: 3,
      lateCauses: { Disk: 2, Decode: 1, Damaged: 0, Command: 0 },
    });
    expect(conserved).toBe(true);
    const atNs = slotNs(first + 59);
    expect(stream().reportedLoads.within(atNs - 5e9, atNs + 1e9)).toMatchObject([
      { cpuPercent: 12.5, gpuPercent: null },
      { cpuPercent: 97 },
    ]);
    expect(ledger().source.reportsLatePictures).toBe(true);
  });

  test('a sender on another machine has another clock, which its answers report', () => {
    report(range(first, first + 9), [reported(range(first, first + 9), { boot: 'another-boot' })]);
    const { clock, assumeSubmitted } = ledger().identity;
    expect(assumeSubmitted).toBe(false);
    expect(stream().reportedLoads.isHere).toBe(false);
    expect(clock).toBeInstanceOf(ClockOffset);
    expect(clock.offsetUs(slotNs(first))).toBeNull();
    const counter = ledger().openRange(first + 10);
    // Each answer: asked, heard 40 ms ahead of us, answered a millisecond later.
    const asked = range(0, 9).map((index) => slotNs(first + 10) / 1000 + index * 200_000);
    const column = (offsetUs: number) => Float64Array.from(asked, (us) => us + offsetUs);
    const time = { askedUs: column(0), heardUs: column(40_500), repliedUs: column(40_500), overflowed: 0 };
    reportPictures([], {
      receiver: { time: { ...time, answeredUs: column(1000) } },
      atNs: slotNs(first + 140),
    });
    reportPictures(
      range(first + 130, first + 139).map((slot) => ({
        ...{ frameNumber: slot, captureNs: slotNs(slot) + 3e6, senderId },
        releaseTimeUs: slotNs(slot) / 1000 + 40_000,
      })),
    );
    expect(stream().clock).toBe(clock);
    expect(counter.latency.percentilesMs([50])[0]).toBeCloseTo(3, 1);
    expect(counter.latencyUncertaintyUs).toBeLessThan(2000);
  });

  test('a clock that runs slow for hours does not part the rows from their frames', () => {
    const slow = (slot: number): number => slotNs(first) + (slot - first) * periodNs * 1.0005;
    const pictures = (slots: number[]) =>
      coded(slots).map((capture, index) => ({
        ...capture,
        captureNs: slow(slots[index] ?? 0) + 3e6 + (index % 5) * 1e6,
      }));
    for (let slot = first; slot < first + 600 * 60; slot += 60) {
      const slots = range(slot, slot + 59);
      reportPictures(pictures(slots), { metadata: [reported(slots, { boot: 'another-boot' })] });
    }
    const newest = first + 600 * 60 - 1;
    const { schedule } = ledger().source;
    expect(Math.abs(firstSlotFrom(schedule, slow(newest)) - newest)).toBeLessThanOrEqual(1);
  });

  test('sound is set against the picture', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const burst = first + 60 - (first % 60);
    const audio = {
      captureNs: Float64Array.of(slotNs(burst) + 4e6),
      frameNumber: Float64Array.of(burst),
      samples: Uint32Array.of(800),
      sampleRate: Uint32Array.of(48_000),
      burstNs: Float64Array.of(slotNs(burst) + 13e6),
      overflowed: 0,
    };
    report(range(first + 10, burst));
    reportPictures(coded(range(burst + 1, burst + 20)), { receiver: { audio } });
    expect(stream().audio?.over(first, burst + 20, () => true)?.offsetMs).toBeCloseTo(10, 3);
  });

  test('what is reported twice counts once', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const counter = ledger().openRange(first + 10);
    counter.last = first + 39;
    const submitted = range(first + 10, first + 49).filter((slot) => slot !== first + 20);
    report(submitted, [reported(submitted, { missed: [first + 20] })]);
    report([first + 50], [reported([...submitted, first + 50], { missed: [first + 20] })]);
    const counts = ledger().close(counter, first + 39);
    expect(counts).toMatchObject({ received: 29, conserved: true });
    expect(counts.tally).toMatchObject({ scheduled: 30, submitted: 29, missed: 1 });
    expect(ledger().anomalies).toBe(0);
  });

  test('hostile metadata takes no memory and moves no count', () => {
    report(range(first, first + 9), [reported(range(first, first + 9))]);
    const counter = ledger().openRange(first + 10);
    counter.last = first + 49;
    const foreign = reported(range(first, first + 49), { sourceId: 1 });
    report(range(first + 10, first + 59), [
      ...['<whiteline_records/>', '<x', '', foreign, '<ndi_tally/>'],
      reported(range(first + 10, first + 59)),
    ]);
    expect(ledger().close(counter, first + 49)).toMatchObject({ received: 40, conserved: true });
    const before = process.memoryUsage().arrayBuffers;
    report([first + 60], [reported([first + 60, 4_000_000_000, 2_000_000_000])]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
    expect(ledger().anomalies).toBeGreaterThan(0);
  });
});

test('without records it waits a second, then counts what is missing', () => {
  report(range(first, first + 9));
  expect(stream().ledger).toBeNull();
  report(range(first + 10, first + 69));
  expect(ledger().identity).toMatchObject({ assumeSubmitted: true, senderId, firstSlot: first });
  expect(ledger().identity.clock.offsetUs(slotNs(first))).toBeNull();
  const counter = ledger().openRange(first + 70);
  counter.last = first + 99;
  report(range(first + 70, first + 119).filter((slot) => slot !== first + 80));
  expect(ledger().close(counter, first + 99).tally).toMatchObject({ dropped: 1, submitted: 30 });
});

test('numbers that jump ahead of their time cost neither memory nor time, and move no row', () => {
  report(range(first, first + 9));
  report(range(first + 10, first + 69));
  const counter = ledger().openRange(first + 70);
  counter.last = first + 99;
  const { startNs } = ledger().source.schedule;
  const before = process.memoryUsage().arrayBuffers;
  for (const slot of range(first + 70, first + 799)) {
    const [hostile] = coded([slot], { frameNumber: slot + 2 ** 25 });
    reportPictures([...coded([slot]), ...(hostile ? [hostile] : [])]);
  }
  report([first + 800]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
  expect(Math.abs(ledger().source.schedule.startNs - startNs)).toBeLessThan(1e9);
  expect(ledger().wrongSource).toBe(730);
  expect(ledger().close(counter, first + 99).tally).toMatchObject({ dropped: 0, submitted: 30, seen: 30 });
});

test('a rate out of all reason is not taken', () => {
  const hostile = { ...status, rateNumerator: 2_000_000_000, rateDenominator: 1, lastCaptureNs: 1 };
  for (const slots of [range(first, first + 9), range(first + 10, first + 69)])
    reportPictures(coded(slots), { receiver: { status: hostile } });
  expect(ledger().source.schedule.rate).toEqual({ numerator: 30, denominator: 1 });
});

describe('a sender that is started again', () => {
  const other = 815;

  /** The sender's new start: its numbers begin at 0 again, two seconds after its last picture. */
  function restarted(from: number, to: number): Capture[] {
    return range(from, to).map((slot) => ({
      ...{ frameNumber: slot, sourceId: other, senderId },
      captureNs: slotNs(first + 100) + 2e9 + slot * periodNs,
    }));
  }

  let counter: CaptureCounter;

  beforeEach(() => {
    report(range(first, first + 50), [reported(range(first, first + 50))]);
    counter = ledger().openRange(first + 60);
    report(range(first + 51, first + 99), [reported(range(first + 51, first + 90))]);
  });

  test('is followed on as another stream in the same place, and never counted as loss or reorder', () => {
    const [before] = set.followed.streams;
    reportPictures(restarted(0, 10));
    expect(set.followed.streams[0]).toBe(before);
    reportPictures(restarted(11, 40), { metadata: [reported(range(0, 40), { sourceId: other })] });
    const after = stream();
    expect(after).not.toBe(before);
    expect([after.id, after.name, set.followed.changes]).toEqual([1, 'Elsewhere 1', 1]);
    expect(kinds()).toContain('sender-restarted');
    const restart = events.find(({ kind }) => kind === 'sender-restarted');
    expect(restart?.text).toMatch(/started again, 2\.0 s after its last picture/);
    reportPictures(restarted(41, 60), { metadata: [reported(range(41, 60), { sourceId: other })] });
    expect(ledger().identity).toMatchObject({ sourceId: other, assumeSubmitted: false });
    expect(after.connectMs).toBe(before?.connectMs);
    expect(after.watchdog.lastRecovery?.afterMs).toBeCloseTo(2017, -1);
    // The row of the first sender ends at its last picture, reported or not.
    expect(before?.endedNs).toBeCloseTo(slotNs(first + 100), -3);
    const counts = before?.ledger?.close(counter, first + 99);
    expect(counts).toMatchObject({
      received: 40,
      reordered: 0,
      wrongSource: 0,
      unrecorded: 0,
      conserved: true,
    });
    expect(counts?.tally).toMatchObject({ submitted: 40, dropped: 0 });
  });

  test('records that were quicker than their pictures do not count twice', () => {
    report([], [reported(range(first + 91, first + 110))]);
    report(range(first + 100, first + 110));
    const [before] = set.followed.streams;
    reportPictures(restarted(11, 60));
    expect(stream()).not.toBe(before);
    expect(before?.ledger?.anomalies).toBe(0);
    expect(before?.ledger?.close(counter, first + 110)).toMatchObject({ received: 51, conserved: true });
  });

  test('that comes back as well is a second sender of the name', () => {
    reportPictures(restarted(0, 40), { metadata: [reported(range(0, 40), { sourceId: other })] });
    reportPictures(restarted(41, 60), { metadata: [reported(range(41, 60), { sourceId: other })] });
    const followed = stream();
    const atNs = slotNs(first + 100) + 4e9;
    const back = coded(range(first + 200, first + 260)).map((capture, index) => ({
      ...capture,
      captureNs: atNs + index * periodNs,
    }));
    reportPictures(back);
    expect(stream()).toBe(followed);
    expect(ledger().wrongSource).toBe(61);
    expect(events.filter(({ kind }) => kind === 'wrong-source')).toHaveLength(1);
    expect(kinds().filter((kind) => kind === 'sender-restarted')).toHaveLength(1);
  });
});

describe('another sender that took the port of one that ended', () => {
  const named = (digits: string): string => `<whiteline_sender name="${digits}"/>`;
  const ours = named('4f757273');
  const other = named('4f74686572');
  /** From so many seconds after our sender's last picture on. */
  const from = (seconds: number, sourceId: number, slots: number[]): Capture[] =>
    slots.map((slot) => ({
      ...{ frameNumber: slot, sourceId, senderId },
      captureNs: slotNs(first + 100) + seconds * 1e9 + slot * periodNs,
    }));

  beforeEach(() => {
    report(range(first, first + 50), [ours, reported(range(first, first + 50))]);
    report(range(first + 51, first + 99), [reported(range(first + 51, first + 99))]);
  });

  test('is not followed, and its pictures end no outage', () => {
    const [before] = set.followed.streams;
    reportPictures(from(0.1, 815, range(0, 10)));
    for (const slot of range(11, 200).filter((number) => number % 15 === 0))
      reportPictures(from(0.1, 815, range(slot, slot + 14)), { metadata: slot === 15 ? [other] : [] });
    expect(set.followed.streams).toEqual([before]);
    expect(kinds()).not.toContain('sender-restarted');
    expect(kinds()).toContain('wrong-source');
    expect(ledger().wrongSource).toBe(0);
    // Ours is started again, and the receiver connects to it.
    reportPictures(from(5, 816, range(0, 14)), { metadata: [ours] });
    for (const slot of [15, 30, 45, 60]) {
      const records = reported(range(0, slot + 14), { sourceId: 816 });
      reportPictures(from(5, 816, range(slot, slot + 14)), { metadata: [records] });
    }
    expect(ledger().identity).toMatchObject({ sourceId: 816, assumeSubmitted: false });
    const restart = events.find(({ kind }) => kind === 'sender-restarted');
    expect(restart?.text).toMatch(/started again, 5\.[23] s after its last picture/);
  });

  test('that is gone leaves the place to one that reports no name, as earlier versions do not', () => {
    reportPictures(from(0.1, 815, range(0, 10)), { metadata: [other] });
    reportPictures([], { atNs: slotNs(first + 200), receiver: { status: { ...status, connections: 0 } } });
    reportPictures(from(5, 816, range(0, 40)));
    reportPictures(from(5, 816, range(41, 140)));
    expect(ledger().identity.sourceId).toBe(816);
  });
});

describe('a second sender of the same name', () => {
  const stranger = (slots: number[]): Capture[] => coded(slots, { sourceId: 99, senderId: 0 });

  test('beside the first is a wrong source, and no loss of the first', () => {
    report(range(first, first + 10));
    report(range(first + 11, first + 70));
    const counter = ledger().openRangeAt(slotNs(first + 80));
    report(range(first + 71, first + 99));
    reportPictures(stranger(range(first + 100, first + 104)));
    reportPictures([...coded(range(first + 105, first + 109)), ...stranger(range(first + 110, first + 112))]);
    expect(set.followed.changes).toBe(0);
    expect(ledger().wrongSource).toBe(5);
    expect(stream().state(slotNs(first + 112), { warmUpSeconds: 1, connectTimeoutSeconds: 10 })).toBe(
      'wrong-source',
    );
    report(range(first + 113, first + 130));
    ledger().endRange(counter, slotNs(first + 131));
    const counts = ledger().closeRange(counter);
    expect(counts).toMatchObject({ received: 43, wrongSource: 8, reordered: 0, conserved: true });
    expect(counts.otherSeconds).toBeCloseTo(8 / 60, 3);
    expect(counts.tally.dropped).toBe(0);
    expect(kinds()).toContain('wrong-source');
    expect(kinds()).not.toContain('sender-restarted');
  });

  test('whose records are known alternates with the first: both cannot be counted', () => {
    report(range(first, first + 70), [reported(range(first, first + 70))]);
    const [before] = set.followed.streams;
    const counter = ledger().openRange(first + 80);
    report(range(first + 71, first + 99), [reported(range(first + 71, first + 99))]);
    reportPictures(stranger(range(first + 100, first + 104)));
    reportPictures([...coded(range(first + 105, first + 109)), ...stranger(range(first + 110, first + 112))]);
    expect(set.followed.changes).toBe(1);
    expect(before?.ledger?.wrongSource).toBe(5);
    expect(stream().state(slotNs(first + 112), { warmUpSeconds: 1, connectTimeoutSeconds: 10 })).toBe(
      'wrong-source',
    );
    const counts = before?.ledger?.close(counter, first + 99);
    expect(counts).toMatchObject({ received: 20, reordered: 0 });
    expect(counts?.tally.dropped).toBe(0);
    expect(kinds()).toContain('wrong-source');
    expect(kinds()).not.toContain('sender-restarted');
    // The first is followed on.
    report(range(first + 200, first + 300));
    report(range(first + 301, first + 370));
    expect(ledger().identity.sourceId).toBe(testSourceId);
    // Not reported each time.
    expect(kinds().filter((kind) => kind === 'stream-connected')).toHaveLength(1);
  });

  test('with another number is never followed', () => {
    report(range(first, first + 50), [reported(range(first, first + 50))]);
    const followed = stream();
    reportPictures(coded(range(first + 51, first + 160), { senderId: senderId + 1 }));
    expect(stream()).toBe(followed);
    expect(ledger().wrongSource).toBe(110);
    expect(kinds()).toContain('wrong-source');
  });
});

describe('a sender without our code', () => {
  function plain(frames: number[], capture: Partial<Capture> = {}): Capture[] {
    return frames.map((frame) => ({
      ...{ frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: PictureClass.Other },
      captureNs: slotNs(first + frame) + 3e6,
      timestampUs: slotNs(first + frame) / 1000,
      ...capture,
    }));
  }

  test('is followed by timestamps after a second', () => {
    reportPictures(plain(range(0, 50)));
    expect(stream().foreign).toBeNull();
    reportPictures(plain(range(51, 70)));
    const { foreign } = stream();
    if (!foreign) throw new Error('it is not followed');
    expect(kinds()).toEqual(['stream-added', 'stream-connected']);
    expect(events.at(-1)?.text).toMatch(
      /, no frame code: counted by timestamps against the declared rate of 60 frames a second$/,
    );
    const counted = foreign.openRange(slotNs(first + 71));
    reportPictures(plain(range(71, 200).filter((frame) => frame !== 100)));
    expect(foreign.preview(counted, slotNs(first + 201))).toMatchObject({ missing: 1, received: 129 });
    expect(stream().framesPerSecond).toBe(60);
  });

  test.each([
    ['black', PictureClass.Black],
    ['the SDK’s placeholder', PictureClass.Placeholder],
  ])('is not taken for one while its pictures are %s', (_, pictureClass) => {
    reportPictures(plain(range(0, 100), { pictureClass }));
    reportPictures(plain(range(101, 200), { pictureClass }));
    expect(stream().foreign).toBeNull();
    const atNs = slotNs(first + 200);
    expect(stream().state(atNs, { warmUpSeconds: 0, connectTimeoutSeconds: 10 })).toBe('undecodable');
  });

  test('that declares no rate has a measured one, and can stall', () => {
    const undeclared = (last: number): Reported => ({
      receiver: {
        status: { ...status, rateNumerator: 0, rateDenominator: 0, lastCaptureNs: slotNs(first + last) },
      },
    });
    reportPictures(plain(range(0, 80)), undeclared(80));
    reportPictures(plain(range(81, 200)), undeclared(200));
    expect(stream().framesPerSecond).toBeCloseTo(60, 1);
    const atNs = slotNs(first + 200) + 1e9;
    reportPictures([], { ...undeclared(200), atNs });
    expect(stream().state(atNs, { warmUpSeconds: 0, connectTimeoutSeconds: 10 })).toBe('stalled');
  });

  test('makes way for one that has it', () => {
    reportPictures(plain(range(0, 100)));
    const before = stream();
    expect(before.foreign).not.toBeNull();
    report(range(first + 101, first + 140), [reported(range(first + 101, first + 140))]);
    report(range(first + 141, first + 200), [reported(range(first + 141, first + 200))]);
    expect(stream()).not.toBe(before);
    expect(ledger().identity.sourceId).toBe(testSourceId);
    expect(kinds()).toContain('sender-restarted');
  });

  test('takes the place of one that has it, when that one is gone', () => {
    report(range(first, first + 50), [reported(range(first, first + 50))]);
    const before = stream();
    reportPictures(plain(range(51, 160)));
    expect(stream()).toBe(before);
    const gone = { ...status, connections: 0, lastCaptureNs: slotNs(first + 160) };
    reportPictures([], { receiver: { status: gone, listed: false }, atNs: slotNs(first + 200) });
    reportPictures(plain(range(300, 340)));
    reportPictures(plain(range(341, 370)));
    expect(stream()).not.toBe(before);
    reportPictures(plain(range(371, 440)));
    expect(stream().foreign).not.toBeNull();
  });

  test('that was gone and is back is followed anew', () => {
    reportPictures(plain(range(0, 100)));
    const before = stream();
    const gone = { ...status, connections: 0, lastCaptureNs: slotNs(first + 100) };
    reportPictures([], { receiver: { status: gone, listed: false }, atNs: slotNs(first + 160) });
    reportPictures(plain(range(200, 270)));
    expect(stream()).not.toBe(before);
    reportPictures(plain(range(271, 340)));
    expect(stream().foreign).not.toBeNull();
    expect(kinds()).toContain('sender-restarted');
  });
});

describe('a stream of which no frame can be counted in time', () => {
  const noFrames = { frameNumber: 0, status: PictureStatus.Undecodable };
  /** A picture of this kind every second, the first one so long after the stream was added. */
  const show = (pictureClass: number, seconds: readonly number[]): void => {
    for (const second of seconds)
      reportPictures([{ ...noFrames, pictureClass, captureNs: stream().addedNs + second * 1e9 }]);
  };
  const addedPlus = (seconds: number) => stream().addedNs + seconds * 1e9;
  const said = (seconds: number): string =>
    noVideo(stream(), addedPlus(seconds), defaultThresholds, { listed: [] }).message;

  test('is waited for until then, and longer while it is being found out what came', () => {
    expect(isOverdue(stream(), addedPlus(9.9), defaultThresholds)).toBe(false);
    expect(isOverdue(stream(), addedPlus(10.1), defaultThresholds)).toBe(true);
    show(PictureClass.Other, [9.5]);
    expect(isOverdue(stream(), addedPlus(10.1), defaultThresholds)).toBe(false);
    expect(isOverdue(stream(), addedPlus(12.1), defaultThresholds)).toBe(true);
    show(PictureClass.Other, [12.2]);
    expect(isOverdue(stream(), addedPlus(13), defaultThresholds)).toBe(false);
    expect(stream().followedBy).toBe('times');
  });

  test.each([
    ['none came', PictureClass.Other, [], /^No sender named Elsewhere 1 was found within 10 s$/],
    ['black', PictureClass.Black, range(1, 10), /^Elsewhere 1: Pictures come, but they are black/],
    ['placeholders', PictureClass.Placeholder, range(1, 10), /^Elsewhere 1: The SDK shows its placeholder/],
    ['black, and then none', PictureClass.Black, [1, 2], /^Elsewhere 1: only black pictures arrived/],
    ['one picture', PictureClass.Other, [3], /^Elsewhere 1: too few pictures arrived to tell/],
  ])('says what came: %s', (_, pictureClass, seconds, message) => {
    show(pictureClass, seconds);
    if (seconds.length > 0) reportPictures([], { atNs: addedPlus(10.1) });
    expect(said(10.1)).toMatch(message);
  });
});

describe('a stream of which no picture came', () => {
  const why = (listed: string[], address?: string): string => {
    const atNs = stream().addedNs + 10.1e9;
    return problemText(noVideo(stream(), atNs, defaultThresholds, { listed, address }));
  };
  const absent = /^No sender named Elsewhere 1 was found within 10 s\. See whiteline sources/;

  test.each<[string, string[], RegExp]>([
    ['nothing is listed', [], absent],
    ['only others are listed', ['VM (Camera)'], absent],
    [
      'one differs by case',
      ['VM (elsewhere 1)'],
      /10 s\. Did you mean VM \(elsewhere 1\)\? Upper and lower case differ\. See/,
    ],
    [
      'one differs by a letter',
      ['VM (Elsewhere 2)', 'VM (Camera)'],
      /10 s\. Did you mean VM \(Elsewhere 2\)\? See/,
    ],
    [
      'several are near',
      ['A (Elsewhere)', 'B (Elsewhere 2)'],
      /Did you mean B \(Elsewhere 2\) or A \(Elsewhere\)\?/,
    ],
  ])('%s', (_, listed, words) => {
    expect(why(listed)).toMatch(words);
  });

  test('a full name is compared in full', async () => {
    const full = await set.followed.add('vm (x)');
    const problem = noVideo(full, full.addedNs + 10.1e9, defaultThresholds, { listed: ['VM (x)', 'VM (y)'] });
    expect(problem.remedy).toMatch(/^Did you mean VM \(x\) or VM \(y\)\? Upper and lower case differ/);
  });

  test('at an address that was given, names the address', () => {
    expect(why(['VM (elsewhere 1)'], '192.0.2.7:5961')).toMatch(
      /^No video of Elsewhere 1 came from 192\.0\.2\.7:5961 within 10 s\. Check the address and its port/,
    );
  });

  test('that discovery found', () => {
    reportPictures([], { atNs: stream().addedNs + 1e9 });
    expect(why([])).toMatch(
      /^No video of Elsewhere 1 came within 10 s, though discovery found it\. Check the firewall/,
    );
  });

  test('proves nothing: no row was measured', () => {
    const problem = noVideo(stream(), stream().addedNs + 10.1e9, defaultThresholds, { listed: [] });
    expect(exitCodeOf(problem)).toBe(exitCodes.environment);
  });
});

test('a sender that is silent for twenty seconds is no longer waited for, but followed when it is back', () => {
  report(range(first, first + 50), [reported(range(first, first + 50))]);
  const before = stream();
  const silent = { ...status, lastCaptureNs: slotNs(first + 50) };
  reportPictures([], { receiver: { status: silent }, atNs: slotNs(first + 50) + 19e9 });
  expect(stream()).toBe(before);
  reportPictures([], { receiver: { status: silent }, atNs: slotNs(first + 50) + 21e9 });
  expect(stream()).not.toBe(before);
  expect(before.endedNs).toBeCloseTo(slotNs(first + 51), -3);
  const back = range(first + 1500, first + 1520);
  report(back, [reported(back)]);
  expect(ledger().identity.sourceId).toBe(testSourceId);
  expect(kinds()).not.toContain('sender-restarted');
});

test('pictures that no one can follow take no memory, for however long they come', () => {
  const black = { status: PictureStatus.Undecodable, pictureClass: PictureClass.Black };
  for (const second of range(0, 120))
    reportPictures(coded(range(first + second * 60, first + second * 60 + 59), black));
  const kept = stream().early.reduce((sum, { captureNs }) => sum + captureNs.length, 0);
  expect(kept).toBeLessThanOrEqual(11 * 60);
  expect(kept).toBeGreaterThanOrEqual(9 * 60);
});

test('a receiving host that dies is started again with its streams', async () => {
  report(range(first, first + 50), [reported(range(first, first + 50))]);
  const before = stream();
  application.host('receiving').die();
  expect(set.followed.deaths).toBe(1);
  expect(set.followed.recovering).toBe(true);
  await vi.waitFor(() => expect(kinds()).toContain('host-started'));
  expect(application.host('receiving').named('openReceiver')).toEqual([
    { name: 'openReceiver', streamId: 1, sourceName: 'Elsewhere 1', address: undefined, askTime: true },
  ]);
  // No row opens before the new receiver is over its warm-up, unless nothing comes for too long.
  const limits = { warmUpSeconds: 1, connectTimeoutSeconds: 10 };
  const reopenedNs = machineClock.monotonicNs();
  expect(before.isReady(reopenedNs + 5e9, limits)).toBe(false);
  expect(before.isReady(reopenedNs + 11e9, limits)).toBe(true);
  const counter = ledger().openRange(first + 100);
  counter.last = first + 120;
  report(range(first + 100, first + 150), [reported(range(first + 51, first + 150))]);
  expect(before.isReady(slotNs(first + 150), limits)).toBe(false);
  expect(before.isReady(slotNs(first + 161), limits)).toBe(true);
  expect(stream()).toBe(before);
  expect(ledger().close(counter, first + 120)).toMatchObject({ received: 21, conserved: true });
});
