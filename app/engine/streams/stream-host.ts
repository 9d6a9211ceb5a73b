import { type Problem, WhitelineError } from '../../protocol/errors';
import type {
  HostCommand,
  HostProgress,
  HostReady,
  HostReplyValue,
  RecordsMessage,
} from '../../protocol/host';
import type { HostProcess, HostRole } from '../host-application';

/** A command with neither progress nor an answer for this long is answered by an error: the host hangs or is stopped. */
const replyTimeoutMs = 15_000;

export type OnProgress = (progress: Pick<HostProgress, 'framesDone' | 'frames'>) => void;

/** What NDI is to a host's process; the SDK reads its configuration once per process. */
export interface NdiSettings {
  /** Where libndi is looked for, in this order. */
  candidates: string[];
  /** Text of an `ndi-config.v1.json` in place of the machine's own. */
  configuration?: string;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
}

interface Waiting {
  resolve(value: HostReplyValue): void;
  reject(error: Error): void;
  onProgress(progress: HostProgress): void;
  /** Takes back what was set up for the wait. */
  end(): void;
}

export interface HostEvents {
  onRecords(message: RecordsMessage): void;
  /** The process is gone and nobody asked it to go. */
  onDeath(exitCode: number): void;
}

/** The engine's side of one stream host: commands with replies, records unasked. */
export class StreamHost {
  private readonly waiting = new Map<number, Waiting>();
  private nextRequestId = 1;
  private closing = false;
  private dead = false;
  private noteEnd: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => {
    this.noteEnd = resolve;
  });
  /** This host and the commands that it started. */
  processIds: number[] = [];
  ready: HostReady | null = null;

  constructor(
    readonly role: HostRole,
    private readonly process: HostProcess,
    private readonly events: HostEvents,
  ) {
    process.onMessage((message) => {
      if (message.type === 'records') {
        this.processIds = message.processIds;
        this.events.onRecords(message);
      } else if (message.type === 'progress') this.waiting.get(message.requestId)?.onProgress(message);
      else this.settle(message.requestId, message.value, message.problem);
    });
    process.onExit((exitCode) => this.end(exitCode));
  }

  /** Starts NDI in the host. A missing runtime is part of the answer, not an error. */
  async start(ndi: NdiSettings, wallOffsetUs: number): Promise<HostReady> {
    const { candidates: ndiCandidates, configuration: ndiConfiguration, searchHosts } = ndi;
    const command = { name: 'start', ndiCandidates, ndiConfiguration, wallOffsetUs, searchHosts } as const;
    const ready = (await this.request(command)) as HostReady;
    this.ready = ready;
    this.processIds = [ready.processId];
    return ready;
  }

  /**
   * Gives the host's answer. Commands that take long tell their progress ten times a second; when the signal aborts, they
   * stop and are answered as they stand. Other commands are not stopped by it.
   * @throws WhitelineError of the host, or HOST_DIED, HOST_SILENT
   */
  request(command: HostCommand, onProgress?: OnProgress, signal?: AbortSignal): Promise<HostReplyValue> {
    if (this.dead) return Promise.reject(this.deathProblem());
    const requestId = this.nextRequestId++;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => this.settle(requestId, null, this.silenceProblem(command));
      const timer = setTimeout(giveUp, replyTimeoutMs);
      const cancel = (): void => this.cancel(requestId);
      this.waiting.set(requestId, {
        resolve,
        reject,
        onProgress: (progress) => {
          timer.refresh();
          onProgress?.(progress);
        },
        end: () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        },
      });
      this.process.post({ type: 'request', requestId, command });
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted) cancel();
    });
  }

  /** Resolves when its process is gone. */
  close(): Promise<void> {
    this.closing = true;
    this.process.kill();
    return this.ended;
  }

  /** Its own answer says nothing; the cancelled command's does. */
  private cancel(requestId: number): void {
    this.request({ name: 'cancel', requestId }).catch(() => undefined);
  }

  private settle(requestId: number, value: HostReplyValue, problem: Problem | null): void {
    const waiting = this.waiting.get(requestId);
    if (!waiting) return;
    this.waiting.delete(requestId);
    waiting.end();
    if (problem) waiting.reject(new WhitelineError(problem));
    else waiting.resolve(value);
  }

  private end(exitCode: number): void {
    if (this.dead) return;
    this.dead = true;
    this.noteEnd();
    for (const requestId of [...this.waiting.keys()]) this.settle(requestId, null, this.deathProblem());
    if (!this.closing) this.events.onDeath(exitCode);
  }

  private silenceProblem(command: HostCommand): WhitelineError {
    return new WhitelineError({
      code: 'HOST_SILENT',
      message: `The ${this.role} process did not answer ${command.name} within ${replyTimeoutMs / 1000} s`,
      remedy: 'Stop the run and start it again; if it stays so, restart the application',
    });
  }

  private deathProblem(): WhitelineError {
    return new WhitelineError({
      code: 'HOST_DIED',
      message: `The ${this.role} process is gone`,
      remedy: 'What was measured is kept; add the streams again',
    });
  }
}
