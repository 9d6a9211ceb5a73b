import { guardCodes, type ReasonCode } from '../../../facts/reason-words';
import type { StreamSubject, StreamsRow } from '../../../facts/stream-row';

/** Whether nothing was lost in a row and all of it was counted: then it may be left out. */
export function isClean({ subjects }: StreamsRow): boolean {
  return subjects.every(isCleanStream);
}

/**
 * Whether a guard of the row was not fine: figures that need it, such as what a stream costs, are not measured then. What our own
 * processes and sockets took is measured beside other programs too.
 */
export function wasDisturbed({ reason }: Pick<StreamsRow, 'reason'>): boolean {
  return reason.some(({ code }) => code !== 'others-busy' && guardCodes.has(code));
}

/** Whether its streams were carried: nothing was lost, though their movie may be damaged, which is a WARN. */
export function isCarried(row: StreamsRow): boolean {
  return row.verdict === 'PASS' || (row.verdict === 'WARN' && row.subjects.length > 0 && isClean(row));
}

/** What is in no count of losses: pictures in the place of frames, and a time of which it is not known what was sent. */
const uncounted: ReadonlySet<string> = new Set<ReasonCode>(['placeholders', 'other-source']);

function isCleanStream({ figures, verdict, reason = [], outages = [] }: StreamSubject): boolean {
  if (verdict === 'FAIL' || reason.some(({ code }) => uncounted.has(code))) return false;
  const { framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched } = figures;
  const { framesSenderMissed, framesSpoilt, stalls, conserved } = figures;
  const lost = [
    ...[framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched],
    ...[framesSenderMissed, framesSpoilt, stalls],
  ];
  if (conserved === false || outages.length > 0 || lost.some((frames) => (frames ?? 0) > 0)) return false;
  // Of a sender without our code, losses may be unknown, and pictures none of it; INVALID says nothing either way.
  if (figures.method === 'timestamps' && verdict === 'WARN') return false;
  const { framesScheduled, firstFrame, lastFrame } = figures;
  if (framesScheduled === null || firstFrame === null || lastFrame === null) return true;
  return framesScheduled === lastFrame - firstFrame + 1;
}
