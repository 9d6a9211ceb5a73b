import { type Entry, type Heard, isShortText, readDate, readEntry, readHeard } from '../entry';

/** What a registry sends its peers over a WebSocket at /x-whiteline/replication; each message is one of these. */

export const replicationPath = '/x-whiteline/replication';
/** A header of the request: the instance of the registry that asks. */
export const instanceHeader = 'x-whiteline-instance';
/** Another: what its shared clock reads. */
export const nowHeader = 'x-whiteline-now';
export const replicationProtocol = 3;

export interface Hello {
  protocol: number;
  instance: string;
}

export interface Message {
  /** What the shared clock of the sender reads: no date of the message is later. */
  now: bigint;
  /** First: who speaks. */
  hello: Hello | null;
  /** In their order; at first all departures that the peer remembers, then all that it holds, parents first. */
  changes: Entry[];
  /** At least once a second: which nodes were heard of. */
  health: (Heard & { id: string })[];
  /** All that was there when the peer connected has been sent. */
  isComplete: boolean;
}

/** The texts of a message of which `parts` are its fields but for the time. */
export function messageText(now: bigint, parts: string): string {
  return `{"now":"${now}",${parts}}`;
}

/** To read what is nested deeper takes a parser many times longer than other texts. A resource may be nested to a fraction of it. */
const deepestMessage = 1000;

/** null for what is no message. */
export function parseMessage(text: string): Message | null {
  if (nestsDeeper(text, deepestMessage)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { now: date, hello, changes = [], health = [], complete }: Record<string, unknown> = { ...value };
  const now = readDate(date);
  const entries = readList(changes, readEntry);
  const lives = readList(health, readHealth);
  if (now === null || !entries || !lives || (complete !== undefined && complete !== true)) return null;
  const message = { now, changes: entries, health: lives, isComplete: complete === true };
  const read = hello === undefined ? null : readHello(hello);
  return hello !== undefined && read === null ? null : { ...message, hello: read };
}

function readHello(value: unknown): Hello | null {
  if (typeof value !== 'object' || value === null) return null;
  const { protocol, instance }: Record<string, unknown> = { ...value };
  return typeof protocol === 'number' && isShortText(instance) ? { protocol, instance } : null;
}

function readHealth(value: unknown): (Heard & { id: string }) | null {
  const [id, heardAt, home]: unknown[] = Array.isArray(value) ? value : [];
  const heard = readHeard(heardAt, home);
  return heard && isShortText(id) ? { id, ...heard } : null;
}

/** null if it is no list, or one of it is not read. */
function readList<One>(value: unknown, read: (one: unknown) => One | null): One[] | null {
  if (!Array.isArray(value)) return null;
  const list: One[] = [];
  for (const one of value) {
    const entry = read(one);
    if (entry === null) return null;
    list.push(entry);
  }
  return list;
}

const [quote, backslash, ...brackets] = [...'"\\[{]}'].map((one) => one.charCodeAt(0));
const [list, object, listEnd, objectEnd] = brackets;

/** Of a text of JSON, without parsing it. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) isInText = !isInText;
    else if (isInText) index += code === backslash ? 1 : 0;
    else if (code === listEnd || code === objectEnd) depth--;
    else if ((code === list || code === object) && ++depth > most) return true;
  }
  return false;
}
