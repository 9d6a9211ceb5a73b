import type { Log } from '../../http/bounded-log';

/** A registry that has just started has to reach its peers first. */
const patienceMs = 10_000;
const mostSaid = 100;

interface Follower {
  instance: string;
  address: string;
  sinceMs: number;
}

/** Says once of each registry that follows this one, that this one does not follow it: then only one of the two has all. */
export class OneSided {
  private readonly followers = new Set<Follower>();
  private readonly said = new Set<string>();

  /** @param followed the instances of the peers of this registry; null for one that is not reached */
  constructor(
    private readonly followed: () => (string | null)[],
    private readonly nowMs: () => number,
    private readonly log: Log,
  ) {}

  /** Returns what to call when the follower is gone. */
  joined(instance: string, address: string): () => void {
    const follower = { instance, address, sinceMs: this.nowMs() };
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  look(): void {
    if (this.followers.size === 0) return;
    const followed = this.followed();
    for (const { instance, address, sinceMs } of this.followers) {
      // One that is not reached may be this one, and is said to be lost.
      const isOpen = followed.includes(instance) || followed.includes(null) || this.said.has(instance);
      if (isOpen || this.nowMs() - sinceMs < patienceMs || this.said.size >= mostSaid) continue;
      this.said.add(instance);
      this.log(
        `a registry at ${address} replicates from this one, but this one does not replicate from it: resources registered there are missing here. Name it with --peer`,
      );
    }
  }
}
