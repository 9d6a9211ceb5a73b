import { z } from 'zod';
import { hostEnvironmentSchema } from '../environment';
import { transportNames } from '../transports';
import { keptLogsSchema, logBytesSchema, logDigestSchema, logIdSchema, logPieceSchema } from './capture-logs';
import { experimentShape, runIdShape } from './experiment-commands';
import { helperIdShape, helperKindShape, missingSchema } from './helper-commands';
import {
  endedSchema,
  iperfVersionSchema,
  linkAddressSchema,
  linkPortSchema,
  linkTargetShape,
} from './link-commands';
import { movieListSchema } from './movie-list';
import { movieChoiceSchema, movieLookSchema, movieSettingsSchema } from './movies';
import { hostIdSchema, leaseKeySchema } from './subjects';

/**
 * What an agent does for a console, and nothing else. A console may be hostile, and so may an agent: both ends check what the other
 * one says. No path, no command line and no environment comes from outside.
 */

/** Consoles and agents of another one do not understand each other. */
export const fleetProtocol = 1;

/** Counts the leases of an agent: what comes with an older one is refused. */
const fence = z.int().positive();
/** By which lease a command comes: an answer tells every console the number, and none the key. */
export const lease = { fence, key: leaseKeySchema };
/** Of a program's version, as in package.json. */
export const versionSchema = z.string().max(40);
/** 300 years. */
const mostUs = 1e16;
/** µs of a monotonic clock. */
const momentUs = z.number().nonnegative().max(mostUs);
const momentNs = z
  .number()
  .nonnegative()
  .max(1000 * mostUs);
const nothing = z.null();

/** The transport alone: the agent finds its files and its configuration by itself. */
const transport = z.strictObject({ name: z.enum(transportNames) });

export const hostRoleSchema = z.enum(['sending', 'receiving']);

/** Stream hosts of one role: more are nonsense. */
const mostHostNumber = 1000;

/** Names of versions and reasons are free: all of it together is bounded. */
const longestEnvironment = 200_000;
const environment = hostEnvironmentSchema.refine(
  (value) => JSON.stringify(value).length <= longestEnvironment,
  `Expected no more than ${longestEnvironment} characters`,
);

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
  /** `holder`: the console, for people. LEASE_HELD where one with another key has it. */
  'lease.acquire': command(
    'lease.acquire',
    { holder: z.string().min(1).max(200), key: leaseKeySchema },
    z.object({
      fence,
      leaseMs: z.number().min(1000).max(60_000),
      /** From its monotonic clock to the release clock of its stream hosts, µs. */
      wallOffsetUs: z.number().min(-mostUs).max(mostUs),
    }),
  ),
  /**
   * LEASE_ENDED where that lease is over, or another console's. `sampledNs`: of the newest sample of the agent's load that the console has,
   * by the agent's clock; null before the first.
   */
  'lease.renew': command('lease.renew', { ...lease, sampledNs: momentNs.nullable().default(null) }, nothing),
  'lease.release': command('lease.release', lease, nothing),
  'host.start': command(
    'host.start',
    { ...lease, role: hostRoleSchema, number: z.int().min(1).max(mostHostNumber), transport },
    z.object({ hostId: hostIdSchema }),
  ),
  /** What a sending host of this lease would open of a movie below the agent's folders. */
  'source.choose': command('source.choose', { ...lease, settings: movieSettingsSchema }, movieChoiceSchema),
  /** Names of the movies that it offers; needs no lease. LEASE_HELD where another console than that of the key has it. */
  'movies.list': command('movies.list', { key: leaseKeySchema }, movieListSchema),
  /** What it would play of one of them; by the same rule. */
  'movies.inspect': command(
    'movies.inspect',
    { key: leaseKeySchema, settings: movieSettingsSchema },
    movieLookSchema,
  ),
  'host.end': command('host.end', { ...lease, hostId: hostIdSchema }, nothing),
  /** Logs that receivers of this lease write, or wrote; what they hold is given once their process is gone. */
  'log.list': command('log.list', lease, keptLogsSchema),
  /** From this byte on; nothing at its end. */
  'log.read': command('log.read', { ...lease, logId: logIdSchema, from: logBytesSchema }, logPieceSchema),
  'log.digest': command('log.digest', { ...lease, logId: logIdSchema }, logDigestSchema),
  /** A whole experiment of its machine; it waits to be begun over the channel of this id. */
  'experiment.start': command('experiment.start', { ...lease, ...experimentShape }, z.object(runIdShape)),
  'experiment.end': command('experiment.end', { ...lease, ...runIdShape }, nothing),
  /** Of iperf3 there. TOOL_MISSING where it is not installed. */
  'link.version': command('link.version', lease, z.object({ version: iperfVersionSchema })),
  /** Whether the machine can connect to the other end of a link by TCP. */
  'link.reach': command('link.reach', { ...lease, ...linkTargetShape }, z.object({ isReached: z.boolean() })),
  /** Starts an iperf3 server at this address of its machine, for as long as the lease lasts. */
  'link.serve': command(
    'link.serve',
    { ...lease, address: linkAddressSchema },
    z.object({ port: linkPortSchema }),
  ),
  /** Whether that server ended by itself, and why. */
  'link.ended': command('link.ended', lease, z.object({ ended: endedSchema })),
  'link.stop': command('link.stop', lease, nothing),
  /** What its machine lacks for a helper program of this kind. */
  'helper.check': command('helper.check', { ...lease, ...helperKindShape }, missingSchema),
  /** Starts one, which speaks over the channel of this id. */
  'helper.start': command('helper.start', { ...lease, ...helperKindShape }, z.object(helperIdShape)),
  'helper.end': command('helper.end', { ...lease, ...helperIdShape }, nothing),
  /** What its machine was when the agent was started; needs no lease. */
  environment: command('environment', {}, environment),
  /** When it was heard and when it is answered, for the map of clocks; needs no lease. */
  time: command('time', {}, z.object({ heardUs: momentUs, repliedUs: momentUs })),
};

export type AgentCommands = typeof agentCommands;
