import type { LossStage } from '../../../facts/loss';
import type { LostRun } from '../counting/lost-runs';
import type { StreamLedger } from '../counting/stream-ledger';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import type { ForeignLoss } from '../foreign/foreign-losses';
import type { Outage } from '../outages';
import type { MeasuredStream } from '../rows/measured-stream';
import type { LostSpan } from './injected';
import { unreportedIn } from './unreported';

/** What is reported of a loss before its cause is looked for. */
export interface LostTime extends LostSpan {
  queued: number;
  fromNs: number;
  toNs: number;
}

/** Of a row. */
const mostLosses = 200;
/** A stream, and what was counted of it. */
export type Measured = Pick<MeasuredStream, 'stream' | 'counts'> & {
  foreign: { counts: ForeignCounts } | null;
};

/** The losses of a row or of a live view (the first 200), in the order of their frames. */
export function lostTimes(
  { stream, counts, foreign }: Measured,
  isSenderRemote: boolean,
): (LostTime & { isUnreported: boolean })[] {
  const isUnreported = false;
  if (foreign) return foreign.counts.losses.map((loss) => ({ ...foreignTime(loss), isUnreported }));
  const { ledger } = stream;
  if (!counts || !ledger) return [];
  const recorded = counts.tally.lost.listed.map((run) => ({ ...runTime(ledger, run), isUnreported }));
  if (!isSenderRemote) return recorded;
  const unreported = unreportedIn(ledger, counts).map((run) => ({
    ...spanOf(ledger, run, 'missing'),
    isUnreported: true,
  }));
  return [...recorded, ...unreported].sort((a, b) => a.firstFrame - b.firstFrame).slice(0, mostLosses);
}

export function runTime(ledger: StreamLedger, run: LostRun): LostTime {
  const queued = run.stage === 'dropped' ? ledger.queuedIn(run.first, run.last) : 0;
  return { ...spanOf(ledger, run, stageOf(run, queued, ledger)), queued };
}

function spanOf({ times }: StreamLedger, run: LostRun, stage: LossStage): LostTime {
  return {
    stage,
    firstFrame: run.first,
    lastFrame: run.last,
    frames: run.frames,
    queued: 0,
    missCause: run.cause,
    fromNs: times.nsOf(run.first),
    toNs: times.nsOf(run.last + 1),
  };
}

export function foreignTime({ firstFrame, frames, fromNs, toNs }: ForeignLoss): LostTime {
  const lastFrame = firstFrame + frames - 1;
  return { stage: 'missing', firstFrame, lastFrame, frames, fromNs, toNs, queued: 0, missCause: -1 };
}

export type Silence = Pick<Outage, 'sinceNs' | 'toNs' | 'frames'>;

export function silenceTime({ sinceNs, toNs, frames }: Silence): LostTime {
  return {
    ...{ stage: 'missing' as const, firstFrame: 0, lastFrame: 0, frames: frames ?? 0 },
    ...{ queued: 0, missCause: -1, fromNs: sinceNs, toNs },
  };
}

/** Of dropped frames the larger part decides; the sentence names the smaller one. */
function stageOf(
  { stage, frames }: LostRun,
  queued: number,
  { identity, isQueueCounted }: StreamLedger,
): LossStage {
  if (stage !== 'dropped') return stage;
  if (identity.assumeSubmitted) return 'missing';
  if (!isQueueCounted) return 'transport-or-queue';
  return 2 * queued >= frames ? 'receiver-queue' : 'transport';
}
