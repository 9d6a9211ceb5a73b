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

/** Slots whose picture came too late, for want of an answer from the movie's command or each with its own cause. */
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
  sdkDropped?: number;
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

export function captures(list: Capture[]): CaptureRecords {
  const undecodable = (capture: Capture): boolean => capture.status === PictureStatus.Undecodable;
  return {
    captureNs: Float64Array.from(list, (capture) => capture.captureNs),
    sourceId: Uint16Array.from(list, (capture) =>
      undecodable(capture) ? 0 : (capture.sourceId ?? testSourceId),
    ),
    frameNumber: Uint32Array.from(list, (capture) => (undecodable(capture) ? 0 : capture.frameNumber)),
    releaseTimeUs: Float64Array.from(list, (capture) => capture.releaseTimeUs ?? 0),
    timestampUs: Float64Array.from(list, (capture) => capture.timestampUs ?? Number.NaN),
    timecodeUs: Float64Array.from(list, (capture) => capture.timecodeUs ?? Number.NaN),
    status: Uint8Array.from(list, (capture) => capture.status ?? PictureStatus.Good),
    pictureClass: Uint8Array.from(list, (capture) =>
      undecodable(capture) ? (capture.pictureClass ?? PictureClass.Black) : PictureClass.Coded,
    ),
    codeHealth: Float32Array.from(list, (capture) =>
      undecodable(capture) ? Number.NaN : (capture.codeHealth ?? 1),
    ),
    senderId: Uint16Array.from(list, (capture) => capture.senderId ?? testSenderId),
    firstSpoiltRow: Uint16Array.from(list, (capture) => capture.spoiltRows?.[0] ?? 0),
    lastSpoiltRow: Uint16Array.from(list, (capture) => capture.spoiltRows?.[1] ?? 0),
    linePlaces: Uint16Array.from(list, (capture) => capture.linePlaces ?? 0),
    lineWitnesses: Uint16Array.from(list, (capture) => capture.lineWitnesses ?? 0),
    sdkDropped: Uint32Array.from(list, (capture) => capture.sdkDropped ?? 0),
    overflowed: 0,
  };
}
