/** How busy a sender's machine was in the second before a moment of ours, as it reports along with its records. */
export interface ReportedLoad {
  atNs: number;
  /** Null: not measured there. */
  cpuPercent: number | null;
  gpuPercent: number | null;
}

/** Senders report it four times a second: an hour of it, which is the longest row, and a minute around it. */
const keptLoads = 4 * 3660;

export class ReportedLoads {
  /** Oldest first. */
  private loads: ReportedLoad[] = [];

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
