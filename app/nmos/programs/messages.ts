import { z } from 'zod';

/** What the engine and the processes of a registry and of simulated nodes say to each other, as helpers: docs/helpers.md. */

/** Nodes of a run, at most. */
const mostNodes = 20_000;
/** How often a registry gave each answer: no more of them than there are statuses. */
const mostAnswers = 600;
/** A line of a helper has no room for more. */
const mostStandstills = 20_000;

/** What goes wrong may be told by a long list. */
export const mostFailedCharacters = 10_000;

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
/** Of the monotonic clock, as text since JSON’s numbers may be too short. */
const momentNs = z.string().regex(/^\d+$/);

export const readyMessage = z.object({ type: z.literal('ready') });
export const failedMessage = z.object({
  type: z.literal('failed'),
  text: z.string().max(mostFailedCharacters),
});

/** How the process stood still since it was last asked, by its own watch. */
export const standstillsCommand = z.object({ type: z.literal('standstills') });
const monotonicNs = z.number();
export const standstillsMessage = z.object({
  type: z.literal('standstills'),
  standstills: z
    .array(z.object({ kind: z.enum(['stopped', 'starved']), fromNs: monotonicNs, toNs: monotonicNs }))
    .max(mostStandstills),
});

export const registryCommands = z.discriminatedUnion('type', [
  z.object({
    ...{ type: z.literal('serve'), hosts: z.array(z.string()).min(1) },
    ...{ heartbeatSeconds: seconds, expirySeconds: seconds },
  }),
  z.object({ type: z.literal('follow'), peer: z.string() }),
  /** Answered as soon as it holds this many resources. */
  z.object({ type: z.literal('hold'), resources: count }),
  /** The fewest resources are counted anew. */
  z.object({ type: z.literal('watch') }),
  z.object({ type: z.literal('census') }),
  standstillsCommand,
]);

export const registryMessages = z.discriminatedUnion('type', [
  /** One URL for each host. */
  z.object({ type: z.literal('serving'), origins: z.array(z.string()).min(1) }),
  z.object({ type: z.literal('holds'), atNs: momentNs }),
  z.object({ type: z.literal('census'), resources: count, fewest: count }),
  standstillsMessage,
  failedMessage,
]);

/** How the event loop stalled, as `Standstill` of app/nmos/load. */
export const standstill = {
  standstillMs: z.number().nonnegative(),
  standstillPercent: z.number().nonnegative(),
};
const answers = z
  .record(z.string().max(300), count)
  .refine((all) => Object.keys(all).length <= mostAnswers, 'too many kinds of answers');
/** As `Comings`. */
const comings = z.object({ sinceNs: momentNs, seconds: z.array(seconds).max(mostNodes) });
/** A registry for each of those that the run has, by the addresses at which it may be reached, or by the one to use. */
const registryUrl = z.string().max(300);

/** As `LoadFigures`; the times follow from the comings. */
const loadFigures = z.object({
  ...{ nodes: count, registered: count, failures: count, refused: count, heartbeatsMissed: count },
  answers: z.object({ registration: answers, heartbeat: answers, removal: answers }),
  heartbeat: z.object({ count, p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() }).nullable(),
  ...{ missedBy: answers, byRegistry: answers },
});

export const nodesCommands = z.discriminatedUnion('type', [
  /** Of each registry, the addresses at which it may be reached. Answered with the first of each that answers. */
  z.object({
    type: z.literal('find'),
    registries: z.array(z.array(registryUrl).min(1).max(64)).min(1).max(2),
  }),
  z.object({
    type: z.literal('begin'),
    ...{ run: z.string().max(100), registries: z.array(registryUrl).min(1).max(2) },
    version: z.enum(['v1.2', 'v1.3']),
    /** Of the whole run; this process has its share of them. */
    nodes: count.max(mostNodes),
    share: z.object({ first: count, every: count.min(1) }),
    connections: z.union([z.literal('per-node'), count]),
    ...{ rampSeconds: seconds, heartbeatSeconds: seconds, expirySeconds: seconds },
    ...{ httpTimeoutSeconds: seconds, retrySeconds: seconds },
    /** Address at which senders and receivers can be activated; null: nowhere. */
    controlHost: z.string().nullable(),
  }),
  z.object({ type: z.literal('silence'), isOn: z.boolean() }),
  /** Counts begin again. */
  z.object({ type: z.literal('part') }),
  /** @see Load.recover */
  z.object({ type: z.literal('recover'), gone: z.string().nullable() }),
  /** @param waits for heartbeats that are on their way */
  z.object({ type: z.literal('report'), waits: z.boolean() }),
  /** Asks what a Query API holds of these nodes, on all pages; the answer has the same number. The load need not have begun. */
  z.object({
    ...{ type: z.literal('count'), number: count, query: z.string(), version: z.enum(['v1.2', 'v1.3']) },
    ...{ run: z.string(), nodes: count },
  }),
  z.object({ type: z.literal('remove') }),
  standstillsCommand,
]);

export const nodesMessages = z.discriminatedUnion('type', [
  /** `registries`: null if `why` says which does not answer; `openFiles`: how many the process may have; null: not known. */
  z.object({
    type: z.literal('found'),
    ...{ registries: z.array(registryUrl).max(2).nullable(), why: z.string().max(1000) },
    openFiles: count.nullable(),
  }),
  /** `controls`: URL of the Connection API of all nodes; null: there is none. */
  z.object({ type: z.literal('begun'), controls: registryUrl.nullable() }),
  z.object({ type: z.literal('progress'), registered: count, back: count.nullable() }),
  z.object({ type: z.literal('settled'), atNs: momentNs }),
  z.object({ type: z.literal('silenced') }),
  z.object({ type: z.literal('parted') }),
  z.object({ type: z.literal('recovering') }),
  z.object({ type: z.literal('recovered'), atNs: momentNs }),
  z.object({
    type: z.literal('report'),
    ...{ figures: loadFigures, registrations: comings, ...standstill },
    recovery: z.object({ nodes: count, back: count, comings }).nullable(),
    /** The first lines of what nodes had to say. */
    lines: z.array(z.string().max(500)).max(20),
  }),
  /** As `ResourceCounts`. `why`: it could not be counted; otherwise null. */
  z.object({
    ...{ type: z.literal('counted'), number: count, ours: count, leftOver: count, others: count },
    why: z.string().max(10_000).nullable(),
  }),
  /** `staying`: of those nodes, which the registry has until it forgets them; `answers`: to all removals, by status. */
  z.object({ type: z.literal('removed'), staying: count, answers }),
  standstillsMessage,
  failedMessage,
]);

export type RegistryCommand = z.infer<typeof registryCommands>;
export type RegistryMessage = z.infer<typeof registryMessages>;
export type NodesCommand = z.infer<typeof nodesCommands>;
export type NodesMessage = z.infer<typeof nodesMessages>;
export type NodesMessageOf<Type extends NodesMessage['type']> = Extract<NodesMessage, { type: Type }>;
