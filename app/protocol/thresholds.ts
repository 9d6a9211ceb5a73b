import { z } from 'zod';
import { defaultMaxStealPercent } from '../facts/steal-limit';

/** A limit of the instrument itself: beyond it a row is INVALID. */
const limit = (most: number, text: string) => z.number().positive().max(most).describe(text);

/** Every limit by which a row or a run is judged; source: the project's measurement rules (docs/measurement.md). */
export const thresholdsSchema = z.strictObject({
  acceptableLostFrames: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Lost frames in the worst sliding window of the worst stream that are still acceptable (WARN)'),
  lostWindowSeconds: z.number().min(0.1).max(3600).describe('Length of that window, s'),
  connectTimeoutSeconds: z
    .number()
    .min(0.5)
    .max(600)
    .describe('A stream that shows no frame for this long after it was added has failed, s'),
  saturatedPercent: z
    .number()
    .min(1)
    .max(100)
    .describe('Load from which a loss or a miss is a result of the machine and not of our own pacing, %'),
  maxOthersPercent: z
    .number()
    .min(1)
    .max(100)
    .describe(
      'CPU that other programs may take, %: from there on row 0 is WARN; what was lost while they took so much of CPU or GPU makes a row INVALID',
    ),
  maxSampleGapSeconds: limit(60, 'Longest time without a load sample, s'),
  maxStandstillSeconds: limit(60, 'One of our processes may stand still for so long in a row, all in all, s'),
  maxToolStandstillSeconds: limit(
    60,
    'A program of others that measures for us may stand still for so long in a row, all in all, s',
  ),
  maxFlushDelaySeconds: limit(60, 'A row may be written this much later than its drain allows, s'),
  maxStealPercent: limit(100, 'CPU that the hypervisor may take away in any second, %'),
  maxSuspendSeconds: limit(60, 'Longest time in which the machine may have slept, s'),
  maxWallStepMs: limit(
    10_000,
    'Step of this machine’s wall clock, or of a remote sender’s clock against ours, ms',
  ),
});

export type Thresholds = z.infer<typeof thresholdsSchema>;

/** A named set of limits; the name stands in the run's folder. */
export interface ThresholdProfile {
  name: string;
  thresholds: Thresholds;
}

const study: Thresholds = {
  acceptableLostFrames: 1,
  lostWindowSeconds: 2,
  connectTimeoutSeconds: 10,
  saturatedPercent: 90,
  maxOthersPercent: 25,
  maxSampleGapSeconds: 1.5,
  maxStandstillSeconds: 0.25,
  maxToolStandstillSeconds: 1,
  maxFlushDelaySeconds: 1,
  maxStealPercent: defaultMaxStealPercent,
  maxSuspendSeconds: 1.5,
  maxWallStepMs: 5,
};

/**
 * Built-in profiles. study: no loss is PASS, at most one lost frame in any 2 s WARN, as the first study had it; flawless:
 * any lost frame is FAIL. They differ in nothing else.
 */
export const thresholdProfiles = {
  study,
  flawless: { ...study, acceptableLostFrames: 0 },
} as const satisfies Record<string, Thresholds>;

/** What counts where no profile was chosen. */
export const defaultProfile: ThresholdProfile = { name: 'study', thresholds: thresholdProfiles.study };
export const defaultThresholds: Thresholds = defaultProfile.thresholds;

/** How long a closed row waits for frames still on their way. */
export const drainSeconds = 2;
/**
 * The lease of an agent of a fleet: its machine may be out of reach for so long, and is given up then. What its hosts had to
 * report meanwhile comes within a drain more.
 */
export const leaseSeconds = 5;
/** Live counters call a frame lost when it was not seen for this long. */
export const liveLossDelaySeconds = 1;

/** No captured frame for this long is a stall; where the sender's records are known, while it submits. */
export function stallSeconds(framesPerSecond: number): number {
  return Math.max(0.5, 15 / framesPerSecond);
}
