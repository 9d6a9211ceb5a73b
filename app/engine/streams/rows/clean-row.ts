import type { Row, StreamRow } from '../../../protocol/version-1/row';

/** Whether nothing was lost in a row and all of it was counted: then it may be left out. */
export function isClean({ perStream }: Row): boolean {
  return perStream.every(isCleanStream);
}

function isCleanStream(stream: StreamRow): boolean {
  const { framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched } = stream;
  const { framesSenderMissed, framesTorn, framesDamaged, stalls, conserved, outages = [] } = stream;
  const lost = [
    ...[framesDropped, framesMissing, framesUndecodable, framesUndecodableUnmatched],
    ...[framesSenderMissed, framesTorn, framesDamaged, stalls],
  ];
  if (conserved === false || outages.length > 0 || lost.some((frames) => (frames ?? 0) > 0)) return false;
  // Of a sender without our code, losses may be unknown, and pictures none of it; INVALID says nothing either way.
  if (stream.method === 'timestamps' && (stream.verdict === 'WARN' || stream.verdict === 'FAIL'))
    return false;
  const { framesScheduled, firstFrame, lastFrame } = stream;
  if (framesScheduled === null || firstFrame === null || lastFrame === null) return true;
  return framesScheduled === lastFrame - firstFrame + 1;
}
