import type { CausedFrames, SharedRecords } from '../../protocol/shared-records';
import type { StreamLedger } from './counting/stream-ledger';

/** Adds a remote sender's records to the ledger. Returns the frame numbers that the sender reports for the first time. */
export function addReportedRecords(ledger: StreamLedger, records: SharedRecords, atNs: number): number[] {
  // A receiver that connects is sent the newest half minute, and so some of it twice.
  const isNew = (frameNumber: number | undefined): boolean =>
    frameNumber !== undefined && !ledger.knows(frameNumber) && ledger.isWithinReach(frameNumber, atNs);
  const { submitted, beginUs, missed, late, injected, startNs } = records;
  const begun = beginUs.filter((_, index) => isNew(submitted[index]));
  const sent = submitted.filter(isNew);
  // In the sender's clock: of interest is the time between two.
  addSubmits(
    ledger,
    sent,
    begun.map((us) => startNs + us * 1000),
  );
  const absent: CausedFrames = {
    frameNumber: missed.frameNumber.filter(isNew),
    cause: missed.cause.filter((_, index) => isNew(missed.frameNumber[index])),
  };
  ledger.addMisses({ ...absent, atNs: unknown(absent.frameNumber.length), overflowed: 0 });
  // Lost over there, before they could be reported. What was lost stays so: a sum that fell and rises again is no new loss.
  ledger.source.overflowed = Math.max(ledger.source.overflowed, records.overflowed);
  const reported = [...sent, ...absent.frameNumber];
  for (const frameNumber of reported) ledger.source.addReported(frameNumber);
  for (const [index, frameNumber] of late.frameNumber.entries())
    if (ledger.isWithinReach(frameNumber, atNs))
      ledger.source.addReportedLate(frameNumber, late.cause[index] ?? 0);
  for (const [index, frameNumber] of injected.frameNumber.entries())
    if (ledger.isWithinReach(frameNumber, atNs))
      ledger.source.addReportedFault(frameNumber, injected.cause[index] ?? 0);
  return reported;
}

/** Frames that were captured, and so submitted, though their sender did not live to report it. */
export function inferSubmitted(ledger: StreamLedger, frameNumbers: Iterable<number>): void {
  const sent = Uint32Array.from(frameNumbers).sort();
  addSubmits(ledger, sent, unknown(sent.length));
  for (const frameNumber of sent) ledger.source.addReported(frameNumber);
}

function addSubmits(ledger: StreamLedger, frameNumber: Uint32Array, beginNs: Float64Array): void {
  ledger.addSubmits({ frameNumber, beginNs, previousCallNs: unknown(frameNumber.length), overflowed: 0 });
}

/** Times are unknown for records that were reported on the way. */
function unknown(count: number): Float64Array {
  return new Float64Array(count).fill(Number.NaN);
}
