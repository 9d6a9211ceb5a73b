import type { Clock } from '../protocol/clock';

/** The same time on a machine whose wall clock is ahead by some milliseconds. */
export function aheadOf(clock: Clock, ahead: () => number): Clock {
  return {
    monotonicNs: () => clock.monotonicNs(),
    uptimeSeconds: () => clock.uptimeSeconds(),
    wallOffsetUs: () => clock.wallOffsetUs() + ahead() * 1000,
    wallMs: () => clock.wallMs() + ahead(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, act) => clock.after(ms, act),
    every: (ms, act) => clock.every(ms, act),
  };
}

// Vitest may fake the global one.
const realImmediate = setImmediate;

interface Timer {
  atNs: number;
  /** Null: it comes once. */
  everyNs: number | null;
  act(): void;
}

/** When a simulated clock begins: a minute after the machine, so that rows and streams may have begun before it. */
const startNs = 60e9;
const startWallMs = Date.UTC(2026, 10, 27, 12, 0, 0, 250);
const shortestPeriodNs = 1e6;
const stepMs = 10;

/**
 * Time stands still until a test lets it pass: the moments are always the same, however busy the machine is. Tell it of requests, writes and
 * threads by `busy`: it waits for them.
 */
export class SimulatedClock implements Clock {
  private nowNs = startNs;
  private wallOffset: number;
  private suspendedNs = 0;
  private readonly timers = new Set<Timer>();
  private readonly outstanding = new Set<Promise<unknown>>();

  constructor(beganMs = startWallMs) {
    this.wallOffset = beganMs * 1000 - startNs / 1000;
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.timers.size;
  }

  monotonicNs(): number {
    return this.nowNs;
  }

  uptimeSeconds(): number {
    return (this.nowNs + this.suspendedNs) / 1e9;
  }

  wallOffsetUs(): number {
    return this.wallOffset;
  }

  wallMs(): number {
    return Math.floor((this.nowNs / 1000 + this.wallOffset) / 1000);
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
    return this.add({ atNs: this.nowNs + Math.max(0, ms * 1e6), everyNs: null, act });
  }

  every(ms: number, act: () => void): () => void {
    const everyNs = Math.max(shortestPeriodNs, ms * 1e6);
    return this.add({ atNs: this.nowNs + everyNs, everyNs, act });
  }

  /** Time does not pass before this is over. */
  busy<Value>(promise: Promise<Value>): Promise<Value> {
    const over = promise.then(
      () => void this.outstanding.delete(over),
      () => void this.outstanding.delete(over),
    );
    this.outstanding.add(over);
    return promise;
  }

  /** Somebody sets the wall clock. */
  stepWall(ms: number): void {
    this.wallOffset += ms * 1000;
  }

  /** The machine sleeps, and its monotonic clock with it. */
  suspend(ms: number): void {
    this.suspendedNs += ms * 1e6;
    this.stepWall(ms);
  }

  /** The process stands still: what was due meanwhile comes late, and of each timer once. */
  stall(ms: number): void {
    this.nowNs += ms * 1e6;
  }

  /** Lets time pass, and everything that is due in it happen in order of time. */
  async advance(ns: number): Promise<void> {
    const toNs = this.nowNs + ns;
    await this.settle();
    for (let next = this.next(); next !== null && next.atNs <= toNs; next = this.next()) {
      this.run(next);
      await this.settle();
    }
    this.nowNs = Math.max(this.nowNs, toNs);
    await this.settle();
  }

  pass(ms: number): Promise<void> {
    return this.advance(ms * 1e6);
  }

  /**
   * Lets time pass until a promise is over.
   * @throws Error if no timer is left and the promise is still open: `busy` does not know what it waits for
   */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    promise.then(end, end);
    await this.settle();
    while (!isOver) {
      const next = this.next();
      if (next === null) throw new Error('no timer is left, and what is waited for is not over');
      this.run(next);
      await this.settle();
    }
    return promise;
  }

  /**
   * Lets time pass, in small steps, until something is so.
   * @throws Error if it is still not so after that many seconds
   */
  async untilSo(isSo: () => boolean, mostSeconds = 120): Promise<void> {
    const limitNs = this.nowNs + mostSeconds * 1e9;
    await this.settle();
    while (!isSo()) {
      if (this.nowNs > limitNs) throw new Error(`it is not so within ${mostSeconds} s`);
      await this.pass(stepMs);
    }
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** The earliest; of those of one moment, the one that was set first. */
  private next(): Timer | null {
    let earliest: Timer | null = null;
    for (const timer of this.timers) if (earliest === null || timer.atNs < earliest.atNs) earliest = timer;
    return earliest;
  }

  private run(timer: Timer): void {
    this.nowNs = Math.max(this.nowNs, timer.atNs);
    this.timers.delete(timer);
    if (timer.everyNs !== null) {
      const nextNs = timer.atNs + timer.everyNs;
      timer.atNs = nextNs > this.nowNs ? nextNs : this.nowNs + timer.everyNs;
      this.timers.add(timer);
    }
    timer.act();
  }

  /** All that follows by itself has happened, and nothing is outstanding. */
  private async settle(): Promise<void> {
    do {
      await Promise.all(this.outstanding);
      await new Promise((resolve) => realImmediate(resolve));
    } while (this.outstanding.size > 0);
  }
}
