import { z } from 'zod';
import { causeOf } from '../../facts/cause-words';
import type { Fact } from '../../facts/fact';
import type { Loss } from '../../facts/loss';
import { wordsOf } from '../../facts/reason-words';
import type { Row, Subject } from '../../facts/row';
import type { Run } from '../../facts/run';
import { type Side, sentName, sharedStreams, sideOf, streamsOfRun } from '../../facts/two-sides';
import { type Fault, faultVerbs, MissCause } from '../../protocol/records';
import { safeParse } from '../../protocol/safe-parse';
import { readEvents } from '../sessions/read-run';
import { injectedFrames } from '../streams/losses/injected';
import type { GroupedRun } from './run-group';

/** What the sending side of a test put into its frames: its receiver, which recorded a run of its own, could not know it. */
type SentFaults = ReadonlyMap<string, readonly SentFault[]>;

interface SentFault {
  fault: Fault;
  /** The source whose frames its numbers count; runs of an older version do not say it. */
  codeSourceId: number | undefined;
}

/** What a sender's run put in, without the run. */
export interface SendingSide extends Side {
  faults: SentFaults;
}

const frame = z.int().nonnegative();
const putInSchema = z.object({
  codeSourceId: z.int().positive().optional(),
  faults: z.array(
    z.object({ verb: z.enum(faultVerbs), first: frame, last: frame, delayMs: z.number().optional() }),
  ),
});

/** Null: the run sent nothing for others. */
export function sendingSideOf({ folder, run }: GroupedRun): SendingSide | null {
  return run?.experiment === 'send' ? { ...sideOf(run), faults: faultsOf(folder, run) } : null;
}

/** The run of a receiver with what its senders put in, in all that it says of its losses. */
export function withFaultsOfSenders(grouped: GroupedRun, senders: readonly SendingSide[]): GroupedRun {
  const { run: read, entry, folder } = grouped;
  if (read?.experiment !== 'watch') return grouped;
  const own = sideOf(read);
  const faults = new Map<string, readonly SentFault[]>();
  for (const sender of senders)
    for (const name of sharedStreams(sender, own))
      faults.set(name, [...(faults.get(name) ?? []), ...(sender.faults.get(name) ?? [])]);
  if (faults.size === 0) return grouped;
  const run = withSentFaults(read, faults, followedAnew(folder));
  return { ...grouped, run, entry: { ...entry, reason: run.reason } };
}

/** By the names of the streams. */
function faultsOf(folder: string, run: Run): SentFaults {
  const nameOf = new Map(streamsOfRun(run).map((stream) => [stream.id, sentName(stream)]));
  const faults = new Map<string, SentFault[]>();
  for (const { kind, streamId, details } of readEvents(folder)) {
    const name = nameOf.get(String(streamId));
    if (kind !== 'fault-injected' || name === undefined) continue;
    const { faults: known = [], codeSourceId } = safeParse(putInSchema, details).data ?? {};
    const putIn = known.map((fault) => ({ fault, codeSourceId }));
    faults.set(name, [...(faults.get(name) ?? []), ...putIn]);
  }
  return faults;
}

/** Ids of the streams of a receiver's run that had more than one sender, one after the other: each counts its frames from 0. */
function followedAnew(folder: string): ReadonlySet<string> {
  const connected = new Set<string>();
  const anew = new Set<string>();
  for (const { kind, streamId } of readEvents(folder)) {
    const id = String(streamId);
    if (kind === 'sender-restarted' || (kind === 'stream-connected' && connected.has(id))) anew.add(id);
    if (kind === 'stream-connected') connected.add(id);
  }
  return anew;
}

/** The receiving side, with these faults as causes of its losses, frame by frame, and in all that it says of them. */
function withSentFaults(run: Run, faults: SentFaults, anew: ReadonlySet<string>): Run {
  const rows = run.rows.map((row) => explainedRow(row, faults, anew));
  // The sentence of a run is recorded in words: it holds those of its rows.
  const reason = rows.reduce((said, row, index) => {
    const before = wordsOf(run.rows[index]?.reason ?? []);
    return before === '' ? said : said.replace(before, () => wordsOf(row.reason));
  }, run.reason);
  return { ...run, reason, rows };
}

