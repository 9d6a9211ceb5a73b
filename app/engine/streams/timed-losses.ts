import type { KnownLoss, LossMark } from '../../protocol/timeline';
import type { LostRun } from './counting/lost-runs';
import type { LiveCounts } from './live-count';
import { explainedSilence, foreignLossOf, type LossContext, lossOf } from './losses/losses';
import type { Outage } from './outages';
import { recordedOutage } from './rows/outage-judgement';
import type { Stream } from './stream';

/** A loss or an outage of a stream. */
export interface TimedLoss {
  /** Identifies it among all of the stream, because frame numbers begin again with each start of its sender. */
  key: string;
  mark: LossMark;
  /** Null: an outage whose rate is not known. */
  frames: number | null;
  fromNs: number;
  toNs: number;
  /** Looks for its cause. */
  explain(context: LossContext): KnownLoss;
}

/** Of all senders in the place of a stream before the newest; older losses are counted only. */
const mostPast = 1000;

/**
 * The losses that the live view lists, the newest included, and the outages, in the order of their times. `start`: the number of the
 * sender in the place of this stream.
 */
export function timedLosses(
  stream: Stream,
  counts: LiveCounts,
  outages: readonly Outage[],
  start: number,
): TimedLoss[] {
  return [
    ...framesLost(stream, counts, start),
    ...outages.map((outage) => silence(stream, outage, start)),
  ].sort((a, b) => a.fromNs - b.fromNs);
}

/** As they stay when the sender is another one: what is known of them is kept, the stream is not. */
export function pastLosses(
  before: readonly TimedLoss[],
  ended: readonly TimedLoss[],
  context: LossContext,
): TimedLoss[] {
  const kept = ended.map((loss): TimedLoss => {
    const known = loss.explain(context);
    return { ...loss, explain: () => known };
  });
  return [...before, ...kept].slice(-mostPast);
}

function framesLost(stream: Stream, { coded, foreign }: LiveCounts, start: number): TimedLoss[] {
  const { ledger } = stream;
  if (foreign) {
    return withNewest(foreign.losses, foreign.newestLoss).map((run) => ({
      ...{ key: keyOf(start, run.firstFrame), mark: 'absent', frames: run.frames },
      ...{ fromNs: run.fromNs, toNs: run.toNs },
      explain: (context) => ({ kind: 'frames', loss: foreignLossOf(stream, run, context) }),
    }));
  }
  if (!coded || !ledger) return [];
  const { listed, newest } = coded.tally.lost;
  return withNewest(listed, newest).map((run) => ({
    ...{ key: keyOf(start, run.first), mark: markOf(run), frames: run.frames },
    ...{ fromNs: ledger.times.nsOf(run.first), toNs: ledger.times.nsOf(run.last + 1) },
    explain: (context) => ({ kind: 'frames', loss: lossOf(stream, run, context) }),
  }));
}

function silence(stream: Stream, outage: Outage, start: number): TimedLoss {
  const { sinceNs: fromNs, toNs, frames } = outage;
  return {
    ...{ key: `${start}/silent since ${fromNs}`, mark: 'outage', frames, fromNs, toNs },
    explain: (context) => {
      const { causes } = explainedSilence(stream, outage, context);
      const { wallOffsetUs } = context;
      const around = { framesPerSecond: stream.framesPerSecond, wallOffsetUs, isOpen: true };
      return { kind: 'outage', outage: recordedOutage({ ...outage, causes }, around) };
    },
  };
}

function keyOf(start: number, firstFrame: number): string {
  return `${start}/${firstFrame}`;
}

function withNewest<Run>(listed: readonly Run[], newest: Run | null): readonly Run[] {
  return newest === null || listed.at(-1) === newest ? listed : [...listed, newest];
}

function markOf({ stage }: LostRun): LossMark {
  if (stage === 'sender') return 'not-sent';
  return stage === 'dropped' ? 'absent' : 'spoilt';
}
