import {
  type CaptureRecords,
  LateCause,
  MissCause,
  type MissRecords,
  PictureClass,
  PictureStatus,
  SlotState,
  type SourceRecords,
  type SubmitRecords,
} from '../protocol/records';

/** Records as the native core drains them, out of a few numbers. */

export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Slots whose picture came too late, for lack of an answer from the movie's command or each with its own cause. */
export type Late = readonly number[] | ReadonlyMap<number, number>;

export function sourceRecords(slots: number[], late: Late = []): SourceRecords {
  const causes: ReadonlyMap<number, number> =
    'get' in late ? late : new Map(late.map((slot) => [slot, LateCause.Command]));
  return {
    frameNumber: Uint32Array.from(slots),
    slotNs: new Float64Array(slots.length),
    releaseNs: new Float64Array(slots.length),
    state: Uint8Array.from(slots, (slot) => (causes.has(slot) ? SlotState.LateSource : SlotState.Released)),
    lateCause: Uint8Array.from(slots, (slot) => causes.get(slot) ?? LateCause.None),
    overflowed: 0,
  };
}

/** When each frame was handed to the SDK, and how long the call before it took; a remote sender does not report it. */
export interface SubmitTiming {
  beginNs(slot: number): number;
  previousCallNs?(slot: number): number;
}

export function submits(
  slots: number[],
  timing: SubmitTiming = { beginNs: () => Number.NaN },
): SubmitRecords {
  return {
    frameNumber: Uint32Array.from(slots),
    beginNs: Float64Array.from(slots, (slot) => timing.beginNs(slot)),
    previousCallNs: Float64Array.from(slots, (slot) => timing.previousCallNs?.(slot) ?? 0),
    overflowed: 0,
  };
}

export function misses(slots: number[], cause: number = MissCause.Injected): MissRecords {
  return {
    frameNumber: Uint32Array.from(slots),
    atNs: new Float64Array(slots.length),
    cause: new Uint8Array(slots.length).fill(cause),
    overflowed: 0,
  };
}

/** One picture that the receiver took. */
export interface Capture {
  captureNs: number;
  frameNumber: number;
  status?: number;
  sourceId?: number;
  senderId?: number;
  releaseTimeUs?: number;
  codeHealth?: number;
  transportDropped?: number;
  pictureClass?: number;
  timestampUs?: number;
  timecodeUs?: number;
  /** First and last picture row. */
  spoiltRows?: readonly [number, number];
  linePlaces?: number;
  lineWitnesses?: number;
}

export const testSourceId = 4711;
export const testSenderId = 1;

export function captures(list: readonly Capture[]): CaptureRecords {
  const records = emptyCaptures(list.length);
  // One loop: property tests make millions of pictures.
  for (const [index, capture] of list.entries()) {
    const isUndecodable = capture.status === PictureStatus.Undecodable;
    records.captureNs[index] = capture.captureNs;
    records.sourceId[index] = isUndecodable ? 0 : (capture.sourceId ?? testSourceId);
    records.frameNumber[index] = isUndecodable ? 0 : capture.frameNumber;
    records.releaseTimeUs[index] = capture.releaseTimeUs ?? 0;
    records.timestampUs[index] = capture.timestampUs ?? Number.NaN;
    records.timecodeUs[index] = capture.timecodeUs ?? Number.NaN;
    records.status[index] = capture.status ?? PictureStatus.Good;
    records.pictureClass[index] = isUndecodable
      ? (capture.pictureClass ?? PictureClass.Black)
      : PictureClass.Coded;
    records.codeHealth[index] = isUndecodable ? Number.NaN : (capture.codeHealth ?? 1);
    records.senderId[index] = capture.senderId ?? testSenderId;
    records.firstSpoiltRow[index] = capture.spoiltRows?.[0] ?? 0;
    records.lastSpoiltRow[index] = capture.spoiltRows?.[1] ?? 0;
    records.linePlaces[index] = capture.linePlaces ?? 0;
    records.lineWitnesses[index] = capture.lineWitnesses ?? 0;
    records.transportDropped[index] = capture.transportDropped ?? 0;
  }
  return records;
}

function emptyCaptures(count: number): CaptureRecords {
  return {
    captureNs: new Float64Array(count),
    sourceId: new Uint16Array(count),
    frameNumber: new Uint32Array(count),
    releaseTimeUs: new Float64Array(count),
    timestampUs: new Float64Array(count),
    timecodeUs: new Float64Array(count),
    status: new Uint8Array(count),
    pictureClass: new Uint8Array(count),
    codeHealth: new Float32Array(count),
    senderId: new Uint16Array(count),
    firstSpoiltRow: new Uint16Array(count),
    lastSpoiltRow: new Uint16Array(count),
    linePlaces: new Uint16Array(count),
    lineWitnesses: new Uint16Array(count),
    transportDropped: new Float64Array(count),
    overflowed: 0,
  };
}
