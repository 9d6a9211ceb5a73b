import type { CaptureCounter } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { TimeHistogram } from '../counting/time-histogram';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import type { Outage } from '../outages';
import type { Stream } from '../stream';

/** A stream of a row and what was counted of it. */
export interface MeasuredStream {
  stream: Stream;
  /** By the frame code. Null: no frame ever came, the sender never began, or its frames carry no code. */
  counts: RangeCounts | null;
  counter: CaptureCounter | null;
  /** Counts of a sender without our code; null for all others. */
  foreign: { counts: ForeignCounts; receiveInterval: TimeHistogram } | null;
  /** Times without a picture whose frames the counts do not have; in the order of time. */
  outages: readonly Outage[];
  framesPerSecond: number;
}
