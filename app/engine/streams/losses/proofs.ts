import type { Fact } from '../../../protocol/fact';
import type { Span } from '../counting/range-counter';
import type { MeasuredStream } from '../rows/measured-stream';
import { causesText } from './cause-words';
import { isRecorded } from './causes';
import { type ExplainedLoss, explainedSilence, type LossContext } from './losses';

/**
 * What facts that were recorded when they happened explain of the losses of a row. They hold whatever the load was: a busy CPU
 * unplugs no cable. Of the first 200 losses.
 */
export interface Proofs {
  missed: ProvedPart;
  lost: ProvedPart;
  /** Of a remote sender: of frames of which neither a picture nor a record came. */
  unreported: ProvedPart;
  stalls: ProvedPart;
}

export interface ProvedPart {
  /** Frames, or stalls. */
  count: number;
  /** At least so many of them lie in one window of the verdict. */
  worstWindow: number;
  /** What was recorded beside them, in words, whether it proves them or not; empty: nothing. */
  seen: string;
}

const noPart: ProvedPart = { count: 0, worstWindow: 0, seen: '' };
export const nothingProved: Proofs = { missed: noPart, lost: noPart, unreported: noPart, stalls: noPart };

/** What is proved of the losses of a stream, and of its stalls. */
export function proofsOf(
  { stream, counts, foreign }: MeasuredStream,
  losses: readonly ExplainedLoss[],
  context: LossContext,
): Proofs {
  const counted = losses.filter(({ isUnreported }) => !isUnreported);
  const windowNs = context.thresholds.lostWindowSeconds * 1e9;
  const part = (of: readonly ExplainedLoss[]): ProvedPart => provedPart(of, windowNs);
  return {
    missed: part(counted.filter(({ loss }) => loss.stage === 'sender')),
    lost: part(counted.filter(({ loss }) => loss.stage !== 'sender')),
    unreported: part(losses.filter(({ isUnreported }) => isUnreported)),
    stalls: stallPart(stream, counts ?? foreign?.counts ?? null, context),
  };
}

function stallPart(
  stream: MeasuredStream['stream'],
  counts: { stalls: number; stalledAt: Span | null } | null,
  context: LossContext,
): ProvedPart {
  if (!counts?.stalledAt) return noPart;
  const { fromNs, toNs } = counts.stalledAt;
  const { causes, proved } = explainedSilence(stream, { sinceNs: fromNs, toNs, frames: null }, context);
  // The time is that from the first to the last of them: it says when the first one began.
  const count = proved ? 1 : 0;
  return { count, worstWindow: count, seen: recordedText(causes) };
}

function provedPart(losses: readonly ExplainedLoss[], windowNs: number): ProvedPart {
  // A loss that takes several windows has at least its mean in one of them.
  const inWindow = ({ proved, fromNs, toNs }: ExplainedLoss): number =>
    Math.ceil(proved / Math.max(1, Math.ceil((toNs - fromNs) / windowNs)));
  return {
    count: losses.reduce((sum, { proved }) => sum + proved, 0),
    worstWindow: Math.max(0, ...losses.map(inWindow)),
    seen: recordedText(losses.flatMap(({ loss }) => loss.causes ?? [])),
  };
}

function recordedText(causes: readonly Fact[]): string {
  return [...new Set(causes.filter(isRecorded).map((cause) => causesText([[cause]])))].join(', ');
}
