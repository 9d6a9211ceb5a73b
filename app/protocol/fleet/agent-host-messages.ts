import { z } from 'zod';
import { badInput, errorCodes, type Problem, type WhitelineError } from '../errors';
import type {
  HostCommand,
  HostMessage,
  HostReady,
  HostRequest,
  LogGap,
  ReceiverReport,
  SenderReport,
  SourceReport,
} from '../host';
import { hostAndPortOf, hostOf } from '../network-address';
import { parsedBy } from '../parsed-by';
import { plainLine, plainSentences } from '../plain-text';
import { fillsBlock, type PackedRecords, unpackRecords } from '../record-block';
import {
  type DiscoveredSource,
  type Fault,
  faultVerbs,
  type ReceiverStatus,
  type SourceStatus,
} from '../records';
import { safeParse } from '../safe-parse';
import { mostEnvironmentParts, parseEnvironmentPart } from '../shared-environment';
import type { SharedLoad } from '../shared-records';
import type { TrafficGap, TrafficLook } from '../socket-traffic';
import { type Standstill, standstillKinds } from '../standstill';
import { threadPolicySchema } from '../thread-policy';
import type { LoadedTransport } from '../transports';
import { checkPicture, movieSourceSchema, pictureShape } from './movies';
import { unlikelyValueIn } from './record-values';

/** What an agent passes on between a console and a stream host of its machine, as each end checks it. */

const id = z.int().positive();
const text = z.string().max(400);
/** What is shown on a line of its own: an agent could make other lines of it. */
const line = (most: number) => z.string().max(most).transform(plainLine);
const sentences = (most: number) => z.string().max(most).transform(plainSentences);
/** More than any time, in ns, or amount of anything: sums of many stay numbers. */
const amount = z.number().nonnegative().max(1e19);
const count = z.int().nonnegative();
const percent = z.number().nonnegative().nullable();
const nothing = z.null();
/** As the network says it; no limit of NDI is known. */
const foreignName = z.string().max(2000);
/** native/transports/ndi/metadata_text.h */
const longestMetadata = 65_536;

/** NDI takes no longer name of a machine and a sender together. */
const mostNameLength = 253;
const name = z
  .string()
  .min(1)
  .max(mostNameLength)
  .refine((value) => plainLine(value) === value, 'Expected a name without control characters');

const mostFaults = 5000;
const mostHosts = 64;
const mostSeconds = 60;
/** A code in the picture has two bytes for it. */
const mostCodeId = 65_535;
const longestDelayMs = 10_000;

/** It reads no file and starts no program; or it is a movie, which the agent chooses itself. */
const sourceSchema = z.union([
  z.strictObject({ kind: z.enum(['white-line', 'noise']), ...pictureShape }).superRefine(checkPicture),
  movieSourceSchema,
]);

const faultSchema: z.ZodType<Fault> = z.strictObject({
  verb: z.enum(faultVerbs),
  first: count,
  last: count,
  delayMs: z.number().positive().max(longestDelayMs).optional(),
});

const loadSchema: z.ZodType<SharedLoad> = z.strictObject({
  measuredNs: amount,
  cpuPercent: percent,
  gpuPercent: percent,
  othersPercent: percent,
  stealPercent: percent,
});

/** Further problems of the same form are of forms: a stream host has none. */
const problemSchema: z.ZodType<Problem> = z.object({
  // A newer Whiteline may have codes that this one does not know.
  code: z.enum(errorCodes).catch('INTERNAL'),
  message: sentences(4000),
  field: line(400).optional(),
  value: line(2000).optional(),
  remedy: sentences(2000).optional(),
});

const loadedTransportSchema: z.ZodType<LoadedTransport> = z.discriminatedUnion('name', [
  z.object({ name: z.literal('ndi'), version: text, path: z.string().max(4096) }),
  z.object({ name: z.literal('memory') }),
]);

/** The number of a process means another process here. */
const readySchema: z.ZodType<HostReady> = z.object({
  processId: nothing,
  addonProblem: problemSchema.nullable(),
  transport: loadedTransportSchema.nullable(),
  transportProblem: problemSchema.nullable(),
});

const discoveredSchema: z.ZodType<DiscoveredSource[]> = z
  .array(z.object({ name: foreignName, address: foreignName }))
  .max(10_000);

function command<Name extends string, Shape extends z.ZodRawShape, Result extends z.ZodType>(
  is: Name,
  shape: Shape,
  result: Result,
) {
  return { parameters: z.strictObject({ name: z.literal(is), ...shape }), result };
}

const searchHost = z.string().superRefine(parsedBy((host) => hostOf(host, 'searchHosts')));

