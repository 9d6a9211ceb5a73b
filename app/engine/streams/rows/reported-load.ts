import type { SharedLoad } from '../../../protocol/shared-records';

/** How busy a sender's machine was in the second before a moment of ours, as it reports along with its records. */
export interface ReportedLoad extends Omit<SharedLoad, 'measuredNs'> {
  atNs: number;
}

/** Senders report it twice a second: an hour of it, which is the longest row, and a minute around it. */
const keptLoads = 2 * 3660;
/** This many of the newest reports show the offset of the clocks: the one that travelled least is the most exact. */
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

  /** The longest time without a report between two moments. */
  longestGapNs(fromNs: number, toNs: number): number {
    let [longestNs, lastNs] = [0, fromNs];
    for (const atNs of [...this.within(fromNs, toNs).map((load) => load.atNs), toNs]) {
      longestNs = Math.max(longestNs, atNs - lastNs);
      lastNs = atNs;
    }
    return longestNs;
  }

  /** The report of the second that ends nearest to a moment, within half of the time between two; null: there is none. */
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

  /** Reports whose second overlaps the time between two moments, extended by `besideNs` on both sides. */
  around(fromNs: number, toNs: number, besideNs = 0): ReportedLoad[] {
    return this.since(fromNs - besideNs).filter(({ atNs }) => atNs - 1e9 <= toNs + besideNs);
  }

  /** Reports whose second lies between two moments, give or take the half second that they may travel. */
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
