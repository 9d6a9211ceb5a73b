/** Time, as whoever decides by it is given it: the machine's, or one that a test moves. */
export interface Clock {
  /** Nanoseconds of the monotonic clock, which stands still while the machine sleeps. */
  monotonicNs(): number;
  /** Seconds since the start of the machine, the time in which it slept included. */
  uptimeSeconds(): number;
  /** Wall clock minus monotonic clock at this moment, µs; to measure it may take some milliseconds. */
  wallOffsetUs(): number;
  /** Wall time, ms since 1970, as exact as it is without waiting. */
  wallMs(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `act` once, after `ms` milliseconds.
   * @returns a function that prevents it
   */
  after(ms: number, act: () => void): () => void;
  /**
   * Calls `act` every `ms` milliseconds.
   * @returns a function that ends this
   */
  every(ms: number, act: () => void): () => void;
}
