import { frames } from '../../../facts/count-words';
import type { Fact } from '../../../facts/fact';
import { reasonOf } from '../../../facts/reason-words';
import type { ReasonedNumber } from '../../../facts/reasoned';
import type { ShownCounts } from '../counting/display-ledger';
import type { MeasuredStream } from './measured-stream';
import { noFrameOf, reasons } from './row-reasons';

export const shownKeys = [
  ...(['framesDisplayShown', 'framesDisplayMissed', 'framesDisplayMissedDelivery'] as const),
  ...(['framesDisplayMissedUpload', 'framesDisplayMissedPresentation', 'displayTicksMissed'] as const),
] as const;

export type ShownFigures = Readonly<Record<(typeof shownKeys)[number], ReasonedNumber>>;

/** What a display window showed of a stream in a row, or why it is not known. */
export type ShownInRow = { counts: ShownCounts } | { reason: string };

export function shownInRow(
  { stream, counts, foreign }: MeasuredStream,
  row: { fromNs: number; toNs: number; isOpen: boolean },
): ShownInRow {
  if (foreign) return { reason: reasons.foreignDisplay };
  if (!counts || !stream.display) return { reason: noFrameOf(stream) };
  const shown = stream.display.over(counts, row, row.isOpen);
  if (shown.captured === 0) return { reason: noFrameOf(stream) };
  if (shown.reported === 0) return { reason: reasons.noDisplay };
  if (shown.reported < shown.captured) {
    const { reported, captured } = shown;
    return {
      reason: `a display window reported what became of ${reported} of ${frames(captured)}, not of all`,
    };
  }
  return { counts: shown };
}

export function shownFigures(shown: ShownInRow): ShownFigures {
  const counts = 'counts' in shown ? shown.counts : null;
  const reason = 'reason' in shown ? shown.reason : '';
  const isUnpresented = counts !== null && !counts.isPresentationKnown;
  return {
    framesDisplayShown: [counts?.shown ?? null, reason],
    framesDisplayMissed: [counts?.missed ?? null, reason],
    framesDisplayMissedDelivery: [counts?.missedDelivery ?? null, reason],
    framesDisplayMissedUpload: [counts?.missedUpload ?? null, reason],
    framesDisplayMissedPresentation: isUnpresented
      ? [null, reasons.noFeedback]
      : [counts?.missedPresentation ?? null, reason],
    displayTicksMissed: [counts?.ticksMissed ?? null, reason],
  };
}

/** Pictures that the window had not taken are its machine's matter where that is full, and otherwise our own lateness. */
export function displayFaults(shown: ShownInRow, isMachineFull: boolean): Fact[] {
  const late = 'counts' in shown ? shown.counts.missedDelivery : 0;
  if (late === 0 || isMachineFull) return [];
  return [reasonOf('display-late', { frames: late })];
}
