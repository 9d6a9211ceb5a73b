/** Every limit by which a row or a run is judged; source: the project's measurement rules (docs/measurement.md). */
export interface Thresholds {
  /** Lost frames in the worst sliding window of the worst stream that are still acceptable (WARN). */
  acceptableLostFrames: number;
  lostWindowSeconds: number;
  /** A stream that shows no frame for this long after it was added has failed. */
  connectTimeoutSeconds: number;
  /** Load from which a loss or a miss is a result of the machine and not of our own pacing. */
  saturatedPercent: number;
  /** Limits of the instrument itself: beyond any of them a row is INVALID. */
  maxSampleGapSeconds: number;
  maxFlushDelaySeconds: number;
  maxStealPercent: number;
  maxSuspendSeconds: number;
  /** Step of the wall clock against the monotonic one that spoils a latency between two machines. */
  maxWallStepMs: number;
}

export const defaultThresholds: Thresholds = {
  acceptableLostFrames: 1,
  lostWindowSeconds: 2,
  connectTimeoutSeconds: 10,
  saturatedPercent: 90,
  maxSampleGapSeconds: 1.5,
  maxFlushDelaySeconds: 1,
  maxStealPercent: 5,
  maxSuspendSeconds: 1.5,
  maxWallStepMs: 5,
};

/** How long a closed row waits for frames still on their way. */
export const drainSeconds = 2;
/** Live counters call a frame lost when it was not seen for this long. */
export const liveLossDelaySeconds = 1;

/** No captured frame for this long while the sender submits is a stall. */
export function stallSeconds(framesPerSecond: number): number {
  return Math.max(0.5, 15 / framesPerSecond);
}
