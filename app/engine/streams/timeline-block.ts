import type { StreamView } from '../../protocol/console';
import { type LossMark, lossMarks, type TimelineBlock, timelineMinuteMs } from '../../protocol/timeline';
import { wallMsOf } from '../clock';
import type { Stream } from './stream';
import type { TimedLoss } from './timed-losses';

/** What the live view has counted of a stream. */
export interface LossesSoFar {
  /** In the order of their times. */
  losses: readonly TimedLoss[];
  /** As its strip shows them. */
  totals: Pick<StreamView, 'lostTotal' | 'framesSenderMissed' | 'framesInOutages'>;
}

/** What a window asks for: a range of wall time, null: the newest minute. */
export interface TimelineRange {
  fromMs: number;
  toMs: number;
}

export function timelineBlock(
  stream: Stream,
  { losses, totals }: LossesSoFar,
  { range, nowNs, wallOffsetUs }: { range: TimelineRange | null; nowNs: number; wallOffsetUs: number },
): TimelineBlock {
  const { arrivals } = stream;
  const nowMs = wallMsOf(nowNs, wallOffsetUs);
  const { fromMs, toMs } = range ?? { fromMs: nowMs - timelineMinuteMs, toMs: nowMs };
  const nsOf = (wallMs: number): number => (wallMs * 1000 - wallOffsetUs) * 1000;
  const { isWhole, atNs, shortestMs, longestMs } = arrivals.between(nsOf(fromMs), nsOf(toMs));
  const { lostTotal, framesSenderMissed, framesInOutages } = totals;
  const hasCome = arrivals.firstNs > 0;
  return {
    firstMs: hasCome ? wallMsOf(arrivals.firstNs, wallOffsetUs) : null,
    lastMs: hasCome ? wallMsOf(arrivals.lastNs, wallOffsetUs) : null,
    ...{ fromMs, toMs, isWhole, periodMs: 1000 / stream.framesPerSecond },
    atMs: atNs.map((ns) => wallMsOf(ns, wallOffsetUs)),
    ...{ shortestMs, longestMs },
    lossFromMs: Float64Array.from(losses, ({ fromNs }) => wallMsOf(fromNs, wallOffsetUs)),
    lossToMs: Float64Array.from(losses, ({ toNs }) => wallMsOf(toNs, wallOffsetUs)),
    lossKeys: losses.map(({ key }) => key),
    lossMark: Uint8Array.from(losses, ({ mark }) => lossMarks.indexOf(mark)),
    ...{ lostFrames: lostTotal, notSentFrames: framesSenderMissed, outageFrames: framesInOutages },
    framesUnlisted:
      Math.max(0, (lostTotal ?? 0) - framesOf(losses, ['absent', 'spoilt'])) +
      Math.max(0, (framesSenderMissed ?? 0) - framesOf(losses, ['not-sent'])),
  };
}

function framesOf(losses: readonly TimedLoss[], marks: readonly LossMark[]): number {
  return losses.reduce((sum, { mark, frames }) => sum + (marks.includes(mark) ? (frames ?? 0) : 0), 0);
}
