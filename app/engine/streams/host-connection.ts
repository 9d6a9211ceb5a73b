import { endWords } from '../../facts/process-end';
import type { Clock } from '../../protocol/clock';
import { type Problem, WhitelineError } from '../../protocol/errors';
import type { PreviewWish, RemotePreview } from '../../protocol/fleet/remote-preview';
import type {
  HostCommand,
  HostProgress,
  HostReady,
  HostReplyValue,
  HostStart,
  HostTime,
  RecordsMessage,
} from '../../protocol/host';
import { type PackedRecords, unpackRecords } from '../../protocol/record-block';
import type { TrafficLook } from '../../protocol/socket-traffic';
import { Requests } from '../../rpc/requests';
import type { HostProcess, HostRole, RemoteMachine } from '../host-application';
import { BelievableRecords } from '../machines/believable-records';
import { inOurTime } from '../machines/records-in-our-time';
import { processEndOf } from './dead-process';
import { Patience } from './patience';

/** A command with neither progress nor an answer for this long is answered by an error: the host hangs or is stopped. */
const replyTimeoutMs = 15_000;
/** Another machine may report progress without end; what it is asked for takes seconds. */
const mostRemoteMs = 60_000;
/** As of a host on another machine that is out of reach. */
const givenUpExitCode = 1;

export type OnProgress = (progress: Pick<HostProgress, 'framesDone' | 'frames'>) => void;

export interface HostEvents {
  onRecords(message: RecordsMessage): void;
  /** The process is gone without having been asked to go. `words`: as of `HostProcess.onExit`. */
  onDeath(exitCode: number, words?: string): void;
}

/** A problem of another machine names it; what it says may be of files and limits that are there alone. */
export function problemOn(machine: Pick<RemoteMachine, 'name'> | null, problem: Problem): Problem {
  return machine ? { ...problem, message: `${machine.name}: ${problem.message}` } : problem;
}

