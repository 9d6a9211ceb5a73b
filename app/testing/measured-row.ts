import { StandstillLog } from '../engine/load/standstills';
import { type ReleaseClock, SharedClock } from '../engine/streams/clocks/release-clock';
import { firstSlotFrom, slotNs } from '../engine/streams/counting/schedule';
import { SourceLedger } from '../engine/streams/counting/source-ledger';
import { StreamLedger } from '../engine/streams/counting/stream-ledger';
import { RowMeter } from '../engine/streams/rows/row-meter';
import { ActiveSource, Stream } from '../engine/streams/stream';
import type { LoadSample } from '../protocol/load';
import { defaultThresholds } from '../protocol/thresholds';
import { captures, misses, range, sourceRecords, submits, testSenderId, testSourceId } from './columns';
import { loadSample } from './load-sample';
import { SimulatedClock } from './simulated-clock';
import { testRate } from './test-stream';

export interface MeasuredRowOptions {
  /** How long it is; default: 2. */
  seconds?: number;
  endedSecondsAgo?: number;
  /** Frames whose captures the test hands over itself. */
  lateFrames?: number;
  /** Of the sender; the one of this machine by default. */
  clock?: ReleaseClock;
  /** Frames from the first of the row on that the sender misses, and why. */
  missed?: { frames: number; cause: number };
  /** Frames from the first of the row on that are lost, and the rise of the SDK's own drop counter with them. */
  lost?: { frames: number; transportDropped: number };
  /** Slots at the end of the row of which the sender wrote nothing. */
  unrecorded?: number;
  /** False: none of its pictures comes. */
  isReceived?: boolean;
}

/** A row that has just ended, of one stream with all its records but those that the test leaves out. */
export function measuredRow(options: MeasuredRowOptions = {}) {
  const clock = new SimulatedClock();
  const { seconds: rowSeconds = 2 } = options;
  const { endedSecondsAgo = 0.5, lateFrames = 0, missed, lost, unrecorded = 0, isReceived = true } = options;
  const toNs = clock.monotonicNs() - endedSecondsAgo * 1e9;
  const fromNs = toNs - rowSeconds * 1e9;
  const schedule = { startNs: fromNs - 5e9, rate: testRate };
  const source = new ActiveSource(1, 'white-line', { width: 640, height: 360, rate: testRate });
  source.ledger = new SourceLedger(schedule);
  const stream = new Stream(testSenderId, 'Whiteline 1', source, fromNs - 3e9, 0);
  const ledger = new StreamLedger(source.ledger, {
    ...{ sourceId: testSourceId, senderId: testSenderId, firstSlot: 0 },
    ...{ assumeSubmitted: false, clock: options.clock ?? new SharedClock(0) },
  });
  stream.follow(source, ledger);
  const standstills = new StandstillLog();
  const set = {
    ...{ deaths: 0, lost: false, flush: () => Promise.resolve() },
    standstills: (fromNs: number, toNs: number) => standstills.near(fromNs, toNs),
  };
  const samples: LoadSample[] = range(0, 2 * rowSeconds + 1).map((half) =>
    loadSample({ atNs: fromNs + half * 0.5e9 }),
  );
  const meterOptions = {
    ...{ set, thresholds: defaultThresholds, wallOffsetUs: 0, clock },
    ...{ samples: () => samples },
  };
  const meter = new RowMeter(meterOptions, 1, [stream], fromNs, toNs);
  const first = firstSlotFrom(schedule, fromNs);
  const end = firstSlotFrom(schedule, toNs);
  const slots = range(0, end + 10).filter((slot) => slot < end - unrecorded || slot >= end);
  const isMissed = (slot: number): boolean => slot >= first && slot < first + (missed?.frames ?? 0);
  const isLost = (slot: number): boolean => slot >= first && slot < first + (lost?.frames ?? 0);
  source.ledger.add(sourceRecords(slots));
  const at = (slot: number): number => slotNs(schedule, slot);
  ledger.addSubmits(
    submits(
      slots.filter((slot) => !isMissed(slot)),
      { beginNs: at },
    ),
  );
  ledger.addMisses(misses(slots.filter(isMissed), missed?.cause));
  const pictures = slots
    .filter((slot) => !isMissed(slot) && !isLost(slot))
    .map((slot) => ({
      frameNumber: slot,
      captureNs: at(slot) + 2e6,
      releaseTimeUs: at(slot) / 1000,
      transportDropped: slot > first ? (lost?.transportDropped ?? 0) : 0,
    }));
  const late = pictures.splice(pictures.findIndex(({ frameNumber }) => frameNumber >= end - lateFrames));
  ledger.addCaptures(captures(isReceived ? pictures : []));
  return {
    meter,
    set,
    standstills,
    samples,
    clock,
    stream,
    ledger,
    toNs,
    schedule,
    fromNs,
    late: captures(late),
  };
}

export type MeasuredRow = ReturnType<typeof measuredRow>;
