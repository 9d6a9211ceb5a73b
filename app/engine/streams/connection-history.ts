/** Changes that are remembered: enough to answer what was there around a loss. */
const keptChanges = 64;

/** Whether a receiver was connected to its sender, over time. */
export class ConnectionHistory {
  /** Oldest first. */
  private readonly changes: { atNs: number; connected: boolean }[] = [];

  add(atNs: number, connected: boolean): void {
    if (this.changes[this.changes.length - 1]?.connected === connected) return;
    this.changes.push({ atNs, connected });
    if (this.changes.length > keptChanges) this.changes.shift();
  }

  /** How long a connection was gone that was so at some time between two moments, from when it broke to the second one, ns. */
  goneNs(fromNs: number, toNs: number): number {
    let goneNs = 0;
    for (const [index, change] of this.changes.entries()) {
      if (change.connected || index === 0) continue;
      const backNs = this.changes[index + 1]?.atNs ?? Number.POSITIVE_INFINITY;
      if (change.atNs < toNs && backNs > fromNs) goneNs += Math.min(toNs, backNs) - change.atNs;
    }
    return goneNs;
  }

  /** When the connection broke that was gone at some time between two moments, ns; null where it was there throughout. */
  brokeAtNs(fromNs: number, toNs: number): number | null {
    const broke = this.changes.find((change, index) => {
      const backNs = this.changes[index + 1]?.atNs ?? Number.POSITIVE_INFINITY;
      return index > 0 && !change.connected && change.atNs < toNs && backNs > fromNs;
    });
    return broke?.atNs ?? null;
  }
}
