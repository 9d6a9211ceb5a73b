import type { SpoiltCounts } from '../../../facts/spoilt';
import { type CaptureCounter, longestMsOf, type Span, spanOver } from './capture-counter';
import type { GapList } from './gap-list';
import type { SlotFlags } from './slot-flags';
import type { SlotTally } from './slot-tally';
import type { SlotTimes } from './slot-times';
import type { SourceLedger } from './source-ledger';
import { stallsOf } from './stalls';

/** The end of a range from which nothing is known: no picture came and no record. What it cost follows from the rate. */
export interface SilentTail extends Span {
  /** When the silence began, perhaps before the range. */
  sinceNs: number;
  /** Frames that were due; null if the rate is not known. */
  frames: number | null;
  /** Whether `stalls` counts it. */
  isStall: boolean;
}

/** Counts of one range of slots of one stream; see the registry of metrics for each. */
export interface RangeCounts {
  first: number;
  last: number;
  tally: SlotTally;
  captured: number;
  received: number;
  /** Null: the transport does not report it. */
  droppedReceiverQueue: number | null;
  duplicated: number;
  reordered: number;
  spoilt: SpoiltCounts;
  undecodableUnmatched: number;
  wrongSource: number;
  /** How long those were shown; of a sender whose records are known 0, since they say what it sent meanwhile. */
  otherSeconds: number;
  stalls: number;
  /** When: the worst window of the verdict, from the first to the last miss, from the first to the last gap with a frame that the
   *  receiver's queue dropped, all stalls together. */
  lostAt: Span | null;
  missedAt: Span | null;
  queueDroppedAt: Span | null;
  stalledAt: Span | null;
  /** Null if a picture or a record came from its end or later, or the silence is too short. */
  tail: SilentTail | null;
  /** Between two captures of new numbers, whatever makes it so long: one frame between two gaps parts them. */
  longestGapMs: number;
  /** The longest stall, except the one that is the tail. */
  longestStallMs: number;
  /**
   * Slots without a record of the source: reported neither sent nor lost. While the range is open, those whose records would have arrived
   * before newer ones did.
   */
  unrecorded: number;
  /** Those of them without a picture either, except for the silence at the end. */
  unreported: number;
  /** The most frames in one window of the verdict that are lost or unreported, and when that was; null: none is unreported. */
  worstAbsent: { frames: number; at: Span } | null;
  conserved: boolean;
  /** False: the sender's records are not known, so that it is not known whether it sent what is absent. */
  attributed: boolean;
}

/**
 * What was seen. A closed range takes it from the captures as they were counted, so that the sums of `conserved` compare
 * two counts; the live view, whose captures run a second ahead of it, takes it from the marks.
 */
export interface SeenCounts {
  firstSeen: number;
  captured: number;
}

/** A range up to a slot and a moment: its own counts, and what its slots say. */
export interface CountedRange {
  counter: CaptureCounter;
  last: number;
  span: Span;
  tally: SlotTally;
  seen: SeenCounts;
}

/** What a ledger knows beside a range. */
export interface LedgerFacts {
  flags: SlotFlags;
  gaps: GapList;
  source: SourceLedger;
  assumeSubmitted: boolean;
  isQueueCounted: boolean;
  anomalies: number;
  times: SlotTimes;
  /** When the worst window of the verdict was. */
  lostAt: Span | null;
  /** The end of the range, if nothing is known about it; otherwise null. */
  silence: Omit<SilentTail, 'isStall'> | null;
}

/** Puts together what is known of a range. */
export function countsOf(
  { counter, last, span, tally, seen }: CountedRange,
  facts: LedgerFacts,
): RangeCounts {
  const { flags, gaps, source, times, assumeSubmitted, isQueueCounted, anomalies, silence } = facts;
  const { first } = counter;
  const queued = gaps.unsettledQueued(first, last);
  queued.addAll(counter.queueSettled);
  const received = seen.firstSeen + tally.matched;
  const captured = seen.captured + tally.matched + tally.unmatched;
  const endNs = span.toNs;
  const stalls = stallsOf(counter, last, span, { times, flags, assumeSubmitted });
  const isTailStall = silence !== null && stalls[stalls.length - 1]?.toNs === endNs;
  const since = Math.max(counter.lastNewCaptureNs, span.fromNs);
  // A sender that was started again ends the silence, though its pictures count nowhere here.
  const quietToNs = Math.min(endNs, counter.otherSinceNs || endNs);
  const missed = tally.missed > 0 && { first: tally.missedFrames.first ?? 0, last: tally.lastMissed };
  return {
    first,
    last,
    tally,
    captured,
    received,
    // Where no frame was dropped, the queue dropped none, even if it does not count.
    droppedReceiverQueue:
      isQueueCounted || tally.dropped === 0 ? Math.min(queued.frames, tally.dropped) : null,
    duplicated: counter.duplicated,
    reordered: counter.reordered,
    spoilt: { ...counter.spoilt },
    undecodableUnmatched: tally.unmatched,
    wrongSource: counter.wrongSource,
    otherSeconds: counter.otherNs / 1e9,
    stalls: stalls.length,
    lostAt: facts.lostAt,
    missedAt: spanOf(times, missed),
    queueDroppedAt: spanOf(times, queued.slots),
    stalledAt: spanOver(stalls),
    tail: silence && { ...silence, isStall: isTailStall },
    longestStallMs: longestMsOf(isTailStall ? stalls.slice(0, -1) : stalls),
    ...{ unrecorded: 0, unreported: 0, worstAbsent: null },
    attributed: !assumeSubmitted,
    longestGapMs: Math.max(counter.longestGapNs, quietToNs - since, 0) / 1e6,
    conserved:
      tally.scheduled === tally.submitted + tally.missed &&
      tally.submitted === received + tally.dropped &&
      captured === received + counter.duplicated + tally.unmatched &&
      Object.values(tally.lateCauses).reduce((sum, late) => sum + late) <= tally.lateSource &&
      anomalies + source.anomalies === counter.anomaliesBefore,
  };
}

/** From the time of the first slot to the end of the last one. */
export function spanOf(times: SlotTimes, slots: { first: number; last: number } | null | false): Span | null {
  return slots ? { fromNs: times.nsOf(slots.first), toNs: times.nsOf(slots.last + 1) } : null;
}
