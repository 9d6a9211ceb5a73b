import { causesText } from '../../../facts/cause-words';
import type { Fact } from '../../../facts/fact';
import type { Span } from '../counting/capture-counter';
import type { MeasuredStream } from '../rows/measured-stream';
import { isRecorded } from './causes';
import { explainedSilence, type LossContext, type ProvedLoss } from './losses';
import { unsaidCauses } from './said-causes';

/**
 * What facts that were recorded when they happened explain of the losses of a row. They hold whatever the load was: a busy CPU
 * unplugs no cable. Of the first 200 losses.
 */
export interface Proofs {
  missed: ProvedPart;
  lost: ProvedPart;
  /** For a remote sender: frames with neither a picture nor a record. */
  unreported: ProvedPart;
  stalls: ProvedPart;
}

export interface ProvedPart {
  /** Frames, or stalls. */
  count: number;
  /** At least this many of the frames are in one window of the verdict. */
  worstWindow: number;
  /** What was recorded beside them and no guard says, whether it proves them or not. */
  seen: readonly Fact[];
}

type ProvedStream = Pick<MeasuredStream, 'stream' | 'counts'> & { foreign: { counts: StalledCounts } | null };
type StalledCounts = { stalls: number; stalledAt: Span | null };
type SeenOf = (causes: readonly Fact[]) => readonly Fact[];

const noPart: ProvedPart = { count: 0, worstWindow: 0, seen: [] };
export const nothingProved: Proofs = { missed: noPart, lost: noPart, unreported: noPart, stalls: noPart };

/** Frames are due at other moments than their pictures come. */
const latencyNs = 0.25e9;

/**
 * What recorded facts prove about the losses and stalls of a stream.
 * @param broken what the guards of the row report
 */
export function proofsOf(
  { stream, counts, foreign }: ProvedStream,
  losses: readonly ProvedLoss[],
  context: LossContext,
  broken: readonly Fact[],
): Proofs {
  const seenOf: SeenOf = (causes) => recordedOnce(unsaidCauses(causes, broken, stream.name));
  const counted = losses.filter(({ isUnreported }) => !isUnreported);
  const windowNs = context.thresholds.lostWindowSeconds * 1e9;
  const part = (of: readonly ProvedLoss[]): ProvedPart => provedPart(of, windowNs, seenOf);
  return {
    missed: part(counted.filter(({ loss }) => loss.stage === 'sender')),
    lost: part(counted.filter(({ loss }) => loss.stage !== 'sender')),
    unreported: part(losses.filter(({ isUnreported }) => isUnreported)),
    stalls: stallPart(stream, counts ?? foreign?.counts ?? null, counted, context, seenOf),
  };
}

function stallPart(
  stream: MeasuredStream['stream'],
  counts: StalledCounts | null,
  losses: readonly ProvedLoss[],
  context: LossContext,
  seenOf: SeenOf,
): ProvedPart {
  if (!counts?.stalledAt) return noPart;
  const { stalls, stalledAt } = counts;
  const { fromNs, toNs } = stalledAt;
  const { causes, proved } = explainedSilence(stream, { sinceNs: fromNs, toNs, frames: null }, context);
  // The time is that from the first to the last of them: it says when the first one began.
  const isFilled = stalls === 1 && losses.some((loss) => fills(loss, stalledAt));
  const count = proved || isFilled ? 1 : 0;
  return { count, worstWindow: count, seen: seenOf(causes) };
}

/** Frames that are all proved are those of a silence. */
function fills({ loss, proved, fromNs, toNs }: ProvedLoss, silence: Span): boolean {
  const isAsLong = fromNs <= silence.fromNs + latencyNs && toNs >= silence.toNs - latencyNs;
  return proved === loss.frames && isAsLong;
}

function provedPart(losses: readonly ProvedLoss[], windowNs: number, seenOf: SeenOf): ProvedPart {
  // A loss that takes several windows has at least its mean in one of them.
  const inWindow = ({ proved, fromNs, toNs }: ProvedLoss): number =>
    Math.ceil(proved / Math.max(1, Math.ceil((toNs - fromNs) / windowNs)));
  return {
    count: losses.reduce((sum, { proved }) => sum + proved, 0),
    worstWindow: Math.max(0, ...losses.map(inWindow)),
    seen: seenOf(losses.flatMap(({ loss }) => loss.causes ?? [])),
  };
}

/** One of those that read alike. */
function recordedOnce(causes: readonly Fact[]): Fact[] {
  const byText = new Map(causes.filter(isRecorded).map((cause) => [causesText([[cause]]), cause]));
  return [...byText.values()];
}
