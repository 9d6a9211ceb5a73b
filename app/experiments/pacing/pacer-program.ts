import { z } from 'zod';
import { findHelper } from '../../engine/capabilities/helper/find-helper';
import type { HelperProgram } from '../../engine/capabilities/helper/helper-program';
import type { ProgramNetwork } from '../../engine/tools/namespace';
import { findTool, type RunTool } from '../../engine/tools/run-tool';
import { toolFailed, toolNonsense } from '../../engine/tools/tool-problem';

const name = 'packet pacer';
const howToGetPacer = 'npm run setup builds it';

const int = z.int();
/** As in native/helpers/pacer: of places that are kept, the first and the last number of each; of cores and bins there are fewer. */
const ints = z.array(int).max(4096);
/** Another machine may say it. */
const words = z.string().max(4000);
const count = int.nonnegative();

const ready = z.object({ type: z.literal('ready') });

/** From the first packet’s time on: see standstill.ts of the protocol. */
const standstillTimes = { stoppedNs: count, starvedNs: count };

const sendOptions = {
  path: z.enum(['ethernet', 'udp']),
  interface: z.string(),
  /** Of UDP: where the receiver listens. */
  ...{ address: z.string(), port: count },
  streamId: z.string(),
  intervalNs: count,
  transitNs: count,
};
const commands = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('prepare'),
    ...sendOptions,
    /** Null: no tag. */
    vlanId: count.nullable(),
    vlanPriority: count,
    ...{ rateHz: count, channels: count, bits: count, samples: count },
    ...{ method: z.string(), packets: count, packetsPerWakeUp: count, leadNs: count },
    /** For tests: native/helpers/pacer/irregularities.h. */
    irregularities: z.string(),
    transmitStamps: z.boolean(),
    ...{ realTime: z.boolean(), lockMemory: z.boolean() },
    /** Null: any. */
    core: count.nullable(),
  }),
  z.object({
    type: z.literal('listen'),
    ...sendOptions,
    ...{ toleranceNs: count, presentationNs: count, hardware: z.boolean(), rawLog: z.string() },
  }),
  /** Of the monotonic clock, as text since JSON’s numbers may be too short; empty: not known. */
  z.object({
    type: z.literal('begin'),
    startNs: z.string(),
    /** The same by the sender’s clock, by which packets say when they are presented. */
    senderStartNs: z.string(),
    /** Of UDP, from which the sender sends: what comes from elsewhere is foreign to the receiver. */
    ...{ senderAddress: z.string(), senderPort: count },
  }),
  z.object({ type: z.literal('held'), windows: z.string(), untilNs: int }),
  /** Null: not known. */
  z.object({ type: z.literal('finish'), sent: count.nullable() }),
]);

const intervals = z
  .object({
    type: z.literal('intervals'),
    of: z.enum(['received', 'undisturbed', 'submitted', 'transmitted']),
    count,
    ...{ meanNs: z.number().optional(), sdNs: z.number().nullable().optional() },
    ...{ minNs: int.optional(), maxNs: int.optional(), p001Ns: int.optional(), p25Ns: int.optional() },
    ...{ p50Ns: int.optional(), p75Ns: int.optional(), p99Ns: int.optional(), p999Ns: int.optional() },
    ...{ p9999Ns: int.optional(), curveNs: ints.optional() },
    ...{ firstBin: count.optional(), binCounts: z.array(count).max(4096).optional() },
  })
  .refine(
    ({ count: intervals, minNs, maxNs, p25Ns, p75Ns }) =>
      intervals === 0 || [minNs, maxNs, p25Ns, p75Ns].every((ns) => ns !== undefined),
  );
