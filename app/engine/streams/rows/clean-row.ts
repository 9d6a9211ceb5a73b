import { guardCodes, type ReasonCode } from '../../../facts/reason-words';
import type { StreamSubject, StreamsRow } from '../../../facts/stream-row';

/** Whether nothing was lost in a row and all of it was counted: then it may be left out. */
export function isClean({ subjects }: StreamsRow): boolean {
  return subjects.every(isCleanStream);
}

/**
 * Whether a guard of the row failed. Figures that need the guard, such as the cost of a stream, are then not measured. The load of our own
 * processes and sockets is measured even while other programs are busy.
 */
export function wasDisturbed({ reason }: Pick<StreamsRow, 'reason'>): boolean {
  return reason.some(({ code }) => code !== 'others-busy' && guardCodes.has(code));
}

/** Whether its streams were carried: nothing was lost, though their movie may be damaged, which is a WARN. */
export function isCarried(row: StreamsRow): boolean {
  return row.verdict === 'PASS' || (row.verdict === 'WARN' && row.subjects.length > 0 && isClean(row));
}

/** Reasons for losses that no count has: placeholder pictures instead of frames, and times in which another source was shown. */
const uncounted: ReadonlySet<string> = new Set<ReasonCode>(['placeholders', 'other-source']);

export function isCleanStream({ figures, verdict, reason = [], outages = [] }: StreamSubject): boolean {
  if (verdict === 'FAIL' || reason.some(({ code }) => uncounted.has(code))) return false;
  const { framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched } = figures;
  const { framesSenderMissed, framesSpoilt, stalls, conserved } = figures;
  const lost = [
    ...[framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched],
    ...[framesSenderMissed, framesSpoilt, stalls],
  ];
  if (conserved === false || outages.length > 0 || lost.some((frames) => (frames ?? 0) > 0)) return false;
  // A WARN of a sender without our code can mean that losses are unknown, or that pictures were not its own.
  if (figures.method === 'timestamps' && verdict === 'WARN') return false;
  const { framesScheduled, firstFrame, lastFrame } = figures;
  if (framesScheduled === null || firstFrame === null || lastFrame === null) return true;
  return framesScheduled === lastFrame - firstFrame + 1;
}
