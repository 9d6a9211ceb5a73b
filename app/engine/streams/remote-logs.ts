import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { type ErrorCode, type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import { type KeptLog, logPieceBytes } from '../../protocol/fleet/capture-logs';
import { maxRate } from '../../protocol/format';
import { plainLine } from '../../protocol/plain-text';
import type { MachineLogs, RemoteMachine } from '../host-application';
import { writeProblem } from '../sessions/append-file';
import { putInPlace } from '../sessions/new-file';
import { remoteLogName } from './capture-log';
import type { NoteEvent } from './stream-hosts';

/** What a console takes at most, whatever a machine says of its logs: of one, no more than pictures can have come. */
const mostLogBytes = 1e9;
const longestLine = 80;
const mostLinesPerSecond = 2 * maxRate;
const slackSeconds = 10;
const mostFetchedBytes = 8e9;
/** A process that died is started again three times, and so is one that was given up. */
const mostOfStream = 8;
/** For the logs of all machines together; of a run that was stopped, its operator waits. */
const mostSeconds = 120;
const mostSecondsStopped = 10;
const againMs = 250;
/** How many files are named in one line. */
const mostNamed = 8;

export interface RemoteLogsOptions {
  /** Folder of the run. */
  folder: string;
  clock: Pick<Clock, 'monotonicNs' | 'uptimeSeconds' | 'sleep'>;
  noteEvent: NoteEvent;
}

interface NamedStream {
  id: number;
  name: string;
}

interface Expected extends NamedStream {
  /** When the first log of it was asked for, s since the start of our machine: its own sleep counts. */
  atSeconds: number;
  /** How many logs of it earlier leases of this machine have. */
  before: number;
  /** Processes that received it in this lease; each writes its own log. */
  readonly receivers: Set<object>;
}

/** A log that is to come. */
interface ExpectedLog {
  stream: Expected;
  /** Among all of this stream on this machine, from 1. */
  number: number;
  /** What its agent says of it; undefined: it has none, or was not asked yet. */
  kept: KeptLog | undefined;
}

/** What ends the fetching of one log, of all of its machine, or of all. */
type Reach = 'log' | 'machine' | 'all';

class NotFetched extends Error {
  constructor(
    readonly reach: Reach,
    readonly problem: Pick<Problem, 'message' | 'remedy'>,
  ) {
    super(problem.message);
  }
}

const there = 'Where its agent was started with --logs, copy it from there';

/** Logs that receivers on other machines were asked to write, and that are fetched once nothing is measured any more. */
export class RemoteLogs {
  /** By lease: a machine that was lost and is leased again is another one here, of the same name. */
  private readonly expected = new Map<RemoteMachine, Expected[]>();

  constructor(private readonly options: RemoteLogsOptions) {}

  /**
   * A receiver is opened there. False: that machine keeps no logs for us.
   * @param receiver its process: one that is opened there again goes on in its log
   */
  expect(machine: RemoteMachine, { id, name }: NamedStream, receiver: object): boolean {
    if (!machine.logs) return false;
    const streams = this.expected.get(machine) ?? [];
    this.expected.set(machine, streams);
    const known = streams.find((stream) => stream.id === id);
    if (known) known.receivers.add(receiver);
    else
      streams.push({
        ...{ id, name, atSeconds: this.options.clock.uptimeSeconds() },
        ...{ before: this.logsOf(machine.name, id), receivers: new Set([receiver]) },
      });
    return true;
  }

  /** How many a stream has on the machine of this name, in all leases. */
  private logsOf(machine: string, streamId: number): number {
    const all = [...this.expected].flatMap(([{ name }, streams]) => (name === machine ? streams : []));
    return all.reduce((sum, { id, receivers }) => sum + (id === streamId ? receivers.size : 0), 0);
  }

  /** It has logs that are not fetched yet. */
  holds(machine: RemoteMachine): boolean {
    return this.expected.has(machine);
  }

  /**
   * Fetches all of them into the folder, each whole or not at all. What is not fetched is an event with its cause. Never rejects.
   * @param signal aborts it; one that was aborted before makes it short
   */
  async fetch(signal?: AbortSignal): Promise<void> {
    if (this.expected.size === 0) return;
    const work = new Fetching(this.options, signal);
    for (const [machine, streams] of this.expected) await work.ofMachine(machine, streams);
    this.expected.clear();
  }
}

/** One run's logs on their way. */
class Fetching {
  private readonly untilNs: number;
  private readonly signal: AbortSignal | undefined;
  private fetchedBytes = 0;
  /** Why no further log is fetched. */
  private over: NotFetched | null = null;

  constructor(
    private readonly options: RemoteLogsOptions,
    signal: AbortSignal | undefined,
  ) {
    const seconds = signal?.aborted ? mostSecondsStopped : mostSeconds;
    this.untilNs = options.clock.monotonicNs() + seconds * 1e9;
    this.signal = signal?.aborted ? undefined : signal;
  }

  async ofMachine(machine: RemoteMachine, streams: readonly Expected[]): Promise<void> {
    const { logs } = machine;
    if (!logs) return;
    let left = streams.flatMap((stream) => expectedLogs(stream, []));
    try {
      const kept = await this.asked(() => logs.list());
      left = streams.flatMap((stream) => expectedLogs(stream, kept));
      for (const log of [...left]) {
        await this.ofLog(machine, logs, log);
        left = left.filter((one) => one !== log);
      }
    } catch (error) {
      this.lack(machine, left, notFetched(error, 'machine'));
    }
  }

  /** @throws NotFetched if the other logs of the machine cannot be fetched either */
  private async ofLog(machine: RemoteMachine, logs: MachineLogs, log: ExpectedLog): Promise<void> {
    const { stream, number, kept } = log;
    try {
      if (!kept) throw inLog('its agent has none');
      this.checkSize(machine, stream, kept.bytes);
      await this.take(machine, logs, kept, number);
    } catch (error) {
      const why = notFetched(error, 'log');
      if (why.reach !== 'log') throw why;
      this.lack(machine, [log], why);
    }
  }

  private async take(machine: RemoteMachine, logs: MachineLogs, log: KeptLog, number: number): Promise<void> {
    if (log.isOpen) throw inLog('its stream process has not ended there');
    const { folder } = this.options;
    const aside = join(folder, `.whiteline-${randomBytes(8).toString('hex')}.new`);
    const path = freePath(folder, log.streamId, machine.name, number);
    try {
      const file = openSync(aside, 'wx');
      try {
        await this.copy(logs, log, file);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      putInPlace(aside, path, 'keep');
    } catch (error) {
      rmSync(aside, { force: true });
      throw isOfSystem(error) ? writeProblem(error, path) : error;
    }
    this.fetchedBytes += log.bytes;
  }

  private checkSize(machine: RemoteMachine, { atSeconds }: Expected, bytes: number): void {
    const seconds = this.options.clock.uptimeSeconds() - atSeconds + slackSeconds;
    const captured = Math.ceil(seconds * mostLinesPerSecond * longestLine);
    const most = Math.min(mostLogBytes, captured, mostFetchedBytes - this.fetchedBytes);
    if (bytes > most)
      throw inLog(`${machine.name} says that it has ${bytes} bytes, and up to ${most} are taken`);
  }

  private async copy(logs: MachineLogs, { logId, bytes }: KeptLog, file: number): Promise<void> {
    const hash = createHash('sha256');
    let at = 0;
    while (at < bytes) {
      const piece = await this.asked(() => logs.read(logId, at));
      if (piece.length !== Math.min(logPieceBytes, bytes - at))
        throw inLog(`of ${bytes} bytes ${piece.length} came from byte ${at} on`);
      at += piece.length;
      hash.update(piece);
      let written = 0;
      while (written < piece.length) written += writeSync(file, piece, written);
    }
    const digest = await this.asked(() => logs.digest(logId));
    if (digest.bytes !== at) throw inLog(`${at} bytes of it came, and ${digest.bytes} are there`);
    if (digest.sha256 !== hash.digest('hex')) throw inLog('what came is not what is there, by its SHA-256');
  }

  /** Asks again while the bus or the agent is away for a moment. */
  private async asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    while (true) {
      this.requireTime();
      try {
        return await this.interruptible(ask());
      } catch (error) {
        if (!isPassing(error)) throw error;
        await this.interruptible(this.options.clock.sleep(againMs));
      }
    }
  }

  private requireTime(): void {
    if (this.over) throw this.over;
    if (this.options.clock.monotonicNs() <= this.untilNs) return;
    this.over = new NotFetched('all', { message: 'the time for fetching logs is over', remedy: there });
    throw this.over;
  }

  private interruptible<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this;
    if (!signal) return work;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.over = new NotFetched('all', { message: 'fetching was interrupted', remedy: there });
        reject(this.over);
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  private lack(
    machine: RemoteMachine,
    missing: readonly ExpectedLog[],
    { reach, problem }: NotFetched,
  ): void {
    if (missing.length === 0) return;
    if (reach === 'all') this.over ??= new NotFetched(reach, problem);
    const { message, remedy } = problem;
    const files = missing.map(({ stream, number }) => remoteLogName(stream.id, machine.name, number));
    const ids = [...new Set(missing.map(({ stream }) => stream.id))];
    const text = `${logsText(missing, files)} on ${machine.name} ${files.length === 1 ? 'was' : 'were'} not fetched: ${message}. ${remedy ?? there}`;
    const details = { log: machine.name, streams: ids, files };
    this.options.noteEvent('problem', text, details, ids.length === 1 ? ids[0] : undefined);
  }
}

/** The logs of a stream in one lease that its agent keeps, the oldest first; there may be more than were asked for. */
function expectedLogs(stream: Expected, kept: readonly KeptLog[]): ExpectedLog[] {
  const own = kept.filter(({ streamId }) => streamId === stream.id).slice(0, mostOfStream);
  const length = Math.max(own.length, stream.receivers.size);
  return Array.from({ length }, (_, index) => ({
    stream,
    number: stream.before + index + 1,
    kept: own[index],
  }));
}

function inLog(message: string): NotFetched {
  return new NotFetched('log', { message, remedy: there });
}

const ofDisk: readonly ErrorCode[] = ['DISK_FULL', 'OUTPUT_UNWRITABLE'];
const ofWay: readonly ErrorCode[] = ['AGENT_SILENT', 'AGENT_UNREACHABLE', 'BUS_UNREACHABLE', 'HOST_SILENT'];

function isPassing(error: unknown): boolean {
  return error instanceof WhitelineError && ofWay.includes(error.code);
}

/** @param reach of what a machine answers, which is the machine's */
function notFetched(error: unknown, reach: Reach): NotFetched {
  if (error instanceof NotFetched) return error;
  const { code, message, remedy } = toProblem(error);
  if (ofDisk.includes(code)) return new NotFetched('all', { message, remedy });
  const isOver = code === 'LEASE_ENDED' || code === 'BUS_REFUSED';
  return new NotFetched(isOver ? 'machine' : reach, { message: plainLine(message), remedy: there });
}

function isOfSystem(error: unknown): boolean {
  return !(error instanceof WhitelineError) && !(error instanceof NotFetched);
}

/** One that nothing has. */
function freePath(folder: string, streamId: number, machine: string, number: number): string {
  for (let of = number; ; of++) {
    const path = join(folder, remoteLogName(streamId, machine, of));
    if (!lstatSync(path, { throwIfNoEntry: false })) return path;
  }
}

function logsText(missing: readonly ExpectedLog[], files: readonly string[]): string {
  const [first] = missing;
  if (first && missing.length === 1)
    return `The log ${files[0]} of ${first.stream.name} (stream ${first.stream.id})`;
  const more = files.length - mostNamed;
  return `The logs ${files.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
