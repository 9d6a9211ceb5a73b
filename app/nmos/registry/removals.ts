/** How many are remembered at least, and for how long. */
const most = 50_000;
const keptNs = 600_000_000_000n;

/** When resources were last removed, ns of TAI, so that a peer that was away hears of it. */
export class Removals {
  private recent = new Map<string, bigint>();
  private older = new Map<string, bigint>();

  /** Undefined where that is not remembered. */
  at(id: string): bigint | undefined {
    return this.recent.get(id) ?? this.older.get(id);
  }

  /** Returns whether it is news. */
  remember(id: string, at: bigint): boolean {
    if (at <= (this.at(id) ?? 0n)) return false;
    this.recent.set(id, at);
    // The oldest one by one would take a map ever longer to find.
    if (this.recent.size >= most) [this.older, this.recent] = [this.recent, new Map()];
    return true;
  }

  list(): [id: string, at: bigint][] {
    return [...new Map([...this.older, ...this.recent])];
  }

  /** @param now ns of TAI */
  forgetOld(now: bigint): void {
    for (const removals of [this.older, this.recent])
      for (const [id, at] of removals) if (at < now - keptNs) removals.delete(id);
  }
}
