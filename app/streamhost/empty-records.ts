import type { AudioRecords, CaptureRecords, ClockRecords, MissRecords } from '../protocol/records';

/** What a receiver reports that has not found its source yet. */

export function emptyCaptures(): CaptureRecords {
  return {
    captureNs: new Float64Array(0),
    sourceId: new Uint16Array(0),
    frameNumber: new Uint32Array(0),
    releaseTimeUs: new Float64Array(0),
    timestampUs: new Float64Array(0),
    timecodeUs: new Float64Array(0),
    status: new Uint8Array(0),
    pictureClass: new Uint8Array(0),
    codeHealth: new Float32Array(0),
    senderId: new Uint16Array(0),
    firstSpoiltRow: new Uint16Array(0),
    lastSpoiltRow: new Uint16Array(0),
    linePlaces: new Uint16Array(0),
    lineWitnesses: new Uint16Array(0),
    sdkDropped: new Uint32Array(0),
    overflowed: 0,
  };
}

export function emptyAudio(): AudioRecords {
  return {
    captureNs: new Float64Array(0),
    frameNumber: new Float64Array(0),
    samples: new Uint32Array(0),
    sampleRate: new Uint32Array(0),
    burstNs: new Float64Array(0),
    overflowed: 0,
  };
}

/** What is empty nearly always is one object, which a message holds once, however many streams report it. */

/** Of a receiver that does not ask its sender for the time. */
export const noTime: ClockRecords = {
  askedUs: new Float64Array(0),
  heardUs: new Float64Array(0),
  repliedUs: new Float64Array(0),
  answeredUs: new Float64Array(0),
  overflowed: 0,
};

/** Of a sender that missed no frame. */
export const noMisses: MissRecords = {
  frameNumber: new Uint32Array(0),
  atNs: new Float64Array(0),
  cause: new Uint8Array(0),
  overflowed: 0,
};