/** Requests that an agent passes on to a stream host. All others are refused: they read files, start programs or take the machine up. */
export const agentHostCommands = {
  /** The agent adds the transport's files and its own offset to wall time. */
  start: command(
    'start',
    {
      searchHosts: z.array(searchHost).max(mostHosts).optional(),
    },
    readySchema,
  ),
  openSource: command(
    'openSource',
    { sourceId: id, codeSourceId: z.int().min(1).max(mostCodeId), options: sourceSchema },
    nothing,
  ),
  closeSource: command('closeSource', { sourceId: id }, nothing),
  openSender: command(
    'openSender',
    { streamId: id, sourceId: id, senderName: name, shareRecords: z.boolean(), audio: z.boolean() },
    line(400),
  ),
  closeSender: command('closeSender', { streamId: id }, nothing),
  setFaults: command('setFaults', { streamId: id, faults: z.array(faultSchema).max(mostFaults) }, nothing),
  sendLoad: command('sendLoad', { load: loadSchema }, nothing),
  /** The agent chooses where its log of captured numbers is; it also writes one where its own user asked for it. */
  openReceiver: command(
    'openReceiver',
    {
      streamId: id,
      sourceName: name,
      address: z
        .string()
        .superRefine(parsedBy((address) => hostAndPortOf(address, 'address')))
        .optional(),
      captureLog: z.boolean().optional(),
      askTime: z.boolean(),
    },
    nothing,
  ),
  closeReceiver: command('closeReceiver', { streamId: id }, nothing),
  discover: command('discover', { seconds: z.number().min(0).max(mostSeconds) }, discoveredSchema),
  searchHost: command('searchHost', { host: searchHost }, nothing),
  threadPolicy: command('threadPolicy', {}, threadPolicySchema),
  sendEnvironment: command(
    'sendEnvironment',
    {
      messages: z
        .array(
          z.string().refine((xml) => parseEnvironmentPart(xml) !== null, 'Expected parts of an environment'),
        )
        .max(mostEnvironmentParts),
    },
    nothing,
  ),
  cancel: command('cancel', { requestId: id }, nothing),
  flush: command('flush', {}, nothing),
  time: command('time', {}, z.object({ heardNs: amount, repliedNs: amount })),
};

export type AgentHostCommandName = keyof typeof agentHostCommands;
export type AgentHostCommand = {
  [Name in AgentHostCommandName]: z.output<(typeof agentHostCommands)[Name]['parameters']>;
}[AgentHostCommandName];

/** As it travels to the agent. */
export interface AgentHostRequest {
  type: 'request';
  requestId: number;
  command: AgentHostCommand;
}

export const hostRequestSchema = z.strictObject({
  type: z.literal('request'),
  requestId: id,
  command: z.unknown(),
});

/** Of a stream host whose process is gone, after its last message. `words`: why, where the agent ended it. */
export interface HostExit {
  type: 'exit';
  exitCode: number;
  words: string | null;
}

const exitSchema: z.ZodType<HostExit> = z.object({
  type: z.literal('exit'),
  exitCode: z.int(),
  words: sentences(400).nullable(),
});

const trafficGaps = [
  ...(['not-allowed', 'no-library', 'no-kernel-support', 'unreadable'] as const),
  ...(['shared-port', 'fragments', 'new-socket', 'closed-socket'] as const),
] satisfies TrafficGap[];

const trafficSchema: z.ZodType<TrafficLook> = z.object({
  atNs: amount,
  sockets: z
    .object({
      sentBytes: count,
      receivedBytes: count,
      tcpSockets: count,
      udpSockets: count,
      gaps: count,
      newestGap: z.enum(trafficGaps).nullable(),
    })
    .nullable(),
});

const standstillSchema: z.ZodType<Standstill> = z.object({
  kind: z.enum(standstillKinds),
  fromNs: amount,
  toNs: amount,
});

const ringSchema = z.object({ atByte: count, length: count, overflowed: count });
type Ring = z.infer<typeof ringSchema>;

const sourceStatusSchema: z.ZodType<SourceStatus> = z.object({
  state: z.enum(['starting', 'running', 'failed', 'closed']),
  sourceId: count,
  startNs: amount,
  message: sentences(4000),
  // A source that an agent opens has no command.
  commandProcessId: z.literal(0),
  diskRateMBps: amount.nullable(),
  damagedPictures: count,
  damage: sentences(4000),
  realTimeFinding: sentences(1000),
});

const receiverStatusSchema: z.ZodType<ReceiverStatus> = z.object({
  connections: count.nullable(),
  width: count,
  height: count,
  rateNumerator: count,
  rateDenominator: count,
  frameFormat: z.enum(['progressive', 'interleaved', 'fields']),
  fourCC: text,
  picturesCaptured: count,
  lastCaptureNs: amount,
  transportDropped: count.nullable(),
  transportQueueDepth: count.nullable(),
  metadataDropped: count,
});

const sourceReportSchema: z.ZodType<Omit<SourceReport, 'records'> & { records: Ring }> = z.object({
  sourceId: id,
  status: sourceStatusSchema,
  records: ringSchema,
});

const senderReportSchema: z.ZodType<
  Omit<SenderReport, 'submits' | 'misses'> & Record<'submits' | 'misses', Ring>
