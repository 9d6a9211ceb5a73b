import { type EventKind, eventUse } from '../facts/event-kinds';
import type { Alert } from '../protocol/console';
import type { Problem } from '../protocol/errors';

const invalidRow = 'a row that was being measured then is INVALID';

/** Of a stream whose pictures stayed away; its id follows. */
const outageKey = 'outage-';
/** Of a stream process on another machine; its name and role follow. */
const machineKey = 'machine-';

/** What an operator has to see, until it is dismissed. */
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

  /** The cause of an alert is over; what happened stays on show until it is dismissed. */
  end(key: string, remedy?: string): void {
    const alert = this.byKey.get(key);
    if (!alert || alert.isPast) return;
    this.byKey.set(key, { ...alert, remedy, isPast: true });
    this.onChange();
  }

  /** What went wrong in a run is of the past once another one begins. */
  endRun(): void {
    for (const key of ['run', 'row', 'problem', 'damaged']) this.end(key);
    this.endAll(outageKey);
    this.endMachines();
  }

  /** A run is over, and its processes on other machines with it: another one starts its own. */
  endMachines(): void {
    this.endAll(machineKey);
  }

  private endAll(prefix: string): void {
    for (const key of this.byKey.keys()) if (key.startsWith(prefix)) this.end(key);
  }

  /** Raises or ends an alert where an event of a run is the beginning or the end of its cause. */
  note(
    kind: EventKind,
    text: string,
    { streamId, role, machine }: { streamId?: number; role?: unknown; machine?: unknown } = {},
  ): void {
    const host = typeof machine === 'string' ? `${machineKey}${machine}-${role}` : `host-${role}`;
    switch (eventUse(kind).alert) {
      case 'outage':
        this.raise(`${outageKey}${streamId}`, 'warning', {
          code: 'NO_VIDEO',
          message: text,
          remedy: 'The stream’s strip and the rows say what it cost',
        });
        break;
      case 'host-died':
        this.raise(host, 'warning', {
          code: 'HOST_DIED',
          message: text,
          remedy: `It is started again; ${invalidRow}`,
        });
        break;
      case 'host-started':
        this.end(host, `It was started again; ${invalidRow}`);
        break;
      case 'damage':
        this.raise('damaged', 'warning', {
          code: 'MOVIE_UNREADABLE',
          message: text,
          remedy: 'whiteline content verify names every damaged frame of a movie',
        });
        break;
      case 'problem':
        if (role === undefined) this.raise('problem', 'error', { code: 'INTERNAL', message: text });
        else {
          // A host that could not be started again: the alert of its death is out of date.
          const remedy =
            typeof machine === 'string'
              ? `Start the agent on ${machine} if it does not run, and check the network to it; then remove the streams and add them again`
              : 'Restart Whiteline: no stream is measured without it';
          this.raise(host, 'error', { code: 'HOST_DIED', message: text, remedy });
        }
    }
  }
}
