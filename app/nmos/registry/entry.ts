import { isResourceId, type Resource } from './resource';

/** One change: a line of the snapshot, and an element of a message to peers. Dates are ns of the shared clock. */

/** A resource that a client registered, or that is confirmed. */
export interface SetEntry {
  kind: 'set';
  /** These three come from a peer or a file: `mergeSet` checks them. */
  type: unknown;
  apiVersion: unknown;
  data: unknown;
  /** When a client last registered it. */
  at: bigint;
  /** When a client registered this body. */
  bodyAt: bigint;
  /** Of a node. */
  life: Life | null;
}

/** Of a node: when it was last heard of, and by which registry: its instance. */
export interface Heard {
  heardAt: bigint;
  home: string;
}

export interface Life extends Heard {
  /** When it registered at a registry that did not know it. Older resources below it are of an earlier life (IS-04: a new node registers all). */
  bornAt: bigint;
}

/** `remove`: a client removed it at that date. `expire`: a node, last heard of at that date, expired with all below it. */
export interface DepartureEntry {
  kind: 'remove' | 'expire';
  id: string;
  at: bigint;
}

export type Entry = SetEntry | DepartureEntry;

export function setText({ type, body: { apiVersion, json }, at, bodyAt, health }: Resource): string {
  const life = health ? `,"${health.bornAt}","${health.heardAt}",${JSON.stringify(health.home)}` : '';
  return `["set","${type}","${apiVersion}",${json},"${at}","${bodyAt}"${life}]`;
}

export function departureText({ kind, id, at }: DepartureEntry): string {
  return `["${kind}","${id}","${at}"]`;
}

export function latestDate(entry: Entry): bigint {
  if (entry.kind !== 'set') return entry.at;
  const dates = [entry.at, entry.bodyAt, entry.life?.heardAt ?? 0n, entry.life?.bornAt ?? 0n];
  return dates.reduce((latest, date) => (date > latest ? date : latest));
}

/** @param value JSON, already parsed. Returns null if it has another shape. */
export function readEntry(value: unknown): Entry | null {
  if (!Array.isArray(value)) return null;
  const [kind, ...rest]: unknown[] = value;
  if (kind === 'set') return readSet(rest);
  if (kind !== 'remove' && kind !== 'expire') return null;
  const [id, date] = rest;
  const at = readDate(date);
  // It goes on to files and other peers as it is.
  const isId = typeof id === 'string' && isResourceId(id);
  return rest.length === 2 && isId && at !== null ? { kind, id, at } : null;
}

function readSet(parts: unknown[]): SetEntry | null {
  const [type, apiVersion, data, ...dates] = parts;
  const [at, bodyAt] = [readDate(dates[0]), readDate(dates[1])];
  // Something may have gone before it, at a date that can be written too.
  if (at === null || at === 0n || bodyAt === null) return null;
  const entry = { kind: 'set' as const, type, apiVersion, data, at, bodyAt };
  if (parts.length === 5) return { ...entry, life: null };
  const [bornAt, heard] = [readDate(dates[2]), readHeard(dates[3], dates[4])];
  return parts.length === 8 && bornAt !== null && heard ? { ...entry, life: { bornAt, ...heard } } : null;
}

export function readHeard(heard: unknown, home: unknown): Heard | null {
  const heardAt = readDate(heard);
  return heardAt !== null && isShortText(home) ? { heardAt, home } : null;
}

/** Texts, since JSON has no numbers of that many digits. */
export function readDate(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
}

export function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 100;
}
