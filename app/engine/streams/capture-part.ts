import type { CaptureRecords } from '../../protocol/records';

/** The records from one index to before another. */
export function part(captures: CaptureRecords, from: number, to: number): CaptureRecords {
  if (from === 0 && to === captures.captureNs.length) return captures;
  return {
    captureNs: captures.captureNs.subarray(from, to),
    sourceId: captures.sourceId.subarray(from, to),
    frameNumber: captures.frameNumber.subarray(from, to),
    releaseTimeUs: captures.releaseTimeUs.subarray(from, to),
    timestampUs: captures.timestampUs.subarray(from, to),
    timecodeUs: captures.timecodeUs.subarray(from, to),
    status: captures.status.subarray(from, to),
    pictureClass: captures.pictureClass.subarray(from, to),
    codeHealth: captures.codeHealth.subarray(from, to),
    senderId: captures.senderId.subarray(from, to),
    firstSpoiltRow: captures.firstSpoiltRow.subarray(from, to),
    lastSpoiltRow: captures.lastSpoiltRow.subarray(from, to),
    linePlaces: captures.linePlaces.subarray(from, to),
    lineWitnesses: captures.lineWitnesses.subarray(from, to),
    transportDropped: captures.transportDropped.subarray(from, to),
    overflowed: captures.overflowed,
  };
}
