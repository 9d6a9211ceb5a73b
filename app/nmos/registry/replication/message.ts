/** What a registry sends its peers over a WebSocket at /x-whiteline/replication; each message is one of these. */

export const replicationPath = '/x-whiteline/replication';
/** A header of the request: the instance of the registry that asks. */
export const instanceHeader = 'x-whiteline-instance';
export const replicationProtocol = 2;

/** A node by its id, for how long it has not been heard of, and the instance of the registry that it last spoke to. */
export type HealthEntry = [id: string, ageMs: number, home: string];
/**
 * Type, version of the API, the resource, when a client last registered it, and when it did with this body: ns of TAI, texts since
 * JSON has no such numbers.
 */
export type SetEntry = [type: unknown, apiVersion: unknown, data: unknown, at: string, bodyAt: string];
/** When a client removed it. */
export type RemoveEntry = [id: string, at: string];

export interface Message {
  /** First: who speaks. */
  hello?: { protocol: number; instance: string };
  /** Resources that are new or changed, parents first. */
  set?: SetEntry[];
  /** At least once a second: which nodes were heard of; before `complete`, all that the peer holds, which may come later than this. */
  health?: HealthEntry[];
  /** All that was there when the peer connected has been sent. */
  complete?: true;
  remove?: RemoveEntry[];
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
  const { hello, set, health, complete, remove }: Record<string, unknown> = { ...value };
  const isMessage =
    isHello(hello) &&
    isListOf(set, (entry) => entry.length === 5 && isTime(entry[3]) && isTime(entry[4])) &&
    isListOf(health, ([id, ageMs, home]) => isText(id) && isAge(ageMs) && isText(home)) &&
    isListOf(remove, ([id, at]) => isText(id) && isTime(at)) &&
    (complete === undefined || complete === true);
  return isMessage ? value : null;
}

function isHello(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { protocol, instance }: Record<string, unknown> = { ...value };
  return typeof protocol === 'number' && isText(instance);
}

function isListOf(value: unknown, isEntry: (entry: unknown[]) => boolean): boolean {
  return (
    value === undefined || (Array.isArray(value) && value.every((one) => Array.isArray(one) && isEntry(one)))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 100;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,20}$/.test(value);
}

function isAge(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
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
