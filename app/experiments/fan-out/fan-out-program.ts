import { z } from 'zod';
import { findHelper } from '../../engine/capabilities/helper/find-helper';
import type { HelperProgram } from '../../engine/capabilities/helper/helper-program';
import { here, type ProgramNetwork } from '../../engine/tools/namespace';
import { findTool, runTool } from '../../engine/tools/run-tool';
import { toolFailed, toolNonsense } from '../../engine/tools/tool-problem';
import { mostSubscribers } from './declaration';

const file = 'whiteline-fanout';
const name = 'DDS fan-out';
export const howToGetFanOut =
  'It is built by `npm run setup` where Fast DDS is installed (Debian: apt-get install libfastrtps-dev)';

/** Other machines say it too. */
const text = z.string().max(1000);
const count = z.int().nonnegative();
const int = z.int();
/** Of the monotonic clock, as text since JSON’s numbers may be too short; empty: there was none. */
const momentNs = z.string().regex(/^\d{0,20}$/);
/** As in native/helpers/fanout/dds/subscribing_role.cc. */
const mostLostRanges = 200;

const ready = z.object({ type: z.literal('ready') });

const endpoint = {
  domain: count,
  topic: z.string(),
  run: z.string(),
  /** Of the one interface that is used. */
  address: z.string(),
  ...{ isMulticast: z.boolean(), isReliable: z.boolean(), acknowledges: z.boolean(), keepMs: count },
  ...{ group: z.string(), groupPort: count },
  ...{ sampleBytes: count, batchBytes: count, datagramBytes: count },
  ...{ sendBufferBytes: count, receiveBufferBytes: count },
  /** Of the row, not of the process. */
  subscribers: count,
  isLatency: z.boolean(),
};
const commands = z.discriminatedUnion('type', [
  /** What its machine is. */
  z.object({ type: z.literal('inspect') }),
  z.object({ type: z.literal('publish'), ...endpoint }),
  /** Those of one process are numbered on from `first`. */
  z.object({ type: z.literal('subscribe'), ...endpoint, first: count, count }),
  /** Datagrams that leave by this interface. */
  z.object({
    type: z.literal('count'),
    ...{ interface: z.string(), domain: count, group: z.string(), groupPort: count },
    /** The prefix of its GUID: other rows may use the same interface and group. */
    publisher: z.string(),
  }),
  z.object({ type: z.literal('begin'), startNs: momentNs, durationNs: count }),
  /** The counter needs none of these. */
  z.object({
    type: z.literal('finish'),
    /** That were sent. */
    samples: count.optional(),
    /** Nothing is under way any more when nothing came for so long, or at the latest after so long. */
    ...{ silenceMs: count.optional(), restMs: count.optional() },
  }),
]);

/** From begin to the end of the time: see standstill.ts of the protocol. */
const standstillTimes = { stoppedNs: count, starvedNs: count };

/** Of the same time. */
const processTimes = {
  /** The whole process, and the thread that took most of it. */
  ...{ processorNs: count, busiestThreadNs: count },
  ...standstillTimes,
};

