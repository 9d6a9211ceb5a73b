/**
 * The machine at the other end of a stream’s connection. A sender says it once on each connection, perhaps before its pictures come,
 * and another sender may connect under the name of one that ended.
 */
export class ConnectedHost {
  private ofConnection: string | null = null;
  /** The connection that the followed sender had is gone: what is heard from now on may be of another one. */
  private isBroken = false;

  /** @returns the machine of the sender that is followed, where it is this one that was heard */
  hear(host: string, known: string | null): string | null {
    this.ofConnection = host;
    return known ?? (this.isBroken ? null : host);
  }

  noteGone(): void {
    this.ofConnection = null;
    this.isBroken = true;
  }

  /** Whoever is connected is followed from now on. */
  beginAnew(): string | null {
    this.isBroken = false;
    return this.ofConnection;
  }
}
