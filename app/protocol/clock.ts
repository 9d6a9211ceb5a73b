/** Time as it is given to whatever decides by it: nothing else reads a machine's clock or sets a timer. */
export interface Clock {
  /** Nanoseconds of the monotonic clock, the same clock as in the native core's records. */
  monotonicNs(): number;
  /** Since the start of the machine, the time in which it slept included. */
  uptimeSeconds(): number;
  /** Wall clock minus monotonic clock at this moment, µs. */
  wallOffsetUs(): number;
  /** Wall time, ms since 1970, as exact as it is without waiting. */
  wallMs(): number;
  /** Resolves after so many ms, or as soon as the signal aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Acts once after so many ms. Returns what stops it. */
  after(ms: number, act: () => void): () => void;
  /** Acts each time after so many ms. Returns what stops it. */
  every(ms: number, act: () => void): () => void;
}
