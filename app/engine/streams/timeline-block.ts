import { type LossMark, lossMarks, type TimelineBlock, timelineMinuteMs } from '../../protocol/timeline';
import { wallMsOf } from '../clock';
import type { LostRun } from './counting/lost-runs';
import type { ForeignLoss } from './foreign/foreign-losses';
import { type LiveCounts, lostOf } from './live-count';
import type { Stream } from './stream';

/** A loss of a stream, before its cause is looked for. */
export interface TimedLoss {
  firstFrame: number;
  frames: number;
  fromNs: number;
  toNs: number;
  mark: LossMark;
  /** As it was counted: by its code, or by timestamps. */
  run: LostRun | ForeignLoss;
}

/** The losses that the live view lists, the newest included, in the order of their frames. */
export function timedLosses({ ledger }: Stream, { coded, foreign }: LiveCounts): TimedLoss[] {
  if (foreign) {
    return withNewest(foreign.losses, foreign.newestLoss).map((run) => ({ ...run, mark: 'absent', run }));
  }
  if (!coded || !ledger) return [];
  const { listed, newest } = coded.tally.lost;
  return withNewest(listed, newest).map((run) => ({
    ...{ firstFrame: run.first, frames: run.frames, mark: markOf(run), run },
    ...{ fromNs: ledger.times.nsOf(run.first), toNs: ledger.times.nsOf(run.last + 1) },
  }));
}

function withNewest<Run>(listed: readonly Run[], newest: Run | null): readonly Run[] {
  return newest === null || listed.at(-1) === newest ? listed : [...listed, newest];
}

function markOf({ stage }: LostRun): LossMark {
  if (stage === 'sender') return 'not-sent';
  return stage === 'dropped' ? 'absent' : 'spoilt';
}

/** What a window asks for: a range of wall time, null: the newest minute. */
export interface TimelineRange {
  fromMs: number;
  toMs: number;
}

export function timelineBlock(
  stream: Stream,
  counts: LiveCounts,
  { range, nowNs, wallOffsetUs }: { range: TimelineRange | null; nowNs: number; wallOffsetUs: number },
): TimelineBlock {
  const { arrivals } = stream;
  const nowMs = wallMsOf(nowNs, wallOffsetUs);
  const { fromMs, toMs } = range ?? { fromMs: nowMs - timelineMinuteMs, toMs: nowMs };
  const nsOf = (wallMs: number): number => (wallMs * 1000 - wallOffsetUs) * 1000;
  const { isWhole, atNs, shortestMs, longestMs } = arrivals.between(nsOf(fromMs), nsOf(toMs));
  const losses = timedLosses(stream, counts);
  const listed = losses.reduce((sum, { frames }) => sum + frames, 0);
  const hasCome = arrivals.firstNs > 0;
  return {
    firstMs: hasCome ? wallMsOf(arrivals.firstNs, wallOffsetUs) : null,
    lastMs: hasCome ? wallMsOf(arrivals.lastNs, wallOffsetUs) : null,
    ...{ fromMs, toMs, isWhole, periodMs: 1000 / stream.framesPerSecond },
    atMs: atNs.map((ns) => wallMsOf(ns, wallOffsetUs)),
    ...{ shortestMs, longestMs },
    lossFromMs: Float64Array.from(losses, ({ fromNs }) => wallMsOf(fromNs, wallOffsetUs)),
    lossToMs: Float64Array.from(losses, ({ toNs }) => wallMsOf(toNs, wallOffsetUs)),
    lossFirstFrame: Float64Array.from(losses, ({ firstFrame }) => firstFrame),
    lossFrames: Uint32Array.from(losses, ({ frames }) => frames),
    lossMark: Uint8Array.from(losses, ({ mark }) => lossMarks.indexOf(mark)),
    framesUnlisted: Math.max(0, lostOf(counts) + (counts.coded?.tally.missed ?? 0) - listed),
  };
}
