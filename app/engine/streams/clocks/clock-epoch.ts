/** What one answered question says: the sender's release clock minus ours lay between `low` and `high` at a moment. */
export interface ClockBounds {
  /** In the middle of the exchange, µs of our release clock. */
  atUs: number;
  lowUs: number;
  highUs: number;
}

/** Rate of one clock against another, parts per million. */
export interface ClockDrift {
  ppm: number;
  uncertaintyPpm: number;
}

/** No two clocks differ more: crystals are within 100 ppm, and the kernel slews by 500 at most. */
export const maxDriftPpm = 500;
/** How far the rate itself may wander within the window, by temperature and by a daemon that corrects the clock. */
const wanderPpm = 2;
/** One answer is kept for each second of this window: it covers the past minute twice. */
const keptSeconds = 128;

/**
 * The answers between two steps of a clock, of each second the one with the shortest way. The offset is a line through
 * all their bounds. Nothing here is a guess: with a rate that is steady within `wanderPpm`, the truth is within the
 * bounds of every answer, moved on by the rate that all pairs of answers allow.
 */
export class ClockEpoch {
  answers = 0;
  /** Moments of the first and the newest answer, kept or not. */
  firstUs = Number.NaN;
  newestUs = Number.NaN;
  private readonly kept: ClockBounds[] = [];
  private rate: ClockDrift = { ppm: 0, uncertaintyPpm: maxDriftPpm };

  /** Time of the oldest answer that is kept. */
  get oldestUs(): number {
    return this.kept[0]?.atUs ?? Number.NaN;
  }

  /** Null while the answers allow nearly any rate. */
  get drift(): ClockDrift | null {
    return this.rate.uncertaintyPpm < maxDriftPpm / 5 ? this.rate : null;
  }

  /** Answers come in the order in which they were asked. */
  add(bounds: ClockBounds): void {
    if (this.answers === 0) this.firstUs = bounds.atUs;
    this.answers += 1;
    this.newestUs = bounds.atUs;
    const last = this.kept[this.kept.length - 1];
    const sameSecond = last !== undefined && Math.floor(last.atUs / 1e6) === Math.floor(bounds.atUs / 1e6);
    if (sameSecond) {
      if (bounds.highUs - bounds.lowUs <= last.highUs - last.lowUs) this.kept[this.kept.length - 1] = bounds;
      return;
    }
    // The second before is complete: it says what the rate may be.
    this.rate = this.allowedRate();
    this.kept.push(bounds);
    while (bounds.atUs - this.oldestUs > keptSeconds * 1e6) this.kept.shift();
  }

  /** Whether an answer is possible after all that were kept. */
  fits(bounds: ClockBounds): boolean {
    const { lowUs, highUs } = this.boundsAt(bounds.atUs);
    return bounds.lowUs <= highUs && bounds.highUs >= lowUs;
  }

  /** `halfUs`: half the way of the best answer, and what the rate may have added since; the offset itself is known better
   *  where answers hem it in from both sides, but then by luck. */
  boundsAt(atUs: number): { lowUs: number; highUs: number; halfUs: number } {
    const errorRate = (this.rate.uncertaintyPpm + wanderPpm) / 1e6;
    let lowUs = Number.NEGATIVE_INFINITY;
    let highUs = Number.POSITIVE_INFINITY;
    let halfUs = Number.POSITIVE_INFINITY;
    for (const answer of this.kept) {
      const age = atUs - answer.atUs;
      const moved = (age * this.rate.ppm) / 1e6;
      const error = Math.abs(age) * errorRate;
      lowUs = Math.max(lowUs, answer.lowUs + moved - error);
      highUs = Math.min(highUs, answer.highUs + moved + error);
      halfUs = Math.min(halfUs, (answer.highUs - answer.lowUs) / 2 + error);
    }
    return { lowUs, highUs, halfUs };
  }

  /** The rates at which a line passes through the bounds of any two answers. */
  private allowedRate(): ClockDrift {
    let least = -maxDriftPpm;
    let most = maxDriftPpm;
    for (const [index, later] of this.kept.entries()) {
      for (let before = 0; before < index; before++) {
        const earlier = this.kept[before] as ClockBounds;
        const seconds = (later.atUs - earlier.atUs) / 1e6;
        least = Math.max(least, (later.lowUs - earlier.highUs) / seconds);
        most = Math.min(most, (later.highUs - earlier.lowUs) / seconds);
      }
    }
    // Bounds that leave no rate: it changed within the window, by about as much as is missing.
    return { ppm: (least + most) / 2, uncertaintyPpm: Math.abs(most - least) / 2 };
  }
}
