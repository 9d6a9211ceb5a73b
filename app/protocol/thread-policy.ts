import { z } from 'zod';

/**
 * What Whiteline asks of the system for its own threads, and what it got (native/base/platform/thread_policy.h). The native
 * addon's declarations use these types.
 */

export interface ThreadPolicyOptions {
  /** False: threads run as the system starts them. */
  enabled: boolean;
  /** Of the threads that pace and send. */
  realTime: boolean;
  /** Pages that were touched once stay in memory. */
  lockedMemory: boolean;
  /** On which threads that pace and send are to stay. */
  core?: number;
}

/** Null: the system does not report it. */
const threadSchema = z.object({
  /** Of SCHED_FIFO; 0: an ordinary thread. */
  realTimePriority: z.int().nonnegative().nullable(),
  nice: z.int().nullable(),
  /** How much later than asked for a sleep may end. */
  timerSlackNs: z.number().nonnegative().nullable(),
  /** How long the scheduler lets an ordinary thread run at a time; null for others. */
  sliceNs: z.number().nonnegative().nullable(),
  /** The one on which it stays; null: there is no such one. */
  core: z.int().nonnegative().nullable(),
  /** Of Windows: the task of its scheduler for audio and video, if the thread belongs to one; and its priority beside that of the process. */
  task: z.string().max(40).optional(),
  priority: z.int().optional(),
});

export const threadPolicySchema = z.object({
  threads: z.object({
    /** Sleep to the slots of a schedule. */
    pacing: threadSchema,
    /** Hand frames to the transport. */
    sending: threadSchema,
    /** Wait inside the transport for what comes. */
    receiving: threadSchema,
    /** Read, decode, keep pictures, compare. */
    background: threadSchema,
    /** Make previews and copies of what was captured; a version before it had such threads does not report them. */
    looking: threadSchema.optional(),
  }),
  memoryIsLocked: z.boolean().nullable(),
  /** What was asked for and is not in force, with the reason. */
  refused: z.record(z.string().max(40), z.string().max(400)),
});

export type ThreadPolicyFacts = z.infer<typeof threadPolicySchema>;
