import type { SharedLoad } from '../../../protocol/shared-records';

/** How busy a sender's machine was in the second before a moment of ours, as it reports along with its records. */
export interface ReportedLoad extends Omit<SharedLoad, 'measuredNs'> {
  atNs: number;
}

/** Senders report it twice a second: an hour of it, which is the longest row, and a minute around it. */
const keptLoads = 2 * 3660;
/** So many of the newest reports show how far the clocks are apart: the quickest of them was on its way for the least. */
const comparedReports = 20;

/** Reports come twice a second. */
const sameSecondNs = 0.25e9;

export class ReportedLoads {
  /** Oldest first. */
  private loads: ReportedLoad[] = [];
  private newestMeasuredNs = Number.NEGATIVE_INFINITY;
  /** From the sender's clock to ours, by each of the newest reports. */
  private readonly offsetsNs: number[] = [];
  /** The sender runs on this machine: what it reports is of this one too, by the same clock. */
  isHere = false;

  /** The sender is known to run on another machine. */
  get isElsewhere(): boolean {
    return !this.isHere && Number.isFinite(this.newestMeasuredNs);
  }

  /** Each measurement counts once, at the time that it is of, however late or often it comes. */
  hear({ measuredNs, ...load }: SharedLoad, nowNs: number, isHere = false): void {
    this.isHere = isHere;
    // The clocks are one, so a time in the future is false. As the newest one it would hide all loads until then.
    if (measuredNs <= this.newestMeasuredNs || (isHere && measuredNs > nowNs + sameSecondNs)) return;
    this.newestMeasuredNs = measuredNs;
    if (isHere) {
      this.add({ ...load, atNs: measuredNs });
      return;
    }
    this.offsetsNs.push(nowNs - measuredNs);
    if (this.offsetsNs.length > comparedReports) this.offsetsNs.shift();
    this.add({ ...load, atNs: measuredNs + Math.min(...this.offsetsNs) });
  }

  /** Longest time between two moments of which nothing was reported. */
  longestGapNs(fromNs: number, toNs: number): number {
    let [longestNs, lastNs] = [0, fromNs];
    for (const atNs of [...this.within(fromNs, toNs).map((load) => load.atNs), toNs]) {
      longestNs = Math.max(longestNs, atNs - lastNs);
      lastNs = atNs;
    }
    return longestNs;
  }

  /** That of the second that ends at a moment, to half of the time between two; null: none was reported. */
  at(atNs: number): ReportedLoad | null {
    let [low, high] = [0, this.loads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.loads[middle]?.atNs ?? 0) < atNs - sameSecondNs) low = middle + 1;
      else high = middle;
    }
    const load = this.loads[low];
    return load && load.atNs <= atNs + sameSecondNs ? load : null;
  }

  add(load: ReportedLoad): void {
    this.loads.push(load);
    if (this.loads.length > 1.1 * keptLoads) this.loads = this.loads.slice(-keptLoads);
  }

  /** Those whose second touches the time between two moments, or up to so much before and after it. */
  around(fromNs: number, toNs: number, besideNs = 0): ReportedLoad[] {
    return this.since(fromNs - besideNs).filter(({ atNs }) => atNs - 1e9 <= toNs + besideNs);
  }

  /** Those whose second lies between two moments, to half a second: that long they may have been on their way. */
  within(fromNs: number, toNs: number): ReportedLoad[] {
    return this.since(fromNs + 0.5e9).filter(({ atNs }) => atNs <= toNs + 0.5e9);
  }

  /** Mostly the newest few are asked for. */
  private since(fromNs: number): ReportedLoad[] {
    let first = this.loads.length;
    while (first > 0 && (this.loads[first - 1]?.atNs ?? 0) >= fromNs) first -= 1;
    return this.loads.slice(first);
  }
}