function explainedRow(row: Row, faults: SentFaults, anew: ReadonlySet<string>): Row {
  const explained = row.subjects.map((stream) => {
    const own = ofSameSource(stream, faults.get(sentName(stream)) ?? [], anew.has(stream.id));
    const losses = stream.losses?.map((loss) => ({ loss, injected: newlyInjected(loss, own) })) ?? [];
    return { stream, losses, put: putInOf(losses) };
  });
  const subjects = explained.map(({ stream, losses, put }) => ({
    ...stream,
    reason: stream.reason?.map((fact) => withPutIn(fact, put)),
    losses: stream.losses && losses.map(({ loss, injected }) => withInjected(loss, injected)),
  }));
  const reason = row.reason.map((fact) => {
    const { stream: name } = fact.data;
    const ofStream = explained.find(({ stream }) => explained.length === 1 || stream.name === name);
    return ofStream ? withPutIn(fact, ofStream.put) : fact;
  });
  return { ...row, subjects, reason };
}

/** Without the ids of both, whose frames the numbers count is known only of a stream that had one sender. */
function ofSameSource(stream: Subject, faults: readonly SentFault[], hadSeveral: boolean): Fault[] {
  const same = faults.filter(({ codeSourceId }) =>
    codeSourceId === undefined || stream.codeSourceId === undefined
      ? !hadSeveral
      : codeSourceId === stream.codeSourceId,
  );
  return same.map(({ fault }) => fault);
}

/** How many frames of a loss these faults explain that its causes do not. */
function newlyInjected(loss: Loss, faults: readonly Fault[]): number {
  const { causes = [] } = loss;
  if (causes.some(({ code }) => code === 'injected')) return 0;
  return injectedFrames(faults, { ...loss, missCause: missCauseOf(causes) }, rateOf(loss));
}

function withInjected(loss: Loss, injected: number): Loss {
  if (injected === 0) return loss;
  const { causes = [], frames } = loss;
  const others = frames - injected;
  // The sender’s own run knows more than what it reported to the receiver.
  const seen = causes.filter(({ code }) => code !== 'sender-injected');
  return {
    ...loss,
    causes:
      others === 0 ? [causeOf('injected')] : [causeOf('injected', { frames: injected, others }), ...seen],
  };
}

/** What was put in of a stream in a row: as misses that the sender reports, as calls that it held back, and behind it. */
interface PutIn {
  said: number;
  held: number;
  lost: number;
}

function putInOf(losses: readonly { loss: Loss; injected: number }[]): PutIn {
  const put = { said: 0, held: 0, lost: 0 };
  for (const { loss, injected } of losses) {
    const isSaid = missCauseOf(loss.causes ?? []) === MissCause.Injected;
    put[loss.stage !== 'sender' ? 'lost' : isSaid ? 'said' : 'held'] += injected;
  }
  return put;
}

function withPutIn(fact: Fact, { said, held, lost }: PutIn): Fact {
  const count = (name: string): number => (typeof fact.data[name] === 'number' ? fact.data[name] : 0);
  const injected = (more: number): number => count('injected') + more;
  if (fact.code === 'frames-lost') return { ...fact, data: { ...fact.data, injected: injected(lost) } };
  if (fact.code !== 'frames-missed') return fact;
  const data = {
    injected: injected(said + held),
    saidInjected: Math.max(0, count('saidInjected') - said),
    sendBlocked: Math.max(0, count('sendBlocked') - held),
  };
  return { ...fact, data: { ...fact.data, ...data } };
}

/** Frames a second, by the times of its first and last slot. */
function rateOf({ firstFrame, lastFrame, startedAt, endedAt }: Loss): number {
  return (1000 * (lastFrame + 1 - firstFrame)) / Math.max(1, Date.parse(endedAt) - Date.parse(startedAt));
}

function missCauseOf(causes: readonly Fact[]): number {
  const has = (code: string): boolean => causes.some((cause) => cause.code === code);
  if (has('sender-injected')) return MissCause.Injected;
  return has('sdk-send-blocked') ? MissCause.SendBlocked : -1;
}
