import type { Distribution, GapHistogram, TimeBins } from './distribution';
import type { Fact } from './fact';
import type { Figures, FrameRanges, Step } from './figure';
import type { Loss } from './loss';
import type { frameMetrics } from './metrics/frames';
import type { soundMetrics } from './metrics/sound';
import type { timeMetrics } from './metrics/times';
import type { ClosedRow, Subject } from './row';
import type { Verdict } from './verdict';

/** Rows of experiments that follow streams: which figures they have follows from the table of metrics (`metrics/`). */

type RowMetrics = typeof frameMetrics | typeof timeMetrics | typeof soundMetrics;

/** Figures that a stream and the row of all streams have alike. */
export type StreamFigureId = Exclude<RowMetrics[number]['id'], 'streams' | 'measuredSeconds'>;

/** Null: it was not measured. */
export type Numbers<Id extends string> = Readonly<Record<Id, number | null>>;

export type StreamFigures = Figures &
  Numbers<StreamFigureId | 'firstFrame' | 'lastFrame'> & {
    readonly conserved: boolean | null;
    readonly method: 'frame-code' | 'timestamps';
    /** The first 1,000 of them. */
    readonly droppedFrames: FrameRanges;
    readonly missedFrames: FrameRanges;
  };

/** Times whose distribution a row has. */
export type TimedId = 'latencyMs' | 'submitIntervalMs' | 'receiveIntervalMs';

/** What follows from the streams of a row. */
export type TotalFigures = Figures &
  Numbers<StreamFigureId> & { readonly conserved: boolean | null } & Readonly<
    Record<`${TimedId}.histogram`, TimeBins>
  >;

export type RowFigures = TotalFigures & {
  readonly measuredSeconds: number;
  readonly senderMissed: boolean;
};

/** A stream in a row. */
export interface StreamSubject extends Subject {
  figures: StreamFigures;
  losses: Loss[];
  verdict: Verdict;
  reason: Fact[];
}

export interface StreamsRow extends ClosedRow {
  step: Step & { readonly streams: number };
  figures: RowFigures;
  subjects: StreamSubject[];
}

/** The figures of a distribution, each by its id. */
export function distributionFigures<const Id extends TimedId>(
  id: Id,
  distribution: Distribution,
): Numbers<`${Id}.${keyof Distribution}`> {
  return underName(id, distribution);
}

export function gapFigures(gaps: Readonly<Record<keyof GapHistogram, number | null>>) {
  return underName('gapHistogram', gaps);
}

function underName<const Id extends string, Name extends string>(
  id: Id,
  values: Readonly<Record<Name, number | null>>,
): Numbers<`${Id}.${Name}`> {
  const entries = Object.entries(values).map(([name, value]) => [`${id}.${name}`, value]);
  return Object.fromEntries(entries) as Numbers<`${Id}.${Name}`>;
}

/** Why a row without streams, such as a baseline, lacks what only streams have. */
export const noStreamReason = 'the row has no stream';
