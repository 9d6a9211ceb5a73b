import { basename } from 'node:path';
import { type EventKind, eventUse } from '../facts/event-kinds';
import type { Alert } from '../protocol/console';
import { forOperator, type Problem } from '../protocol/errors';

const invalidRow = 'a row that was being measured then is INVALID';

/** Of a stream whose pictures stayed away; its id follows. */
const outageKey = 'outage-';
/** Of a stream process on another machine; its name and role follow. */
const machineKey = 'machine-';
/** Of what went wrong in a run; a stream's id may follow. */
const problemKey = 'problem';

type Said = Pick<Alert, 'severity'> & Omit<Partial<Alert>, 'key'> & Problem;

/** What an event of a run has beside its text. */
export interface NotedEvent {
  data?: Record<string, unknown>;
  streamId?: number;
  /** Name of that stream. */
  stream?: string;
}

/** What an operator has to see, until it is dismissed. */
export class Alerts {
  private readonly byKey = new Map<string, Alert>();
  /** How many runs have begun. */
  private runs = 0;

  /** @param nowMs wall time, ms since 1970 */
  constructor(
    private readonly onChange: () => void,
    private readonly nowMs: () => number,
  ) {}

  get all(): Alert[] {
    return [...this.byKey.values()];
  }

  raise(key: string, severity: Alert['severity'], problem: Problem & Pick<Alert, 'details'>): void {
    this.put(key, { severity, ...forOperator(problem) });
  }

  /** What goes on under its key began when the first alert of it did. */
  private put(key: string, said: Said): void {
    const before = this.byKey.get(key);
    const sinceMs = before && before.untilMs === undefined ? before.sinceMs : this.nowMs();
    const run = said.cause === undefined ? {} : { run: this.runs };
    this.byKey.set(key, { sinceMs, ...said, ...run, key });
    this.onChange();
  }

  dismiss(key: string): void {
    this.byKey.delete(key);
    this.onChange();
  }

  /** The cause of an alert is over; what happened stays on show until it is dismissed. */
  end(key: string, remedy?: string): void {
    const alert = this.byKey.get(key);
    if (!alert || alert.untilMs !== undefined) return;
    this.byKey.set(key, { ...alert, remedy, untilMs: this.nowMs() });
    this.onChange();
  }

  /** What went wrong in a run is over with it, and so are its processes on other machines: another one starts its own. */
  endRun(): void {
    for (const key of ['row', 'damaged']) this.end(key);
    for (const prefix of [problemKey, machineKey, outageKey]) this.endAll(prefix);
  }

  /** That a run failed is of the past once another one begins. */
  beginRun(): void {
    this.runs++;
    this.end('run');
    this.endRun();
  }

  private endAll(prefix: string): void {
    for (const key of this.byKey.keys()) if (key.startsWith(prefix)) this.end(key);
  }

  /** Raises or ends an alert where an event of a run is the beginning or the end of its cause. */
  note(kind: EventKind, text: string, { data = {}, streamId, stream }: NotedEvent = {}): void {
    const { role, machine, remedy } = data;
    const host = typeof machine === 'string' ? `${machineKey}${machine}-${role}` : `host-${role}`;
    switch (eventUse(kind).alert) {
      case 'stall':
        this.put(`${outageKey}${streamId}`, {
          ...{ severity: 'warning', code: 'NO_VIDEO', message: text, cause: 'outage', stream },
          ...(typeof remedy === 'string' && remedy !== '' && { remedy }),
        });
        break;
      case 'stream-over':
        this.end(`${outageKey}${streamId}`);
        break;
      case 'outage':
        this.put(`${outageKey}${streamId}`, {
          ...{ severity: 'warning', code: 'NO_VIDEO', message: text },
          remedy: 'The stream’s strip and the rows say what it cost',
          ...{ cause: 'outage', stream },
          ...{ sinceMs: this.nowMs() - numberIn(data, 'afterMs'), untilMs: this.nowMs() },
        });
        break;
      case 'host-died':
        this.put(host, {
          ...{ severity: 'warning', code: 'HOST_DIED', message: text },
          remedy: `It is started again; ${invalidRow}`,
        });
        break;
      case 'host-started':
        this.end(host, `It was started again; ${invalidRow}`);
        break;
      case 'damage':
        this.put('damaged', {
          ...{ severity: 'warning', code: 'MOVIE_UNREADABLE', message: damageText(data) },
          remedy: 'whiteline content verify names every damaged frame of a movie',
          details: text,
        });
        break;
      case 'problem':
        this.noteProblem(text, { data, streamId, stream }, host);
    }
  }

  private noteProblem(text: string, { data = {}, streamId, stream }: NotedEvent, host: string): void {
    const { role, machine, log } = data;
    if (role === undefined) {
      const key = streamId === undefined ? problemKey : `${problemKey}-${streamId}`;
      const cause = typeof log === 'string' && stream !== undefined ? 'capture-log' : undefined;
      this.put(key, { severity: 'error', code: 'INTERNAL', message: text, cause, stream });
      return;
    }
    // A host that could not be started again: the alert of its death is out of date.
    const remedy =
      typeof machine === 'string'
        ? `Start the agent on ${machine} if it is not running, and check the network to it; then remove the streams and add them again`
        : 'Restart Whiteline: without this process, no stream is measured';
    this.put(host, { severity: 'error', code: 'HOST_DIED', message: text, remedy });
  }
}

function damageText(data: Record<string, unknown>): string {
  const pictures = numberIn(data, 'damagedPictures');
  const source = typeof data.source === 'string' ? basename(data.source) : 'The movie';
  const what = pictures === 1 ? 'has a corrupt frame' : `has corrupt frames: ${pictures} pictures so far`;
  return `${source} ${what}. The last good picture was shown instead`;
}

function numberIn(data: Record<string, unknown>, field: string): number {
  const value = data[field];
  return typeof value === 'number' ? value : 0;
}
