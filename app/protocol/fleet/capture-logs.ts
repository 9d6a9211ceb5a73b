import { z } from 'zod';

/** Logs of captured numbers that receivers on an agent's machine wrote for a console, as they are given to it. */

/** Of one lease. */
export const mostLogs = 1000;
/** Content of one answer. Small enough that a line of 1 Mb/s carries it, and what keeps the lease beside it. */
export const logPieceBytes = 256_000;
/** More than any file has. */
const mostBytes = 1e15;

export const logIdSchema = z.int().positive();
export const logBytesSchema = z.int().nonnegative().max(mostBytes);

const keptLogSchema = z.object({
  logId: logIdSchema,
  streamId: z.int().positive(),
  bytes: logBytesSchema,
  /** Its receiver's process runs still: more may come. */
  isOpen: z.boolean(),
});
export type KeptLog = z.infer<typeof keptLogSchema>;
export const keptLogsSchema = z.object({ logs: z.array(keptLogSchema).max(mostLogs) });

export const logPieceSchema = z.object({
  bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= logPieceBytes, 'Expected a short piece'),
});

/** Of all that a file holds. */
export const logDigestSchema = z.object({
  bytes: logBytesSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type LogDigest = z.infer<typeof logDigestSchema>;
