import type { DepartureEntry } from './entry';

/** How many are remembered at least; twice as many at most. */
const most = 50_000;

type Departure = Omit<DepartureEntry, 'id'>;

/** When each resource was last removed or expired, so that a peer that was away, or a restart, does not bring it back. */
export class Departures {
  private recent = new Map<string, Departure>();
  private older = new Map<string, Departure>();

  /** Undefined if none is remembered. */
  of(id: string): Departure | undefined {
    return this.recent.get(id) ?? this.older.get(id);
  }

  /** When a client removed it; undefined if it expired or is not remembered. */
  removedAt(id: string): bigint | undefined {
    const departure = this.of(id);
    return departure?.kind === 'remove' ? departure.at : undefined;
  }

  /** Returns whether it was unknown. */
  remember({ id, kind, at }: DepartureEntry): boolean {
    const known = this.of(id);
    if (known && (at < known.at || (at === known.at && (known.kind === 'remove' || kind === 'expire'))))
      return false;
    this.recent.set(id, { kind, at });
    // Dropping the oldest one by one is slow in a large map.
    if (this.recent.size >= most) [this.older, this.recent] = [this.recent, new Map()];
    return true;
  }

  list(): DepartureEntry[] {
    return [...new Map([...this.older, ...this.recent])].map(([id, departure]) => ({ id, ...departure }));
  }

  /** Moves dates after `after` forward. */
  shift(after: bigint, byNs: bigint): void {
    for (const departure of [...this.older.values(), ...this.recent.values()])
      if (departure.at > after) departure.at += byNs;
  }
}