/** The engine's side of one process of a host: commands with replies, records unasked. */
export class HostConnection {
  private readonly requests = new Requests<HostReplyValue>();
  /** Progress listeners of the requests that wait. */
  private readonly onProgress = new Map<number, (progress: HostProgress) => void>();
  private closing = false;
  /** How its process ended; null: it runs. */
  private exitCode: number | null = null;
  private endReason: string | undefined;
  private noteEnd: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => {
    this.noteEnd = resolve;
  });
  /** This host and the commands that it started. */
  processIds: number[];
  /** Its newest look at its own sockets. */
  traffic: TrafficLook | null = null;
  ready: HostReady | null = null;
  /** Checks the records of a host on another machine; null for a host here. */
  private readonly believable: BelievableRecords | null;

  constructor(
    /** What its process is called: by its role, or by its work where it has no streams. */
    readonly role: HostRole | 'content',
    private readonly process: HostProcess,
    private readonly events: HostEvents,
    private readonly clock: Pick<Clock, 'monotonicNs' | 'uptimeSeconds'>,
  ) {
    this.believable = process.machine ? new BelievableRecords(process.machine, clock) : null;
    this.processIds = process.processId === undefined ? [] : [process.processId];
    process.onMessage((message) => {
      if (this.exitCode !== null) return;
      if (message.type === 'records') {
        this.take(message);
      } else if (message.type === 'progress') this.onProgress.get(message.requestId)?.(message);
      else if (message.problem)
        this.requests.reject(message.requestId, new WhitelineError(problemOn(this.machine, message.problem)));
      else this.requests.resolve(message.requestId, message.value);
    });
    process.onExit((exitCode, words) => this.end(exitCode, words));
  }

  /** Starts the transport in the host. A missing runtime is part of the answer, not an error. */
  async start(start: HostStart, wallOffsetUs: number): Promise<HostReady> {
    const ready = (await this.request({ name: 'start', ...start, wallOffsetUs })) as HostReady;
    this.ready = ready;
    this.processIds = ready.processId === null ? [] : [ready.processId];
    return ready;
  }

  /** Where its process runs; null: here. */
  get machine(): RemoteMachine | null {
    return this.process.machine ?? null;
  }

  /** It ended, or was given up. */
  get isOver(): boolean {
    return this.exitCode !== null;
  }

  /** @throws WhitelineError HOST_DIED, those of bus and agent */
  async preview(wish: PreviewWish): Promise<RemotePreview> {
    if (this.exitCode !== null) throw this.deathProblem(this.exitCode);
    const preview = await this.process.preview?.(wish);
    return preview ?? { kind: 'none' };
  }

  /** Asks for the time of its machine. @throws WhitelineError as `request` */
  async askTime(): Promise<void> {
    const { clock } = this;
    const askedNs = clock.monotonicNs();
    const { heardNs, repliedNs } = (await this.request({ name: 'time' })) as HostTime;
    this.machine?.clock.add({ askedNs, heardNs, repliedNs, answeredNs: clock.monotonicNs() });
  }

  /**
   * Gives the host's answer. Commands that take long report their progress ten times a second; when the signal aborts, they
   * stop and are answered as they stand. Other commands are not stopped by it.
   * @throws WhitelineError of the host, or HOST_DIED, HOST_SILENT
   */
  async request(
    command: HostCommand,
    onProgress?: OnProgress,
    signal?: AbortSignal,
  ): Promise<HostReplyValue> {
    if (this.exitCode !== null) throw this.deathProblem(this.exitCode);
    let requestId = 0;
    const asked = this.requests.ask((number) => {
      requestId = number;
      this.believable?.note(command);
      this.process.post({ type: 'request', requestId, command });
    });
    const giveUpAfter = (ms: number): Patience =>
      new Patience(this.clock, ms, () => this.requests.reject(requestId, this.silenceProblem(command, ms)));
    const timer = giveUpAfter(replyTimeoutMs);
    const longest = this.machine ? giveUpAfter(mostRemoteMs) : undefined;
    this.onProgress.set(requestId, (progress) => {
      timer.refresh();
      onProgress?.(progress);
    });
    const cancel = (): void => this.cancel(requestId);
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
    try {
      return await asked;
    } finally {
      timer.end();
      longest?.end();
      this.onProgress.delete(requestId);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Resolves when its process is gone. */
  close(): Promise<void> {
    this.closing = true;
    this.process.kill();
    return this.ended;
  }

  private take(message: PackedRecords): void {
    const { machine } = this;
    // Nothing is opened on another machine before its clock is known.
    if (machine && !machine.clock.isKnown) return;
    const unpacked = unpackRecords(message);
    try {
      this.believable?.check(unpacked);
    } catch (error) {
      this.disbelieve(error);
      return;
    }
    // A host without its addon yet knows no time.
    if (machine && message.atNs === 0) return;
    const records = machine ? inOurTime(unpacked, machine.clock) : unpacked;
    this.processIds = records.processIds;
    this.traffic = records.traffic;
    this.events.onRecords(records);
  }

  /** Nothing that it says counts any more. */
  private disbelieve(error: unknown): void {
    if (!(error instanceof WhitelineError)) throw error;
    this.process.kill();
    const name = this.machine?.name;
    this.end(givenUpExitCode, `was given up: what ${name} reported cannot be true. ${error.message}`);
  }

  /** Ignores the answer to the cancellation; the answer of the cancelled command counts. */
  private cancel(requestId: number): void {
    this.request({ name: 'cancel', requestId }).catch(() => undefined);
  }

  private end(exitCode: number, words?: string): void {
    if (this.exitCode !== null) return;
    this.exitCode = exitCode;
    this.endReason = words;
    this.noteEnd();
    this.requests.rejectAll(this.deathProblem(exitCode));
    if (!this.closing) this.events.onDeath(exitCode, words);
  }

  private get processText(): string {
    return `${this.role} process${this.machine ? ` on ${this.machine.name}` : ''}`;
  }

  private silenceProblem(command: HostCommand, ms: number): WhitelineError {
    const { machine } = this;
    const what = machine ? `the agent on ${machine.name}` : 'the application';
    return new WhitelineError({
      code: 'HOST_SILENT',
      message: `The ${this.processText} did not answer ${command.name} within ${ms / 1000} s`,
      remedy: `Stop the run and start it again; if it stays so, restart ${what}`,
    });
  }

  private deathProblem(exitCode: number): WhitelineError {
    return new WhitelineError({
      code: 'HOST_DIED',
      message: `The ${this.processText} ${this.endReason ?? endWords(processEndOf(exitCode))}`,
      remedy: `What was measured is kept; ${this.role === 'content' ? 'run it again' : 'add the streams again'}`,
    });
  }
}
