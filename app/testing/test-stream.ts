import { type ReleaseClock, SharedClock } from '../engine/streams/clocks/release-clock';
import { ledgerOf } from '../engine/streams/counting/arrival-ledger';
import type { CaptureCounter } from '../engine/streams/counting/capture-counter';
import { DisplayLedger } from '../engine/streams/counting/display-ledger';
import type { RangeCounts } from '../engine/streams/counting/range-counts';
import { slotNs } from '../engine/streams/counting/schedule';
import { SourceLedger } from '../engine/streams/counting/source-ledger';
import type { LedgerIdentity, StreamLedger } from '../engine/streams/counting/stream-ledger';
import type { MeasuredStream } from '../engine/streams/rows/measured-stream';
import { ActiveSource, Stream } from '../engine/streams/stream';
import { PictureStatus } from '../protocol/records';
import {
  type Capture,
  captures,
  type Late,
  misses,
  range,
  type SubmitTiming,
  sourceRecords,
  submits,
  testSenderId,
  testSourceId,
} from './columns';

export const testRate = { numerator: 60, denominator: 1 };
const schedule = { startNs: 1e9, rate: testRate };
/** The clock of a sender on another machine of which nothing is known. */
export const unknownClock: ReleaseClock = {
  offsetUs: () => null,
  differenceUs: () => null,
  isShared: false,
  steps: [],
  uncertaintyUs: () => null,
};
/** Time from release to capture of a test's frames. */
export const latencyNs = 2e6;

export function frameNs(slot: number): number {
  return slotNs(schedule, slot);
}

/** A stream whose records a test writes; frame k is captured 2 ms after its slot unless the test says otherwise. */
export class TestStream {
  readonly source: SourceLedger;
  readonly ledger: StreamLedger;
  transportDropped = 0;

  constructor(identity: Partial<LedgerIdentity> = {}) {
    this.source = new SourceLedger(schedule, identity.firstSlot);
    this.ledger = ledgerOf(this.source, {
      sourceId: testSourceId,
      senderId: testSenderId,
      firstSlot: 0,
      assumeSubmitted: false,
      clock: new SharedClock(0),
      ...identity,
    });
  }

  /** Slots that the schedule offered; all are submitted on time but those missed. */
  send(
    first: number,
    last: number,
    options: { missed?: number[]; cause?: number; late?: Late; timing?: Partial<SubmitTiming> } = {},
  ) {
    const { missed = [], cause, late } = options;
    const timing = { beginNs: frameNs, ...options.timing };
    const slots = range(first, last);
    this.source.add(sourceRecords(slots, late));
    this.ledger.addMisses(misses(missed, cause));
    this.ledger.addSubmits(
      submits(
        slots.filter((slot) => !missed.includes(slot)),
        timing,
      ),
    );
  }

  /** Captures the frames of a range in order, without those that got lost. */
  receive(first: number, last: number, lost: number[] = []): void {
    for (const slot of range(first, last)) if (!lost.includes(slot)) this.capture(slot);
  }

  capture(slot: number, capture: Partial<Capture> = {}): void {
    const one = {
      captureNs: frameNs(slot) + latencyNs,
      frameNumber: slot % 2 ** 32,
      releaseTimeUs: frameNs(slot) / 1000,
      transportDropped: this.transportDropped,
      ...capture,
    };
    this.ledger.addCaptures(captures([one]));
  }

  /** A picture without a readable code in the place of a frame. */
  blank(slot: number): void {
    this.capture(slot, { status: PictureStatus.Undecodable });
  }

  /** Opens a range; one that ends now or later is given its end before frames beyond it come. */
  open(first: number, last = Number.POSITIVE_INFINITY): CaptureCounter {
    const counter = this.ledger.openRangeAt(frameNs(first));
    if (Number.isFinite(last)) this.ledger.boundRange(counter, frameNs(last + 1));
    return counter;
  }

  close(counter: CaptureCounter, last: number): RangeCounts {
    if (!this.ledger.identity.assumeSubmitted) return this.ledger.close(counter, last);
    this.ledger.endRange(counter, frameNs(last + 1));
    return this.ledger.closeRange(counter);
  }

  /** Closes a row and gives the stream as the row sees it. */
  measure(counter: CaptureCounter, last: number): MeasuredStream {
    const counts = this.close(counter, last);
    return { stream: this.stream(), counts, counter, foreign: null, outages: [], framesPerSecond: 60 };
  }

  stream(): Stream {
    const source = new ActiveSource(1, 'white-line', { width: 640, height: 360, rate: testRate });
    source.ledger = this.source;
    const stream = new Stream(testSenderId, 'Whiteline 1', source, 0.5e9, 0);
    stream.ledger = this.ledger;
    stream.display = new DisplayLedger(this.ledger);
    return stream;
  }
}

/** Exact figures of a range, for comparison with what a test put in. */
export function figures(counts: RangeCounts): Record<string, number | boolean | null> {
  const { tally } = counts;
  return {
    scheduled: tally.scheduled,
    submitted: tally.submitted,
    missed: tally.missed,
    late: tally.lateSource,
    lateDisk: tally.lateCauses.Disk,
    lateDecode: tally.lateCauses.Decode,
    lateDamaged: tally.lateCauses.Damaged,
    captured: counts.captured,
    received: counts.received,
    dropped: tally.dropped,
    queue: counts.droppedReceiverQueue,
    duplicated: counts.duplicated,
    reordered: counts.reordered,
    ...counts.spoilt,
    matched: tally.matched,
    unmatched: counts.undecodableUnmatched,
    wrongSource: counts.wrongSource,
    stalls: counts.stalls,
    conserved: counts.conserved,
  };
}