> = z.object({
  streamId: id,
  firstSlot: z.int().nonnegative(),
  connections: count.nullable(),
  metadataDropped: count,
  realTimeFinding: sentences(1000),
  submits: ringSchema,
  misses: ringSchema,
});

const receiverReportSchema: z.ZodType<
  Omit<ReceiverReport, 'captures' | 'audio' | 'time'> & Record<'captures' | 'audio' | 'time', Ring>
> = z.object({
  streamId: id,
  sourceName: foreignName,
  address: foreignName,
  openedNs: amount,
  listed: z.boolean().nullable(),
  captures: ringSchema,
  audio: ringSchema,
  time: ringSchema,
  status: receiverStatusSchema.nullable(),
  metadata: z.array(z.string().max(longestMetadata)).max(10_000),
  soundPeakDbfs: z.number().min(-120).max(120).nullable(),
});

const logGapSchema: z.ZodType<LogGap> = z.object({
  streamId: id,
  frames: z.int().positive(),
  why: line(400),
  isFinal: z.boolean(),
});

/** Ends of streams in one stream host. */
const mostEnds = 1000;

const recordsSchema: z.ZodType<PackedRecords> = z
  .object({
    type: z.literal('records'),
    atNs: amount,
    // They mean other processes here.
    processIds: z.array(z.never()).max(0),
    traffic: trafficSchema.nullable(),
    standstills: z.array(standstillSchema).max(10_000),
    logGaps: z.array(logGapSchema).max(mostEnds).optional(),
    sources: z.array(sourceReportSchema).max(mostEnds),
    senders: z.array(senderReportSchema).max(mostEnds),
    receivers: z.array(receiverReportSchema).max(mostEnds),
    block: z.instanceof(Float64Array),
  })
  .refine(fillsBlock, { path: ['block'], message: 'Expected records that fill their block' });

const replySchema = z.object({
  type: z.literal('reply'),
  requestId: id,
  value: z.unknown(),
  problem: problemSchema.nullable(),
});

const progressSchema = z.object({
  type: z.literal('progress'),
  requestId: id,
  framesDone: count,
  frames: count,
});

/**
 * Records as an agent sends them: `unpackRecords` of them makes no view outside their block.
 * @throws WhitelineError BAD_INPUT naming what is not as a stream host sends it
 */
export function checkedRecords(value: unknown): PackedRecords {
  const records = checked(recordsSchema, value, 'records');
  const found = unlikelyValueIn(unpackRecords(records));
  if (found !== null) throw unlikely('records', found.field, found.value);
  return records;
}

/**
 * What an agent says for a stream host.
 * @param asked gives the command of a request that waits for its reply; undefined for any other number
 * @throws WhitelineError BAD_INPUT naming what is not as a stream host sends it
 */
export function checkedHostMessage(
  value: unknown,
  asked: (requestId: number) => AgentHostCommandName | undefined,
): HostMessage | HostExit {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  switch (type) {
    case 'records':
      return checkedRecords(value);
    case 'progress':
      return checked(progressSchema, value, 'progress');
    case 'exit':
      return checked(exitSchema, value, 'exit');
    case 'reply':
      return checkedReply(checked(replySchema, value, 'reply'), asked);
    default:
      throw unlikely('message', 'type');
  }
}

type Reply = Extract<HostMessage, { type: 'reply' }>;

function checkedReply(
  { value, ...reply }: z.infer<typeof replySchema>,
  asked: (requestId: number) => AgentHostCommandName | undefined,
): Reply {
  const command = asked(reply.requestId);
  if (command === undefined) throw unlikely('reply', 'requestId');
  if (reply.problem) return { ...reply, value: null };
  return { ...reply, value: checked(agentHostCommands[command].result, value, `reply to ${command}`) };
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { success, data, error } = safeParse(schema, value);
  if (success) return data;
  throw unlikely(what, error.issues[0]?.path.map(String).join('.') ?? '');
}

/** The value itself may be megabytes of anything: a number alone is told. */
function unlikely(what: string, field: string, value?: number): WhitelineError {
  const received = value ?? 'something else';
  return badInput(field === '' ? what : field, `what a stream host sends as ${what}`, received);
}

/**
 * A console's request to one of its own hosts as it is passed on to an agent.
 * @throws WhitelineError BAD_INPUT for what only a host of the console's own machine is given
 */
export function withoutOwn({ requestId, command }: HostRequest): { requestId: number; command: unknown } {
  return { requestId, command: command.name === 'start' ? startOf(command) : present(command) };
}

function startOf({ configuration, searchHosts }: Extract<HostCommand, { name: 'start' }>): object {
  if (configuration !== undefined)
    throw badInput(
      'configuration',
      'no configuration of the transport for another machine',
      configuration,
      'Measure with that machine’s own configuration',
    );
  return present({ name: 'start', searchHosts });
}

/** Without what is undefined, which a message would carry as null. */
export function present(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
