import { compareVersions } from '../tai';
import type { LeftOut } from './pages';
import { leaveOut } from './pages';
import { isFields, isId, readSeen, type SeenResources, type SeenType } from './resources';

/** Messages of a subscription (IS-04 Behaviour – Querying, "WebSocket Messages"). */

export interface GrainEvent<Type extends SeenType> {
  id: string;
  /** As it is now; null: it is gone. */
  resource: SeenResources[Type] | null;
  /** It says what was there before the subscription. */
  isFirst: boolean;
}

/** Returns why not, where it is no message of a subscription to this type. */
export function readGrain<Type extends SeenType>(
  text: string,
  type: Type,
  leftOut: LeftOut,
): GrainEvent<Type>[] | string {
  const grain = grainOf(text);
  if (grain === null) return 'it sent an invalid subscription message';
  const { topic, data } = grain;
  if (topic !== `/${type}s/`) return `it sent a message with another topic than /${type}s/`;
  if (!Array.isArray(data)) return 'it sent a message without data';
  return data.flatMap((event: unknown) => {
    const read = readEvent(event, type);
    if (typeof read !== 'string') return [read];
    leaveOut(leftOut, `an event of ${type}s: ${read}`);
    return [];
  });
}

function grainOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const message: unknown = JSON.parse(text);
    return isFields(message) && isFields(message.grain) ? message.grain : null;
  } catch {
    return null;
  }
}

function readEvent<Type extends SeenType>(event: unknown, type: Type): GrainEvent<Type> | string {
  if (!isFields(event)) return 'not an object';
  const { path: id, pre, post } = event;
  if (!isId(id)) return 'path is not a UUID';
  if (post === undefined || post === null) return { id, resource: null, isFirst: false };
  const resource = readSeen(type, post);
  if (typeof resource === 'string') return resource;
  if (resource.id !== id) return 'path and id differ';
  const before = isFields(pre) && typeof pre.version === 'string' ? pre.version : null;
  return { id, resource, isFirst: before !== null && compareVersions(before, resource.version) === 0 };
}