const prepared = z.object({
  type: z.literal('prepared'),
  ...{
    /** Of UDP, from which it sends; of another path empty, and 0. */
    ...{ address: z.union([z.ipv4(), z.literal('')]), port: count },
    realTimePriority: count,
    /** Null: not known. */
    timerSlackNs: count.nullable(),
    lockedMemory: z.boolean(),
    cores: ints,
    refused: words,
  },
});
const listening = z.object({
  type: z.literal('listening'),
  ...{ stamps: z.enum(['software', 'hardware']), port: count, bufferBytes: count },
});
const held = z.object({
  type: z.literal('held'),
  ...{ windows: z.string().regex(/^[\d:\s-]*$/), untilNs: int, spinHolds: count, spinHeldNs: count },
  ...{ stolenWindows: count, stolenNs: count },
});
const sent = z.object({
  type: z.literal('sent'),
  ...{ slots: count, sent: count, refused: count, wakeUps: count, launchesMissed: count },
  ...{ launchesRefused: count, heldDropped: count, processorNs: count },
  ...standstillTimes,
});
/** The raw log ended before the row: when that begins, and at the end of the row. */
const logEnded = z.object({ type: z.literal('logEnded'), packets: count, why: words });
const second = z.object({
  type: z.literal('second'),
  ...{ second: count, intervals: count, minNs: int, maxNs: int, lost: count, received: count },
});
const received = z.object({
  type: z.literal('received'),
  ...{ received: count, lost: count, reordered: count, duplicated: count },
  ...{ lostRanges: ints, latecomers: ints, duplicates: ints },
  ...{
    foreign: count,
    otherAudio: count,
    damaged: count,
    unstamped: count,
    excluded: count,
    undecided: count,
  },
  early: count.optional(),
  ...{ late: count.optional(), longestLateRun: count.optional(), tooLateToPresent: count.optional() },
  ...{ earliestNs: int.optional(), latestNs: int.optional(), timeIntervalErrorNs: count.optional() },
  latest: ints.optional(),
  streamId: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  ...{ rateHz: count.optional(), channels: count.optional() },
  bits: count.optional(),
  ...{
    overflowed: count,
    clockSteps: count,
    clockUncertaintyNs: count,
    slewPpm: z.number(),
    processorNs: count,
    ...standstillTimes,
  },
});
const failed = z.object({ type: z.literal('failed'), text: words });
const messages = z.discriminatedUnion('type', [
  intervals,
  prepared,
  listening,
  held,
  sent,
  second,
  logEnded,
  received,
  failed,
]);

export type PacerCommand = z.infer<typeof commands>;
export type PacerMessage = z.infer<typeof messages>;
export type PacerMessageOf<Type extends PacerMessage['type']> = Extract<PacerMessage, { type: Type }>;
export type PacerProgram = HelperProgram<z.infer<typeof ready>, PacerCommand, PacerMessage>;

/** Null: it was not built. */
export function findPacer(): string | null {
  return findHelper('whiteline-pacer');
}

export type PacerRole = 'sender' | 'receiver';

/** What this machine lacks for it, as sentences; null: nothing. */
export function pacerMissing(): string | null {
  if (process.platform !== 'linux') return linuxAlone;
  return findPacer() ? null : `The packet pacer was not found. Get it: ${howToGetPacer}`;
}

export const linuxAlone =
  'Packets are paced and stamped on Linux only. Run it on a machine with Linux, or listen to this one there';

export function pacerName(role: PacerRole): string {
  return `${name} (${role})`;
}

/** @param role under which its load counts */
export function pacerProgram(role: PacerRole, { inside }: ProgramNetwork): PacerProgram {
  const pacer = findPacer() ?? 'whiteline-pacer';
  const [file = pacer, ...args] = [...inside, pacer];
  return {
    ...{ name: pacerName(role), role: `pacer-${role}`, args, howToGet: howToGetPacer },
    file: inside.length > 0 ? (findTool(file) ?? file) : pacer,
    ...{ ready, commands, messages },
  };
}

const interfaceFacts = z.object({
  type: z.literal('interface'),
  ...{ isUp: z.boolean(), hasCarrier: z.boolean(), isEthernet: z.boolean(), mtuBytes: count },
  stampsInHardware: z.boolean(),
  /** Null: the driver reports none. */
  speedMbps: count.nullable(),
  launchQueue: z.string(),
  /** The pacer, by the rights of this process or by its own. */
  mayUseRawFrames: z.boolean(),
});
export type InterfaceFacts = z.infer<typeof interfaceFacts>;
const inspection = z.discriminatedUnion('type', [
  interfaceFacts,
  z.object({ type: z.literal('no-interface') }),
]);

/**
 * What the kernel reports about an interface; null: there is none of this name.
 * @throws WhitelineError TOOL_FAILED
 */
export async function inspectInterface(
  interfaceName: string,
  { inside }: ProgramNetwork,
  run: RunTool,
): Promise<InterfaceFacts | null> {
  const [file = '', ...args] = [...inside, findPacer() ?? '', '--inspect', interfaceName];
  const { stdout, stderr, exitCode } = await run({ file, args, timeoutSeconds: 10 });
  if (exitCode !== 0) throw toolFailed(name, stderr);
  try {
    const found = inspection.parse(JSON.parse(stdout));
    return found.type === 'interface' ? found : null;
  } catch {
    throw toolNonsense(name, 'no facts of an interface', stdout);
  }
}
