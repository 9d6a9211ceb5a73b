import { z } from 'zod';
import { verdicts } from './verdict';

/**
 * A row of `stream-load`. What each field means, its unit and its formula: the registry of metrics (`metrics/`).
 * A null was not measured; `notMeasured` gives the reason under the field's path ("sender.gpuMaxPercent").
 */

const count = z.int().nonnegative();
const measured = z.number().nonnegative().nullable();

export const latencySchema = z.object({
  min: measured,
  p50: measured,
  p90: measured,
  p99: measured,
  p999: measured,
  max: measured,
});

/** Counts of one stream, or summed over the streams of a row. */
const countsShape = {
  framesScheduled: count.nullable(),
  framesLateSource: count.nullable(),
  framesLateSourceDisk: count.nullable(),
  framesLateSourceDecode: count.nullable(),
  framesLateSourceDamaged: count.nullable(),
  framesSenderMissed: count.nullable(),
  framesSubmitted: count.nullable(),
  picturesCaptured: count.nullable(),
  framesReceived: count.nullable(),
  framesDropped: count.nullable(),
  framesDroppedReceiverQueue: count.nullable(),
  framesDroppedTransport: count.nullable(),
  framesMissing: count.nullable(),
  framesDuplicated: count.nullable(),
  framesReordered: count.nullable(),
  framesTorn: count.nullable(),
  framesDamaged: count.nullable(),
  framesUndecodable: count.nullable(),
  framesUndecodableUnmatched: count.nullable(),
  framesDisplayMissed: count.nullable(),
  stalls: count.nullable(),
  worstWindowLost: count.nullable(),
  longestGapMs: measured,
  connectMs: measured,
  codeHealthMin: z.number().min(0).max(1).nullable(),
  latencyMs: latencySchema,
  latencyFramesP50: measured,
  bitrateMbps: measured,
  conserved: z.boolean().nullable(),
  verdict: z.enum(verdicts),
  reason: z.string(),
};

/** Mean CPU load of one side's processes by what they worked on, % of all cores. */
const cpuPartsSchema = z.object({
  read: measured,
  decode: measured,
  ffmpeg: measured,
  compose: measured,
  send: measured,
  receive: measured,
  sdk: measured,
  other: measured,
});

const hostLoadSchema = z.object({
  cpuMaxPercent: measured,
  cpuMeanPercent: measured,
  cpuP95Percent: measured,
  cpuProcessMaxPercent: measured,
  cpuParts: cpuPartsSchema,
  gpuMaxPercent: measured,
  networkMaxMbps: measured,
  wireErrors: count.nullable(),
  wireDropped: count.nullable(),
  tcpRetransmits: count.nullable(),
  memoryMaxMb: measured,
});

/** What the instrument itself cost on this machine, % of all cores. */
const instrumentLoadSchema = z.object({
  engineCpuMeanPercent: measured,
  windowCpuMeanPercent: measured,
});

const notMeasured = z.record(z.string(), z.string());

const streamRowSchema = z.object({
  streamId: z.int().positive(),
  name: z.string(),
  /** First and last frame number of the row, both included; null where nothing was scheduled. */
  firstFrame: count.nullable(),
  lastFrame: count.nullable(),
  /** Frame numbers of the row that were lost, first 1,000 of them, for whoever wants to compare sets. */
  droppedFrames: z.array(count),
  missedFrames: z.array(count),
  ...countsShape,
  notMeasured,
});

export const rowSchema = z.object({
  /** 0 is the baseline: the source playing, no stream. */
  row: z.int().nonnegative(),
  streams: count,
  /** When the measured range began and ended, as ISO 8601 wall time. */
  startedAt: z.string(),
  endedAt: z.string(),
  measuredSeconds: z.number().nonnegative(),
  /** The sender itself missed frames: the study's red row. */
  senderMissed: z.boolean(),
  ...countsShape,
  sender: hostLoadSchema,
  receiver: hostLoadSchema,
  instrument: instrumentLoadSchema,
  perStream: z.array(streamRowSchema),
  notMeasured,
});

export type Latency = z.infer<typeof latencySchema>;
export type HostLoad = z.infer<typeof hostLoadSchema>;
export type InstrumentLoad = z.infer<typeof instrumentLoadSchema>;
export type StreamRow = z.infer<typeof streamRowSchema>;
export type Row = z.infer<typeof rowSchema>;
