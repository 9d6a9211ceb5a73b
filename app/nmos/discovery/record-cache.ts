import { type ServiceRecord, sameName } from './codec';

interface Cached {
  record: ServiceRecord;
  heardMs: number;
  expiresMs: number;
  /** How often it was asked for again since it was heard. */
  refreshes: number;
}

/** More than any real network has; limits a hostile one. */
const mostRecords = 20_000;
/** RFC 6762 section 10.1 and 10.2: what is taken back, or replaced, stays for another second. */
const graceMs = 1000;
/** RFC 6762 section 5.2: parts of a record's time at which it is asked for again. */
const refreshParts = [0.8, 0.85, 0.9, 0.95];
/** A week; longer times are of no use and overflow timers. */
const longestTtlSeconds = 7 * 86_400;

/** Records that were heard, for as long as they may be kept, RFC 6762 section 10. Times are ms of any clock that never steps. */
export class RecordCache {
  private readonly byKey = new Map<string, Cached>();

  add(record: ServiceRecord, nowMs: number): void {
    if (record.isFlush) this.flush(record, nowMs);
    const key = keyOf(record);
    const ttlMs = Math.min(record.ttlSeconds, longestTtlSeconds) * 1000;
    if (ttlMs === 0) {
      const known = this.byKey.get(key);
      if (known) known.expiresMs = Math.min(known.expiresMs, nowMs + graceMs);
      return;
    }
    // To the end: records are in the order in which they were heard.
    if (!this.byKey.delete(key) && this.byKey.size >= mostRecords) return;
    this.byKey.set(key, { record, heardMs: nowMs, expiresMs: nowMs + ttlMs, refreshes: 0 });
  }

  records(nowMs: number): ServiceRecord[] {
    this.expire(nowMs);
    return [...this.byKey.values()].map(({ record }) => record);
  }

  /** Answers that an asker need not be sent again, with the time that is left of them. */
  known(name: string, nowMs: number): ServiceRecord[] {
    return [...this.byKey.values()].flatMap(({ record, heardMs, expiresMs }) =>
      sameName(record.name, name) && expiresMs - nowMs > (expiresMs - heardMs) / 2
        ? [{ ...record, ttlSeconds: Math.floor((expiresMs - nowMs) / 1000), isFlush: false }]
        : [],
    );
  }

  /** What has to be asked for again now, each at most four times in its life. */
  takeDue(nowMs: number): ServiceRecord[] {
    const due = [...this.byKey.values()].filter((cached) => refreshMs(cached) <= nowMs);
    for (const cached of due) cached.refreshes++;
    return due.map(({ record }) => record);
  }

  /** When something expires or has to be asked for again. */
  nextMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const cached of this.byKey.values()) next = Math.min(next, cached.expiresMs, refreshMs(cached));
    return next;
  }

  /** Of all that were found invalid by use, RFC 6762 section 10.4: they have to be confirmed now or go. */
  doubt(isDoubted: (record: ServiceRecord) => boolean, nowMs: number, graceMs: number): void {
    for (const cached of this.byKey.values())
      if (isDoubted(cached.record)) cached.expiresMs = Math.min(cached.expiresMs, nowMs + graceMs);
  }

  private expire(nowMs: number): void {
    for (const [key, { expiresMs }] of this.byKey) if (expiresMs <= nowMs) this.byKey.delete(key);
  }

  /** What is older than a second and not said again is replaced. */
  private flush({ name, type }: ServiceRecord, nowMs: number): void {
    for (const cached of this.byKey.values()) {
      const isSame = cached.record.type === type && sameName(cached.record.name, name);
      if (isSame && nowMs - cached.heardMs > graceMs)
        cached.expiresMs = Math.min(cached.expiresMs, nowMs + graceMs);
    }
  }
}

function refreshMs({ heardMs, expiresMs, refreshes }: Cached): number {
  const part = refreshParts[refreshes];
  return part === undefined ? Number.POSITIVE_INFINITY : heardMs + (expiresMs - heardMs) * part;
}

function keyOf(record: ServiceRecord): string {
  return [record.type, record.name.toLowerCase(), dataOf(record)].join('\n');
}

function dataOf(record: ServiceRecord): string {
  switch (record.type) {
    case 'PTR':
      return record.target.toLowerCase();
    case 'SRV':
      return `${record.target.toLowerCase()}:${record.port}`;
    case 'TXT':
      return record.texts.join('\n');
    default:
      return record.address;
  }
}
