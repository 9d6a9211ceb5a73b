import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';

/** Of each turn of the event loop. */
const turnMs = 5;
/** Of it, what one work gets before the next. */
const shareMs = 1;

/** Long work in short pieces, so that what else there is to do waits no longer than for one of them. */
export class Slices {
  /** Each goes on until it is done or the time is over, and returns whether it is done. */
  private readonly works: ((endMs: number) => boolean)[] = [];
  private isScheduled = false;

  constructor(private readonly clock: Pick<Clock, 'monotonicNs'>) {}

  /** Short work is done at once, the rest of longer work later. A work yields often: between two steps of well below 1 ms. */
  run<Result>(work: Generator<void, Result>): Result | Promise<Result> {
    const endMs = this.nowMs() + shareMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (this.nowMs() < endMs);
    return this.later(work);
  }

  /** Begins after this turn of the event loop. */
  later<Result>(work: Generator<void, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.works.push((endMs) => {
        try {
          do {
            const step = work.next();
            if (step.done) resolve(step.value);
            if (step.done) return true;
          } while (this.nowMs() < endMs);
          return false;
        } catch (error) {
          reject(error);
          return true;
        }
      });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.works.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.turn();
      this.schedule();
    });
  }

  private nowMs(): number {
    return monotonicMs(this.clock);
  }

  private turn(): void {
    const endMs = this.nowMs() + turnMs;
    for (let nowMs = endMs - turnMs; nowMs < endMs; nowMs = this.nowMs()) {
      const work = this.works.shift();
      if (!work) return;
      if (!work(Math.min(endMs, nowMs + shareMs))) this.works.push(work);
    }
  }
}
