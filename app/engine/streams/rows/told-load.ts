/** How busy a sender's machine was in the second before a moment of ours, as it tells along with its records. */
export interface ToldLoad {
  atNs: number;
  /** Null: not measured there. */
  cpuPercent: number | null;
  gpuPercent: number | null;
}

/** Senders tell it four times a second: a minute of it, longer than any row of theirs and what is around it. */
const keptLoads = 240;

export class ToldLoads {
  /** Oldest first. */
  private loads: ToldLoad[] = [];

  add(load: ToldLoad): void {
    this.loads.push(load);
    if (this.loads.length > 1.1 * keptLoads) this.loads = this.loads.slice(-keptLoads);
  }

  /** Those whose second touches the time between two moments, or up to so much before and after it. */
  around(fromNs: number, toNs: number, besideNs = 0): ToldLoad[] {
    return this.loads.filter(({ atNs }) => atNs >= fromNs - besideNs && atNs - 1e9 <= toNs + besideNs);
  }

  /** Those whose second lies between two moments, to half a second: that long they may have been on their way. */
  within(fromNs: number, toNs: number): ToldLoad[] {
    return this.loads.filter(({ atNs }) => atNs - 1e9 >= fromNs - 0.5e9 && atNs <= toNs + 0.5e9);
  }
}
