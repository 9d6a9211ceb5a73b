import type { StreamState, StreamView } from '../protocol/console';
import type { CorrectedCount } from './corrected-counts';

/** The outcomes of frames, by the figures of a row that they are. */
export const frameOutcomes = {
  sent: 'framesSubmitted',
  received: 'framesReceived',
  lost: 'lostTotal',
  dropped: 'framesDropped',
  missing: 'framesMissing',
  undecodable: 'framesUndecodable',
  sender_missed: 'framesSenderMissed',
  late_source: 'framesLateSource',
  reordered: 'framesReordered',
  duplicated: 'framesDuplicated',
  wrong_size: 'framesWrongSize',
  torn: 'framesTorn',
  stale: 'framesStale',
  damaged: 'framesDamaged',
  discoloured: 'framesDiscoloured',
  dimmed: 'framesDimmed',
  mislabelled: 'framesMislabelled',
} as const satisfies Record<string, keyof StreamView>;

export type FrameOutcome = keyof typeof frameOutcomes;

export const frameOutcomeNames = Object.keys(frameOutcomes) as FrameOutcome[];

/** A stream, and how its counts have risen and were corrected. */
export interface ExportedStream {
  view: StreamView;
  /** unreachable: an end of it is on a machine that is not heard. Null: its receiver is elsewhere, and knows it. */
  state: StreamState | 'unreachable' | null;
  /** Its sender is none of this console's. */
  isFollowed: boolean;
  counts: ReadonlyMap<FrameOutcome, CorrectedCount>;
}