const messages = z.discriminatedUnion('type', [
  /** By which other machines may be reached, before `inspected`. */
  z.object({
    type: z.literal('card'),
    ...{ name: text, address: z.ipv4(), prefixBits: z.int().min(0).max(32) },
    /** −1: not known. */
    speedMbps: int,
  }),
  z.object({
    type: z.literal('inspected'),
    /** Of Fast DDS. */
    version: text,
    cores: z.int().positive(),
    /** That are left: those of `Room`. */
    ...{ memoryMb: z.number().nonnegative(), threads: int, openFiles: count },
  }),
  z.object({
    type: z.literal('open'),
    ports: z.array(count).max(mostSubscribers).optional(),
    ringBytes: count.optional(),
    sendBufferBytes: count.optional(),
    receiveBufferBytes: count.optional(),
    /** Of the publisher: the prefix of its GUID. */
    publisher: text.optional(),
  }),
  /** Of the publisher: how many readers, and writers of replies; of a subscriber: itself, and when. */
  z.object({
    type: z.literal('matched'),
    ...{ readers: count.optional(), replyWriters: count.optional() },
    ...{ subscriber: count.optional(), matchedNs: momentNs.optional() },
  }),
  z.object({
    type: z.literal('stranger'),
    ...{ kind: z.enum(['participant', 'reader', 'writer']), name: text, address: text },
  }),
  z.object({ type: z.literal('second'), second: count }),
  z.object({
    type: z.literal('published'),
    ...{ samples: count, payloads: count, bytes: count, refused: count },
    ...{ firstNs: momentNs, lastNs: momentNs, isAcknowledged: z.boolean() },
    /** Inside of writes, neither on a processor nor ready for one; −1: not known. */
    sleptNs: int,
    ...processTimes,
  }),
  z
    .object({
      type: z.literal('roundTrips'),
      /** −1: all of them. */
      subscriber: int,
      ...{ count, timedOut: count },
      ...{
        minNs: count.optional(),
        p50Ns: count.optional(),
        p90Ns: count.optional(),
        p99Ns: count.optional(),
      },
      ...{ p9999Ns: count.optional(), maxNs: count.optional() },
    })
    .refine(({ count: trips, p50Ns, p99Ns }) => trips === 0 || (p50Ns !== undefined && p99Ns !== undefined)),
  z.object({
    type: z.literal('received'),
    ...{ subscriber: count, samples: count, bytes: count, lost: count, duplicated: count },
    ...{ reordered: count, damaged: count, lostRanges: z.array(count).max(2 * mostLostRanges) },
    ...{ firstNs: momentNs, lastNs: momentNs, matchedNs: momentNs, port: count },
    /** −1: not known. */
    overflowed: int,
  }),
  z.object({ type: z.literal('done'), ...processTimes }),
  z.object({
    type: z.literal('destination'),
    ...{ address: text, port: count, isGroup: z.boolean(), data: count, dataBytes: count },
    ...{ resends: count, heartbeats: count, other: count },
  }),
  z.object({
    type: z.literal('counted'),
    ...{ datagrams: count, wireBytes: count, acknowledgements: count, discovery: count },
    /** That others sent to our group. */
    groupOfOthers: count,
    /** Missed by the counter, not all read by it, and sent in fragments of IP: the others may be more than counted. */
    ...{ dropped: count, unread: count, ipFragments: count },
    ...{ processorNs: count, ...standstillTimes },
  }),
  z.object({ type: z.literal('failed'), text: z.string().max(10_000) }),
]);

export type FanOutCommand = z.infer<typeof commands>;
export type FanOutMessage = z.infer<typeof messages>;
export type FanOutMessageOf<Type extends FanOutMessage['type']> = Extract<FanOutMessage, { type: Type }>;
export type FanOutProgram = HelperProgram<z.infer<typeof ready>, FanOutCommand, FanOutMessage>;
export type FanOutRole = 'publisher' | 'subscribers' | 'counter' | 'inspector';

/** Null: it was not built. */
export function findFanOut(): string | null {
  return findHelper(file);
}

/** Without the right to raw frames. */
export function mayNotCount(): string {
  return (
    'Counting the datagrams that leave the publisher needs CAP_NET_RAW, and without it no row proves its way. ' +
    `Start Whiteline as root, or: sudo setcap cap_net_raw+ep ${findFanOut()}`
  );
}

export function fanOutName(who: string): string {
  return `${name} (${who})`;
}

/**
 * @param role under which its load counts
 * @param who in words, where several have the role
 */
export function fanOutProgram(
  role: FanOutRole,
  { inside }: ProgramNetwork,
  who: string = role,
): FanOutProgram {
  const fanOut = findFanOut() ?? file;
  const [program = fanOut, ...args] = [...inside, fanOut];
  return {
    ...{
      name: fanOutName(who),
      kindName: fanOutName(role),
      role: `fan-out-${role}`,
      args,
      howToGet: howToGetFanOut,
    },
    file: inside.length > 0 ? (findTool(program) ?? program) : fanOut,
    ...{ ready, commands, messages },
  };
}

const library = z.object({
  type: z.literal('library'),
  /** Of Fast DDS. */
  version: z.string(),
  /** The executable, by the rights of this process or by its own. */
  mayUseRawFrames: z.boolean(),
});

/** What the executable says of itself. @throws WhitelineError TOOL_FAILED */
export async function inspectFanOut({ inside }: ProgramNetwork = here): Promise<z.infer<typeof library>> {
  const [program = '', ...args] = [...inside, findFanOut() ?? file, '--inspect'];
  const { stdout, stderr, exitCode } = await runTool({ file: program, args, timeoutSeconds: 10 });
  if (exitCode !== 0) throw toolFailed(name, stderr);
  try {
    return library.parse(JSON.parse(stdout));
  } catch {
    throw toolNonsense(name, 'nothing of its library', stdout);
  }
}
