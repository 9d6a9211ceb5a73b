import { type Problem, WhitelineError } from '../../protocol/errors';
import type { HostCommand, HostReady, HostReplyValue, RecordsMessage } from '../../protocol/host';
import type { HostProcess, HostRole } from '../host-application';

/** A command that has no answer after this long is answered by an error: the host hangs or is stopped. */
const replyTimeoutMs = 15_000;

interface Waiting {
  resolve(value: HostReplyValue): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
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
      } else this.settle(message.requestId, message.value, message.problem);
    });
    process.onExit((exitCode) => this.end(exitCode));
  }

  /** Starts NDI in the host. A missing runtime is part of the answer, not an error. */
  async start(ndiCandidates: string[], wallOffsetUs: number): Promise<HostReady> {
    const ready = (await this.request({ name: 'start', ndiCandidates, wallOffsetUs })) as HostReady;
    this.ready = ready;
    this.processIds = [ready.processId];
    return ready;
  }

  request(command: HostCommand): Promise<HostReplyValue> {
    if (this.dead) return Promise.reject(this.deathProblem());
    const requestId = this.nextRequestId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(requestId);
        reject(
          new WhitelineError({
            code: 'HOST_SILENT',
            message: `The ${this.role} process did not answer ${command.name} within ${replyTimeoutMs / 1000} s`,
            remedy: 'Stop the run and start it again; if it stays so, restart the application',
          }),
        );
      }, replyTimeoutMs);
      this.waiting.set(requestId, { resolve, reject, timer });
      this.process.post({ type: 'request', requestId, command });
    });
  }

  close(): void {
    this.closing = true;
    this.process.kill();
  }

  private settle(requestId: number, value: HostReplyValue, problem: Problem | null): void {
    const waiting = this.waiting.get(requestId);
    if (!waiting) return;
    this.waiting.delete(requestId);
    clearTimeout(waiting.timer);
    if (problem) waiting.reject(new WhitelineError(problem));
    else waiting.resolve(value);
  }

  private end(exitCode: number): void {
    if (this.dead) return;
    this.dead = true;
    for (const requestId of [...this.waiting.keys()]) this.settle(requestId, null, this.deathProblem());
    if (!this.closing) this.events.onDeath(exitCode);
  }

  private deathProblem(): WhitelineError {
    return new WhitelineError({
      code: 'HOST_DIED',
      message: `The ${this.role} process is gone`,
      remedy: 'What was measured is kept; add the streams again',
    });
  }
}
