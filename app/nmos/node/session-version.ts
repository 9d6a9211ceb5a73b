import type { Versioned } from './resources';

/** `<sess-version>` of the session descriptions of senders (RFC 4566, section 5.2): it grows with each change, several in a second too. */
export class SessionVersions {
  /** Also of senders that were removed: one may come back. */
  private readonly last = new Map<string, { of: string; number: number }>();

  /** @param described the resources that the description of this sender shows, each with its version */
  of(senderId: string, described: readonly (Versioned<object> | null)[]): string {
    const versions = described.flatMap((resource) => resource?.version ?? []);
    const of = versions.join(' ');
    const known = this.last.get(senderId);
    if (known?.of === of) return String(known.number);
    const seconds = versions.map((version) => Number(version.split(':')[0]));
    const number = Math.max(...seconds, (known?.number ?? 0) + 1);
    this.last.set(senderId, { of, number });
    return String(number);
  }
}
