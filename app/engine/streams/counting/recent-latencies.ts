import type { Latency } from './latency';

/** A second of 480 fields, and some more. */
const capacity = 512;

/** Latencies of the newest frames of a stream, to be read while they come. Times: monotonic clock, ns. */
export class RecentLatencies {
  private readonly captureNs = new Float64Array(capacity);
  private readonly latencyUs = new Float64Array(capacity);
  private added = 0;

  add(captureNs: number, { us, uncertaintyUs }: Latency): void {
    const index = this.added % capacity;
    this.captureNs[index] = captureNs;
    // The clocks disagree: then nothing is known of that moment.
    this.latencyUs[index] = us < -(uncertaintyUs ?? 0) ? Number.NaN : Math.max(0, us);
    this.added += 1;
  }

  /** Appends those of the frames that were captured after this moment, µs, newest first; NaN: captured before its release. */
  since(fromNs: number, found: number[]): void {
    const oldest = Math.max(0, this.added - capacity);
    for (let frame = this.added - 1; frame >= oldest; frame--) {
      const index = frame % capacity;
      if ((this.captureNs[index] ?? 0) <= fromNs) return;
      found.push(this.latencyUs[index] ?? 0);
    }
  }
}
