import type { CaptureCounter } from './counting/capture-counter';
import type { StreamLedger } from './counting/stream-ledger';
import type { ForeignLedger, ForeignRange } from './foreign/foreign-ledger';

/** A range that is counted: by slots, or by time where the sender's frames carry no code. */
export type OpenRange =
  | { ledger: StreamLedger; counter: CaptureCounter }
  | { foreign: ForeignLedger; range: ForeignRange };

/** What a stream is followed by. */
interface Ledgers {
  readonly ledger: StreamLedger | null;
  readonly foreign: ForeignLedger | null;
}

export function openRange(
  { ledger, foreign }: Ledgers,
  fromNs: number,
  untilNs: number,
  lostWindowSeconds: number,
): OpenRange | null {
  if (foreign) {
    const range = foreign.openRange(fromNs, lostWindowSeconds);
    range.toNs = untilNs;
    return { foreign, range };
  }
  if (!ledger) return null;
  const counter = ledger.openRangeAt(fromNs, lostWindowSeconds);
  if (Number.isFinite(untilNs)) ledger.boundRange(counter, untilNs);
  return { ledger, counter };
}

/** Counts it no more, where no row has it. */
export function forgetRange(open: OpenRange): void {
  if ('foreign' in open) open.foreign.forget(open.range);
  else open.ledger.forget(open.counter);
}

export function endRange(open: OpenRange, toNs: number): void {
  if ('foreign' in open) {
    open.range.toNs = Math.min(open.range.toNs, toNs);
    return;
  }
  open.ledger.endRange(open.counter, toNs);
}
