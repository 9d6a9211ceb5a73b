import { type DepartureEntry, departureText, setText } from './entry';
import type { Resource } from './resource';
import type { Logged } from './store';

/**
 * Changes that wait to be written or sent. A resource is among them once, however often it changes or is confirmed, and is written as it is
 * when they are taken: a peer that provokes confirmations without end fills no memory.
 */
export class PendingChanges {
  private readonly changes = new Set<Resource | DepartureEntry>();

  get isEmpty(): boolean {
    return this.changes.size === 0;
  }

  add(what: Logged['what']): void {
    this.changes.add(what.kind === 'set' ? what.resource : what);
  }

  clear(): void {
    this.changes.clear();
  }

  /** Their entries, in their order; none is pending after that. */
  take(): string[] {
    const texts = [...this.changes].map((one) => ('kind' in one ? departureText(one) : setText(one)));
    this.changes.clear();
    return texts;
  }
}
