import { type CaptureRecords, PictureClass, PictureStatus } from '../../../protocol/records';

/** One picture in a message of capture records. */
export interface Picture {
  captures: CaptureRecords;
  index: number;
}

/** A picture with its number in the programme. */
export interface Renumbered extends Picture {
  /** Null: its code cannot be read. */
  frameNumber: number | null;
  /** It is a mixture of two sources, and counts as whole. */
  isMixed: boolean;
}

/** Source id under which all sources of a programme are counted as one. */
export const programmeId = 1;

/** Statuses that a transition may cause by showing two sources in one picture. Without a transition they are faults. */
const perhapsMixed: ReadonlySet<number> = new Set([
  ...[PictureStatus.Undecodable, PictureStatus.Torn, PictureStatus.Damaged],
  ...[PictureStatus.Stale, PictureStatus.Dimmed],
]);

export function capturedNs({ captures, index }: Picture): number {
  return captures.captureNs[index] ?? 0;
}

export function sourceOf({ captures, index }: Picture): number {
  return captures.sourceId[index] ?? 0;
}

export function numberOf({ captures, index }: Picture): number {
  return captures.frameNumber[index] ?? 0;
}

export function statusOf({ captures, index }: Picture): number {
  return captures.status[index] ?? PictureStatus.Undecodable;
}

export function isReadable(picture: Picture): boolean {
  return statusOf(picture) !== PictureStatus.Undecodable;
}

/** Whether the picture shows one source only, whatever precedes and follows it. */
export function isOfOne(picture: Picture): boolean {
  return !perhapsMixed.has(statusOf(picture));
}

/** Whether its two strips belong to different pictures: a cut within a picture, not a mixture. */
export function isCutWithin({ captures, index }: Picture): boolean {
  return captures.status[index] === PictureStatus.Torn && captures.lastSpoiltRow[index] === 0;
}

export function picturesOf(captures: CaptureRecords): Picture[] {
  return Array.from({ length: captures.captureNs.length }, (_, index) => ({ captures, index }));
}

/**
 * Capture records in which the programme is one source.
 * @param overflowed that of the newest message
 */
export function recordsOf(pictures: readonly Renumbered[], overflowed: number): CaptureRecords {
  const isCoded = (picture: Renumbered): boolean => picture.frameNumber !== null;
  return {
    captureNs: Float64Array.from(pictures, capturedNs),
    sourceId: Uint16Array.from(pictures, (picture) => (isCoded(picture) ? programmeId : 0)),
    frameNumber: Uint32Array.from(pictures, ({ frameNumber }) => frameNumber ?? 0),
    releaseTimeUs: Float64Array.from(pictures, of('releaseTimeUs')),
    timestampUs: Float64Array.from(pictures, of('timestampUs')),
    timecodeUs: Float64Array.from(pictures, of('timecodeUs')),
    transportDropped: Float64Array.from(pictures, of('transportDropped')),
    status: Uint8Array.from(pictures, (picture) => {
      if (!isCoded(picture)) return PictureStatus.Undecodable;
      return picture.isMixed ? PictureStatus.Good : statusOf(picture);
    }),
    pictureClass: Uint8Array.from(pictures, (picture) =>
      isCoded(picture) ? PictureClass.Coded : (picture.captures.pictureClass[picture.index] ?? 0),
    ),
    codeHealth: Float32Array.from(pictures, of('codeHealth')),
    senderId: new Uint16Array(pictures.length),
    firstSpoiltRow: Uint16Array.from(pictures, of('firstSpoiltRow')),
    lastSpoiltRow: Uint16Array.from(pictures, of('lastSpoiltRow')),
    linePlaces: Uint16Array.from(pictures, of('linePlaces')),
    lineWitnesses: Uint16Array.from(pictures, of('lineWitnesses')),
    overflowed,
  };
}

function of(column: Exclude<keyof CaptureRecords, 'overflowed'>): (picture: Picture) => number {
  return ({ captures, index }) => captures[column][index] ?? 0;
}
