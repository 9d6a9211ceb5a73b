import type { Alert } from '../protocol/console';
import type { Problem } from '../protocol/errors';
import type { EventKind } from '../protocol/run';

/** What an operator has to see, until he dismisses it. */
export class Alerts {
  private readonly byKey = new Map<string, Alert>();

  constructor(private readonly onChange: () => void) {}

  get all(): Alert[] {
    return [...this.byKey.values()];
  }

  raise(key: string, severity: Alert['severity'], problem: Problem): void {
    this.byKey.set(key, { key, severity, ...problem });
    this.onChange();
  }

  dismiss(key: string): void {
    this.byKey.delete(key);
    this.onChange();
  }

  /** Raises an alert where an event of a run is one. */
  note(kind: EventKind, text: string): void {
    if (kind === 'host-died') {
      this.raise('host', 'warning', {
        code: 'HOST_DIED',
        message: text,
        remedy: 'It is started again; the row in which it died is INVALID',
      });
    }
    if (kind === 'source-damaged') {
      this.raise('damaged', 'warning', {
        code: 'MOVIE_UNREADABLE',
        message: text,
        remedy: 'whiteline content verify names every damaged frame of a movie',
      });
    }
    if (kind === 'problem') this.raise('problem', 'error', { code: 'INTERNAL', message: text });
  }
}
