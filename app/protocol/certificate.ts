import { z } from 'zod';
import { faultVerbs } from './records';

const count = z.int().nonnegative();
const measured = z.number().nonnegative().nullable();

/** What one verb was to show as, and what was counted. */
const verbLineSchema = z.object({
  verb: z.enum(faultVerbs),
  /** How often the verb was put in. */
  faults: count,
  /** Frames of it that the figure must count: as predicted, or for delay and stall as the receiver's own log says. */
  expected: count,
  /** Of them, those that the machine itself lost before or after the fault could show. */
  machine: count,
  counted: count,
  /** Figure of the row that counts them. */
  figure: z.string(),
  equal: z.boolean(),
});

/** A count of the row beside the same one taken from the receiver's own log. */
const checkSchema = z.object({ name: z.string(), expected: count, counted: count, equal: z.boolean() });

/** Outcome of `whiteline selftest`; source: docs/measurement.md, Self-test. */
export const certificateSchema = z.object({
  result: z.enum(['EQUAL', 'NOT EQUAL', 'INVALID']),
  reason: z.string(),
  /** ISO 8601 wall time. */
  startedAt: z.string(),
  host: z.string(),
  whiteline: z.string(),
  /** As the runtime reports it. */
  ndi: z.string(),
  /** What repeats this test. */
  command: z.string(),
  seed: count,
  format: z.string(),
  /** Slots of the row, and its first and last frame number. */
  frames: count,
  firstFrame: count,
  lastFrame: count,
  /** The faults as `--inject` takes them, counted from the first frame. */
  inject: z.string(),
  verbs: z.array(verbLineSchema),
  checks: z.array(checkSchema),
  /** What the machine itself lost meanwhile, and how busy it was. */
  machine: z.object({
    missedFrames: z.array(count),
    droppedFrames: z.array(count),
    cpuMaxPercent: measured,
    cpuMeanPercent: measured,
    cpuStealMaxPercent: measured,
  }),
});

export type Certificate = z.infer<typeof certificateSchema>;
export type VerbLine = z.infer<typeof verbLineSchema>;
export type CertificateCheck = z.infer<typeof checkSchema>;
