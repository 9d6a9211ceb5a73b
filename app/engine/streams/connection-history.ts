/** Changes that are remembered: enough to answer what was there around a loss. */
const keptChanges = 64;

/** Whether a receiver was connected to its sender, and discovery listed the source, over time. */
export class ConnectionHistory {
  private readonly connection = new PresenceHistory();
  private readonly listing = new PresenceHistory();

  add(atNs: number, connected: boolean): void {
    this.connection.add(atNs, connected);
  }

  /** `listed`: null if discovery is not asked, since an address was given. */
  addListed(atNs: number, listed: boolean | null): void {
    if (listed !== null) this.listing.add(atNs, listed);
  }

  /** If the connection was gone at some time between two moments: how long, from when it broke to the second moment, ns. */
  goneNs(fromNs: number, toNs: number): number {
    return this.connection.goneNs(fromNs, toNs);
  }

  /** The same; if the connection was there all the time between them, it may also have been gone up to `besideNs` before or after. */
  goneNearNs(fromNs: number, toNs: number, besideNs: number): number {
    const isWithin = this.connection.goneNs(fromNs, toNs) > 0;
    return this.connection.goneNs(
      isWithin ? fromNs : fromNs - besideNs,
      toNs + besideNs,
      isWithin ? toNs : undefined,
    );
  }

  /** As known at that moment or later. */
  isThereAt(atNs: number): boolean {
    return this.connection.isThereAt(atNs);
  }

  /** When the connection broke that was gone at some time between two moments, ns; null if it was there throughout. */
  brokeAtNs(fromNs: number, toNs: number): number | null {
    return this.connection.brokeAtNs(fromNs, toNs);
  }

  /** When what went wrong between two moments may have begun, ns: with the break of a connection that was gone around them, perhaps long before. */
  beganNs(fromNs: number, toNs: number, besideNs: number): number {
    return Math.min(fromNs, this.brokeAtNs(fromNs - besideNs, toNs + besideNs) ?? fromNs);
  }

  /** The source had been listed, and was not at some time between two moments. */
  wasUnlisted(fromNs: number, toNs: number): boolean {
    return this.listing.brokeAtNs(fromNs, toNs) !== null;
  }
}

/** Whether something was there, over time. */
class PresenceHistory {
  /** Oldest first. */
  private readonly changes: { atNs: number; isThere: boolean }[] = [];

  add(atNs: number, isThere: boolean): void {
    if (this.changes[this.changes.length - 1]?.isThere === isThere) return;
    this.changes.push({ atNs, isThere });
    if (this.changes.length > keptChanges) this.changes.shift();
  }

  isThereAt(atNs: number): boolean {
    return this.changes.filter((change) => change.atNs <= atNs).at(-1)?.isThere ?? true;
  }

  /** @param lastNs those count that began before it */
  goneNs(fromNs: number, toNs: number, lastNs = toNs): number {
    let goneNs = 0;
    for (const [index, change] of this.changes.entries()) {
      if (change.isThere || index === 0) continue;
      const backNs = this.changes[index + 1]?.atNs ?? Number.POSITIVE_INFINITY;
      if (change.atNs < lastNs && backNs > fromNs) goneNs += Math.min(toNs, backNs) - change.atNs;
    }
    return goneNs;
  }

  brokeAtNs(fromNs: number, toNs: number): number | null {
    const broke = this.changes.find((change, index) => {
      const backNs = this.changes[index + 1]?.atNs ?? Number.POSITIVE_INFINITY;
      return index > 0 && !change.isThere && change.atNs < toNs && backNs > fromNs;
    });
    return broke?.atNs ?? null;
  }
}
