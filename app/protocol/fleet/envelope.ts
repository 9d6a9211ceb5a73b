import { z } from 'zod';
import { errorCodes } from '../errors';
import { plainSentences } from '../plain-text';

/** What two ends of the bus wrap their values in. */

/** One life of a sender: made at random when it starts. */
const epoch = z.string().regex(/^[a-z0-9]{1,32}$/);
/** From 1. */
const number = z.int().min(1);

/** A message of a numbered channel. */
export const numberedSchema = z
  .strictObject({
    epoch,
    number,
    /** The lowest number that its sender can still send again. */
    keptFrom: number,
    /** As `encodeValue` made it. */
    value: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  })
  .refine((message) => message.keptFrom <= message.number);

/** What its sender has sent so far: from it the other end learns that the last ones are missing. */
export const sentSchema = z
  .strictObject({ epoch, sentTo: number, keptFrom: number })
  .refine((message) => message.keptFrom <= message.sentTo);

/** All up to here have arrived, or are given up. `epoch` is that of the end that sent them. */
export const acknowledgedSchema = z.strictObject({ epoch, acknowledged: number });

/** These are missing and asked for again. `epoch` is that of the end that sent them. */
export const againSchema = z
  .strictObject({ epoch, againFrom: number, againTo: number })
  .refine((message) => message.againFrom <= message.againTo);

export const channelMessageSchema = z.union([numberedSchema, sentSchema, acknowledgedSchema, againSchema]);

export type NumberedMessage = z.infer<typeof numberedSchema>;
export type SentMessage = z.infer<typeof sentSchema>;
export type AcknowledgedMessage = z.infer<typeof acknowledgedSchema>;
export type AgainMessage = z.infer<typeof againSchema>;
export type ChannelMessage = z.infer<typeof channelMessageSchema>;

/** Text of another machine, which ends in a terminal or a window. */
const text = z.string().transform((value) => plainSentences(value.slice(0, 2000)));

const problem = z.object({
  /** A newer Whiteline may have codes that this one does not know. */
  code: z.enum(errorCodes).catch('INTERNAL'),
  message: text,
  field: text.optional(),
  value: text.optional(),
  remedy: text.optional(),
});

/** What comes back of a request: a value, which may be undefined, or why there is none. */
export const answerSchema = z.union([
  z.strictObject({ problem: problem.extend({ others: z.array(problem).max(100).optional() }) }),
  z.strictObject({ value: z.unknown().optional() }),
]);

export type Answer = z.infer<typeof answerSchema>;
