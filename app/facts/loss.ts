import { z } from 'zod';
import { factSchema } from './fact';
import { spoiltKinds } from './spoilt';
import { wallTimeSchema } from './wall-time';

const count = z.int().nonnegative();

/**
 * Where frames were lost. transport-or-queue: the transport does not report what its receiver's queue dropped. missing: the
 * sender's records are not known, so the place cannot be known. A kind of spoilt frame: the frame came, but not as it was sent.
 */
export const lossStages = [
  ...(['sender', 'receiver-queue', 'transport', 'transport-or-queue', 'undecodable', 'missing'] as const),
  ...spoiltKinds,
] as const;

/** Frames lost next to each other at one stage. */
export const lossSchema = z.object({
  stage: z.enum(lossStages),
  firstFrame: count,
  lastFrame: count,
  /** Lost frames among them. */
  frames: count,
  /** Times of the first slot and of the end of the last one, as ISO 8601 wall time. */
  startedAt: wallTimeSchema,
  endedAt: wallTimeSchema,
  /** Of spoilt frames: rows of the picture, counted from 0, between which they are not as they were sent, where known. */
  rows: z.object({ first: count, last: count }).optional(),
  /** Of frames that never arrived, those that were not fetched from the SDK’s queue in time; absent: none. */
  queued: count.optional(),
  /** Streams of the row that lost frames at the same instant; 1: this one alone. */
  streamsTogether: count,
  /** Streams of the row whose frames are counted; runs of an older version do not say it. */
  streams: count.optional(),
  /** What is known of its cause; `cause-words.ts` has the codes. Runs of an older version have none. */
  causes: z.array(factSchema).optional(),
  /** Of a run of an older version: what happened and its causes, as one sentence; `loss-words.ts` words all others. */
  text: z.string().optional(),
  /** In the place of `causes`, of a run of an older version: the part of the sentence that says the cause. */
  cause: z.string().optional(),
});

/** A time without a picture whose cost no frame number gives: the sender was away, or was started again. */
export const outageSchema = z.object({
  /** When it began, perhaps before the row, and when it was over; null: not in this row. ISO 8601 wall time. */
  startedAt: wallTimeSchema,
  endedAt: wallTimeSchema.nullable(),
  /** The part of it in this row. */
  seconds: z.number().nonnegative(),
  /** Frames that were due in this part by the rate: an estimate. Null if the rate is not known. */
  framesEstimated: count.nullable(),
  /** How long it lasted and what it must have cost. */
  fact: factSchema.optional(),
  /** The same for a run of an older version, as half a sentence. */
  text: z.string().optional(),
});

/** Where what lies between sender and receiver may have lost the frames. */
export const stagesOfTheWay: readonly LossStage[] = ['transport', 'transport-or-queue', 'missing'];

export type LossStage = (typeof lossStages)[number];
export type Outage = z.infer<typeof outageSchema>;
export type Loss = z.infer<typeof lossSchema>;
