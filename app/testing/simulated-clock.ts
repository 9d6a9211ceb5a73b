import type { Clock } from '../protocol/clock';

interface Timer {
  atNs: number;
  /** Null: it is due once. */
  everyNs: number | null;
  act: () => void;
}

const nsPerMs = 1e6;
/** Wall time at the beginning. */
const usualWallMs = Date.UTC(2026, 0, 1);

/** Time that stands still until a test lets it pass: then all that is due happens, in its order. */
export class SimulatedClock implements Clock {
  private nowNs = 0;
  private readonly timers = new Set<Timer>();

  constructor(private readonly beganMs = usualWallMs) {}

  monotonicNs(): number {
    return this.nowNs;
  }

  uptimeSeconds(): number {
    return this.nowNs / 1e9;
  }

  wallOffsetUs(): number {
    return this.beganMs * 1000;
  }

  wallMs(): number {
    return this.beganMs + this.nowNs / nsPerMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        stop();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const stop = this.after(ms, done);
      if (signal?.aborted) done();
      else signal?.addEventListener('abort', done);
    });
  }

  after(ms: number, act: () => void): () => void {
    return this.set({ atNs: this.inNs(ms), everyNs: null, act });
  }

  every(ms: number, act: () => void): () => void {
    // As Node has it, at least 1 ms: without it time would never go on.
    return this.set({ atNs: this.inNs(ms), everyNs: Math.max(1, ms) * nsPerMs, act });
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Lets so much time pass; what is due in it happens, each after what followed at once from the one before. */
  async pass(ms: number): Promise<void> {
    const endNs = this.nowNs + ms * nsPerMs;
    await turn();
    for (let next = this.next(endNs); next; next = this.next(endNs)) {
      this.nowNs = Math.max(this.nowNs, next.atNs);
      this.timers.delete(next);
      if (next.everyNs !== null) {
        next.atNs += next.everyNs;
        this.timers.add(next);
      }
      next.act();
      await turn();
    }
    // Another may have gone further meanwhile.
    this.nowNs = Math.max(this.nowNs, endNs);
  }

  private inNs(ms: number): number {
    return this.nowNs + Math.max(0, ms) * nsPerMs;
  }

  private set(timer: Timer): () => void {
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  private next(endNs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.timers)
      if (timer.atNs <= endNs && (next === null || timer.atNs < next.atNs)) next = timer;
    return next;
  }
}

/** Promises settle, and what was put off to the end of this turn of the event loop comes too. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
