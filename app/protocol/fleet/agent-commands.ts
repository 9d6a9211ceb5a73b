import { z } from 'zod';
import { transportNames } from '../transports';
import { hostIdSchema } from './subjects';

/**
 * What an agent does for a console, and nothing else. A console may be hostile, and so may an agent: both ends check what the other
 * one says. No path, no command line and no environment comes from outside.
 */

/** Consoles and agents of another one do not understand each other. */
export const fleetProtocol = 1;

/** Counts the leases of an agent: what comes with an older one is refused. */
export const fence = z.int().positive();
/** Of a program's version, as in package.json. */
export const versionSchema = z.string().max(40);
/** µs of a monotonic clock. */
const momentUs = z.number().nonnegative();
const nothing = z.null();

/** The transport alone: the agent finds its files and its configuration by itself. */
const transport = z.strictObject({ name: z.enum(transportNames) });

export const hostRoleSchema = z.enum(['sending', 'receiving']);

/** Stream hosts of one role: more are nonsense. */
const mostHostNumber = 1000;

function command<Name extends string, Shape extends z.ZodRawShape, Result extends z.ZodType>(
  name: Name,
  shape: Shape,
  result: Result,
) {
  return { parameters: z.strictObject({ name: z.literal(name), ...shape }), result };
}

export const agentCommands = {
  hello: command(
    'hello',
    { protocol: z.int().nonnegative(), version: versionSchema },
    z.object({ protocol: z.int().nonnegative(), version: versionSchema, session: z.string().max(64) }),
  ),
  /** `holder`: the console, for people. LEASE_HELD where another one has it. */
  'lease.acquire': command(
    'lease.acquire',
    { holder: z.string().min(1).max(200) },
    z.object({
      fence,
      leaseMs: z.number().positive().max(60_000),
      /** From its monotonic clock to the release clock of its stream hosts, µs. */
      wallOffsetUs: z.number(),
    }),
  ),
  /** LEASE_ENDED where that lease is over. */
  'lease.renew': command('lease.renew', { fence }, nothing),
  'lease.release': command('lease.release', { fence }, nothing),
  'host.start': command(
    'host.start',
    { fence, role: hostRoleSchema, number: z.int().min(1).max(mostHostNumber), transport },
    z.object({ hostId: hostIdSchema }),
  ),
  'host.end': command('host.end', { fence, hostId: hostIdSchema }, nothing),
  /** When it was heard and when it is answered, for the map of clocks; needs no lease. */
  time: command('time', {}, z.object({ heardUs: momentUs, repliedUs: momentUs })),
};

export type AgentCommands = typeof agentCommands;
