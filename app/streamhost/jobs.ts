import type { Clock } from '../protocol/clock';
import type { HostProgress } from '../protocol/host';

/** What the native core does on a thread of its own, for as long as it takes. */
interface JobHandle<Status> {
  status(): Status;
  close(): void;
}

interface JobLook<Status> {
  isOver(status: Status): boolean;
  progressOf(status: Status): Pick<HostProgress, 'framesDone' | 'frames'>;
}

/** Short jobs are over at the second look or the third; long ones are polled ten times a second. */
const firstPauseMs = 2;
const longestPauseMs = 100;

/** The requests of one host that take long: each is polled until it is over or cancelled. */
export class Jobs {
  private readonly running = new Map<number, Job<unknown>>();

  constructor(
    private readonly report: (progress: HostProgress) => void,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  /** Gives the last status and closes the handle; of a cancelled job, the status as it stood then. */
  async run<Status>(requestId: number, handle: JobHandle<Status>, look: JobLook<Status>): Promise<Status> {
    const job = new Job(handle, this.clock);
    this.running.set(requestId, job);
    try {
      for (let pauseMs = firstPauseMs; !job.isEnded; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        const status = handle.status();
        if (look.isOver(status)) break;
        this.report({ type: 'progress', requestId, ...look.progressOf(status) });
        await job.pause(pauseMs);
      }
      return job.end();
    } finally {
      this.running.delete(requestId);
      job.close();
    }
  }

  /** False: no such request is under way any more. */
  cancel(requestId: number): boolean {
    const job = this.running.get(requestId);
    job?.end();
    return job !== undefined;
  }

  close(): void {
    for (const requestId of [...this.running.keys()]) this.cancel(requestId);
  }
}

class Job<Status> {
  private last: { status: Status } | null = null;
  private isClosed = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly handle: JobHandle<Status>,
    private readonly clock: Pick<Clock, 'after'>,
  ) {}

  get isEnded(): boolean {
    return this.last !== null;
  }

  /** Takes the status as it stands and closes the handle, at once: the process may be about to exit. */
  end(): Status {
    this.last ??= { status: this.handle.status() };
    this.close();
    this.wake();
    return this.last.status;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.handle.close();
  }

  pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(pauseMs, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
