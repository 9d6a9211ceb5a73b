import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { plainLine } from '../plain-text';
import { safeParse } from '../safe-parse';

/** What the processes that use one join file say to each other, so that one of them alone is the agent. No console hears it. */

const longestHostName = 400;
const mostWallMs = 8e15;

const claimSchema = z.object({
  /** Random, of this process. */
  session: z.string().min(1).max(64),
  /** joining: it looks whether another one is ready. ready: it is the agent. leaving: it ends. */
  state: z.enum(['joining', 'ready', 'leaving']),
  /** Since when, by the wall clock of its machine. */
  sinceMs: z.number().nonnegative().max(mostWallMs),
  hostName: z.string().max(longestHostName).transform(plainLine),
  /** At which other machines reach it. */
  addresses: z.array(z.string().refine(isIPv4)).max(64),
});
export type Claim = z.infer<typeof claimSchema>;

/** Undefined for foreign bytes. */
export function claimOf(value: unknown): Claim | undefined {
  return safeParse(claimSchema, value).data;
}
