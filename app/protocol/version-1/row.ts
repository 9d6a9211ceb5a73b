import { z } from 'zod';
import { distributionSchema, gapHistogramSchema, timeBinsSchema } from '../distribution';
import { isPlainName } from '../figure';
import { lossSchema, outageSchema } from '../loss';
import { verdicts } from '../verdict';
import { wallTimeSchema } from '../wall-time';

/**
 * Rows of experiments, as version 1 of the format records them. What each field means, its unit and its formula: the registry of metrics (`metrics/`).
 * A null was not measured; `notMeasured` gives the reason under the field's path ("sender.gpuMaxPercent").
 */

const count = z.int().nonnegative();
const measured = z.number().nonnegative().nullable();
const signed = z.number().nullable();

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
  framesDisplayShown: count.nullable(),
  framesDisplayMissed: count.nullable(),
  framesDisplayMissedDelivery: count.nullable(),
  framesDisplayMissedUpload: count.nullable(),
  framesDisplayMissedPresentation: count.nullable(),
  displayTicksMissed: count.nullable(),
  stalls: count.nullable(),
  worstWindowLost: count.nullable(),
  /** Most frames lost in one second. */
  worstSecondLost: count.nullable(),
  gapHistogram: gapHistogramSchema,
  picturesWrongSource: count.nullable(),
  longestGapMs: measured,
  connectMs: measured,
  codeHealthMin: z.number().min(0).max(1).nullable(),
  latencyMs: distributionSchema,
  latencyFramesP50: measured,
  latencyJitterMs: measured,
  /** Two machines: sender's clock minus ours, and how far both it and the latency may be off. */
  clockOffsetMs: signed,
  latencyUncertaintyMs: measured,
  submitIntervalMs: distributionSchema,
  submitJitterMs: measured,
  receiveIntervalMs: distributionSchema,
  receiveJitterMs: measured,
  audioBlocksMissing: count.nullable(),
  /** Sound minus picture at the receiver: positive when the sound is late. */
  audioOffsetMs: signed,
  audioDriftMs: signed,
  bitrateMbps: measured,
  conserved: z.boolean().nullable(),
  verdict: z.enum(verdicts),
  reason: z.string(),
};

/** What the metric table makes of the streams of a row. */
export const totalsSchema = z.object(countsShape).omit({ verdict: true, reason: true });

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
  /** Frame numbers of the row that were lost, first 1,000 of them, to compare sets. */
  droppedFrames: z.array(count),
  missedFrames: z.array(count),
  /** How the stream's frames were followed; timestamps: a sender without our code. */
  method: z.enum(['frame-code', 'timestamps']),
  /** First 200 of the row. */
  losses: z.array(lossSchema),
  /** Absent where there was none. */
  outages: z.array(outageSchema).optional(),
  ...countsShape,
  notMeasured,
});

/** Figures of an experiment of its own, by the id of their metric in the registry. */
const values = z.record(
  z.string().refine(isPlainName),
  z.union([z.number(), z.string(), z.boolean(), z.null()]),
);

/** A row of an experiment that follows streams. */
export const rowSchema = z.object({
  kind: z.literal('streams').default('streams'),
  /** 0 is the baseline: the source playing, no stream. */
  row: z.int().nonnegative(),
  streams: count,
  /** When the measured range began and ended, as ISO 8601 wall time. */
  startedAt: wallTimeSchema,
  endedAt: wallTimeSchema,
  measuredSeconds: z.number().nonnegative(),
  /** The sender itself missed frames: the study's red row. */
  senderMissed: z.boolean(),
  ...countsShape,
  sender: hostLoadSchema,
  receiver: hostLoadSchema,
  instrument: instrumentLoadSchema,
  perStream: z.array(streamRowSchema),
  /** Times of all streams together; runs of an older version have none. */
  histograms: z
    .object({
      latencyMs: timeBinsSchema,
      submitIntervalMs: timeBinsSchema,
      receiveIntervalMs: timeBinsSchema,
    })
    .optional(),
  /** What was set for this row, in words, where it is not only the number of streams. */
  label: z.string().default(''),
  values: values.default({}),
  notMeasured,
});

/** A row of an experiment that measures something else, such as a link or a disk. */
export const tableRowSchema = z.object({
  kind: z.literal('table'),
  row: z.int().nonnegative(),
  /** What was set for this row, in words. */
  label: z.string(),
  startedAt: wallTimeSchema,
  endedAt: wallTimeSchema,
  measuredSeconds: z.number().nonnegative(),
  values,
  /** What the figures were made of, such as each repeat's own, and the names of files in the run's folder. */
  details: z.record(z.string(), z.unknown()),
  verdict: z.enum(verdicts),
  reason: z.string(),
  notMeasured,
});

export const runRowSchema = z.union([tableRowSchema, rowSchema]);

export type Totals = z.infer<typeof totalsSchema>;
export type HostLoad = z.infer<typeof hostLoadSchema>;
export type StreamRow = z.infer<typeof streamRowSchema>;
export type Row = z.infer<typeof rowSchema>;
export type TableRow = z.infer<typeof tableRowSchema>;
export type RunRow = z.infer<typeof runRowSchema>;

export function isStreamRow(row: RunRow): row is Row {
  return row.kind === 'streams';
}

export function streamRowsOf(rows: readonly RunRow[]): Row[] {
  return rows.filter(isStreamRow);
}
