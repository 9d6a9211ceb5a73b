import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { changeCodes, type LoadSample, loadPartNames, type RoleLoad } from '../load';
import { plainLine, plainSentences } from '../plain-text';
import { safeParse } from '../safe-parse';
import { hostRoleSchema, versionSchema } from './agent-commands';
import { withoutProcessNumbers } from './process-numbers';
import { agentIdSchema } from './subjects';

/** What an agent says of itself once a second, to whoever listens. */

/** Not heard for longer: it is not here. */
export const presenceMs = 1000;
export const silentAfterMs = 3500;

/** For people. */
const agentNameSchema = z.string().regex(/^[A-Za-z0-9._-]{1,63}$/);
const mostText = 400;
/** It is shown on a line of its own: an agent could make other lines of it. */
const text = z.string().max(2000, { abort: true }).overwrite(plainSentences).max(mostText);
const optionalText = text.nullable();
/** More than any machine has of anything: sums of an hour stay numbers. */
const mostAmount = 1e15;
const amount = z.number().nonnegative().max(mostAmount);
const optionalAmount = amount.nullable();
const figure = amount.nullable();
/** Of all cores, or of one GPU: little more than 100 where a second was measured in parts. */
const percent = z.number().nonnegative().max(1000);
const optionalPercent = percent.nullable();
const mostFields = 200;
const reasons = z
  .record(z.string().max(80), text)
  .refine((all) => Object.keys(all).length <= mostFields, `Expected up to ${mostFields} reasons`);

/** What every version says in the same way: enough to name one that we do not understand. */
const headSchema = z.object({
  protocol: z.int().nonnegative(),
  id: agentIdSchema,
  name: agentNameSchema,
  version: versionSchema,
  /** Random, of this process of the agent: two of them with one id are two machines with one join file. */
  session: z.string().min(1).max(64),
});

export type AgentHead = z.infer<typeof headSchema>;

/** Its machine, as far as that is known; null: `notKnown` says why. */
const machineSchema = z.object({
  hostName: text,
  system: text,
  board: optionalText,
  cpuModel: optionalText,
  cores: z.int().positive(),
  memoryMb: amount,
  gpus: z.array(text).max(64).nullable(),
  interfaces: z.array(z.object({ name: text, state: optionalText, speedMbps: optionalAmount })).max(256),
  /** Version of the NDI runtime. */
  ndi: optionalText,
  notKnown: reasons,
});

export type AgentMachine = z.infer<typeof machineSchema>;

/** What its own user lets it do at most; null: no such limit. */
const limitsSchema = z.object({
  /** Senders and receivers together. */
  streams: z.int().nonnegative(),
  format: optionalText,
  /** Of one lease. */
  minutes: optionalAmount,
  /** Of all logs of captured numbers of one lease; null: an agent that keeps none for others. */
  logBytes: optionalAmount.default(null),
});

export type AgentLimits = z.infer<typeof limitsSchema>;

const roleSchema: z.ZodType<RoleLoad> = z.object({
  cpuPercent: percent,
  memoryMb: amount,
  stopped: z.boolean(),
  parts: z
    .array(z.object({ name: z.enum(loadPartNames), cpuPercent: percent, threads: z.int().nonnegative() }))
    .max(64)
    .nullable(),
  gpuPercent: percent.optional(),
  traffic: z.object({ sentMbps: amount, receivedMbps: amount }).nullable().optional(),
});

const mostRoles = 64;
/** It ends in a terminal or a window. */
const shownText = z.string().max(80, { abort: true }).overwrite(plainLine);

/** Numbers, names and flags of a change. */
const mostParts = 8;

/** 30 years in seconds, and the fastest link in Mb/s. */
const mostChange = 1e9;

const changeSchema = z.object({
  atNs: amount,
  code: z.enum(changeCodes),
  data: z
    .record(
      z.string().max(40),
      z.union([z.number().min(-mostChange).max(mostChange), shownText, z.boolean(), z.null()]),
    )
    .refine((data) => Object.keys(data).length <= mostParts),
});

/** The most interfaces in a sample; a machine with more reports the first ones. */
const mostInterfaces = 64;
const mostChanges = 64;

