import { endWords } from '../../facts/process-end';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
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
import { inOurTime } from '../machines/records-in-our-time';
import { processEndOf } from './dead-process';

/** A command with neither progress nor an answer for this long is answered by an error: the host hangs or is stopped. */
const replyTimeoutMs = 15_000;

export type OnProgress = (progress: Pick<HostProgress, 'framesDone' | 'frames'>) => void;

export interface HostEvents {
  onRecords(message: RecordsMessage): void;
  /** The process is gone without having been asked to go. */
  onDeath(exitCode: number): void;
}

/** The engine's side of one process of a host: commands with replies, records unasked. */
export class HostConnection {
  private readonly requests = new Requests<HostReplyValue>();
  /** Of the requests that wait. */
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

  constructor(
    /** What its process is called: by its role, or by its work where it has no streams. */
    readonly role: HostRole | 'content',
    private readonly process: HostProcess,
    private readonly events: HostEvents,
  ) {
    this.processIds = process.processId === undefined ? [] : [process.processId];
    process.onMessage((message) => {
      if (message.type === 'records') {
        this.take(message);
      } else if (message.type === 'progress') this.onProgress.get(message.requestId)?.(message);
      else if (message.problem) this.requests.reject(message.requestId, new WhitelineError(message.problem));
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

  /** @throws WhitelineError HOST_DIED, those of bus and agent */
  async preview(wish: PreviewWish): Promise<RemotePreview> {
    if (this.exitCode !== null) throw this.deathProblem(this.exitCode);
    const preview = await this.process.preview?.(wish);
    return preview ?? { kind: 'none' };
  }

  /** Asks for the time of its machine. @throws WhitelineError as `request` */
  async askTime(clock: Pick<Clock, 'monotonicNs'>): Promise<void> {
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
      this.process.post({ type: 'request', requestId, command });
    });
    const giveUp = (): void => this.requests.reject(requestId, this.silenceProblem(command));
    const timer = setTimeout(giveUp, replyTimeoutMs);
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
      clearTimeout(timer);
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
    const records = machine ? inOurTime(unpacked, machine.clock) : unpacked;
    this.processIds = records.processIds;
    this.traffic = records.traffic;
    this.events.onRecords(records);
  }

  /** Its own answer says nothing; the cancelled command's does. */
  private cancel(requestId: number): void {
    this.request({ name: 'cancel', requestId }).catch(() => undefined);
  }

  private end(exitCode: number, words?: string): void {
    if (this.exitCode !== null) return;
    this.exitCode = exitCode;
    this.endReason = words;
    this.noteEnd();
    this.requests.rejectAll(this.deathProblem(exitCode));
    if (!this.closing) this.events.onDeath(exitCode);
  }

  private silenceProblem(command: HostCommand): WhitelineError {
    return new WhitelineError({
      code: 'HOST_SILENT',
      message: `The ${this.role} process did not answer ${command.name} within ${replyTimeoutMs / 1000} s`,
      remedy: 'Stop the run and start it again; if it stays so, restart the application',
    });
  }

  private deathProblem(exitCode: number): WhitelineError {
    return new WhitelineError({
      code: 'HOST_DIED',
      message: `The ${this.role} process ${this.endReason ?? endWords(processEndOf(exitCode))}`,
      remedy: `What was measured is kept; ${this.role === 'content' ? 'run it again' : 'add the streams again'}`,
    });
  }
}