const interfaceLoadSchema = z.object({
  name: shownText,
  loopback: z.boolean(),
  ...{ receiveMbps: amount, transmitMbps: amount, errors: amount, dropped: amount },
  ...{ receiveErrors: amount, transmitErrors: amount, receiveDropped: amount, transmitDropped: amount },
  ...{ linkMbps: optionalAmount, mtuBytes: optionalAmount, notMeasured: reasons },
});

/** As JSON, in which a run records it: a machine of 64 cards has a third of it. */
const longestSample = 64_000;

/** Of the machine and of the agent's own processes, by their role, in the second up to `atNs` of its own monotonic clock. */
const sampleSchema = z.object({
  atNs: amount,
  cpuPercent: optionalPercent,
  busiestCorePercent: optionalPercent,
  cpuStealPercent: optionalPercent,
  gpuPercent: optionalPercent,
  gpuOthersPercent: optionalPercent,
  memoryUsedMb: figure,
  wireReceiveMbps: figure,
  wireTransmitMbps: figure,
  loopbackMbps: figure,
  wireErrors: figure,
  wireDropped: figure,
  tcpRetransmits: figure,
  roles: z
    .record(z.string().max(40), roleSchema.nullable())
    .refine((all) => Object.keys(all).length <= mostRoles, `Expected up to ${mostRoles} roles`),
  interfaces: z.array(interfaceLoadSchema).max(mostInterfaces).default([]),
  fullestLink: z.object({ name: shownText, mbps: amount, linkMbps: amount }).nullable().default(null),
  /** Since the sample before. */
  changes: z.array(changeSchema).max(mostChanges).default([]),
  notMeasured: reasons,
});

const loadSchema = sampleSchema.refine(
  (sample) => JSON.stringify(sample).length <= longestSample,
  `Expected at most ${longestSample} characters`,
);

export type AgentLoad = z.infer<typeof loadSchema>;

/** Two a second; a lease bears a break of 3.5 s. */
export const mostSamples = 10;

const presenceSchema = headSchema.extend({
  /** Names this start of its machine; empty if the system does not report it. */
  bootId: z.string().max(64),
  /** Machines of one network reach each other over loopback; empty if the system does not report it. */
  network: z.string().max(128).default(''),
  uptimeSeconds: amount,
  /** IPv4, at which other machines reach it. */
  addresses: z.array(z.string().refine(isIPv4)).max(64),
  machine: machineSchema,
  limits: limitsSchema,
  /** Who has the lease; null: no console. */
  holder: z.string().max(200).nullable(),
  hosts: z.array(z.object({ role: hostRoleSchema, number: z.int().positive() })).max(1000),
  senders: z.int().nonnegative(),
  receivers: z.int().nonnegative(),
  /** Null before the first second. */
  load: loadSchema.nullable(),
  /**
   * Those of the newest seconds that the console with the lease has not confirmed, oldest first, without `load`: what says one again may have
   * been lost on the way.
   */
  samples: z.array(loadSchema).max(mostSamples).default([]),
  /** It ends now. */
  leaving: z.boolean(),
});

export type AgentPresence = z.infer<typeof presenceSchema>;

/** Undefined for what is no presence of any version: these are foreign bytes. */
export function headOf(value: unknown): AgentHead | undefined {
  return safeParse(headSchema, value).data;
}

/** Undefined for what our version does not say so. */
export function presenceOf(value: unknown): AgentPresence | undefined {
  return safeParse(presenceSchema, value).data;
}

/** A sample without what belongs to streams, which the console counts, and without numbers of processes; null: it has none of ours. */
export function agentLoadOf(sample: LoadSample): AgentLoad | null {
  const { roles, interfaces, changes, notMeasured, ...figures } = sample;
  const withoutNumbers = Object.entries(notMeasured).map(([name, reason]) => [
    name,
    withoutProcessNumbers(plainSentences(reason)).slice(0, mostText),
  ]);
  // The schema leaves out all that it does not name.
  const notMeasuredHere = Object.fromEntries(withoutNumbers);
  const lists = {
    interfaces: interfaces.slice(0, mostInterfaces),
    changes: changes.slice(0, mostChanges).map(({ atNs, code, data }) => ({ atNs, code, data })),
  };
  return safeParse(loadSchema, { ...figures, ...lists, roles, notMeasured: notMeasuredHere }).data ?? null;
}
