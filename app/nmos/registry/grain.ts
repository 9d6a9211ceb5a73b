import { pluralOf, type ResourceType } from './resource';

/** Messages of a subscription (IS-04 Behaviour – Querying, "WebSocket Messages"). */

export interface GrainEvent {
  id: string;
  /** JSON of the resource before and after; the same text for one that is as it was. */
  pre: string | null;
  post: string | null;
}

const mostEvents = 10_000;
const mostCharacters = 4_000_000;

/** Takes as many events as fit into one message, at least one. */
export function takeEvents(pending: Map<string, GrainEvent>): GrainEvent[] {
  const taken: GrainEvent[] = [];
  let characters = 0;
  for (const event of pending.values()) {
    characters += (event.pre?.length ?? 0) + (event.post?.length ?? 0);
    if (taken.length > 0 && (characters > mostCharacters || taken.length === mostEvents)) break;
    taken.push(event);
    pending.delete(event.id);
  }
  return taken;
}

/** @param time TAI */
export function grainText(
  source: string,
  flow: string,
  time: string,
  type: ResourceType,
  events: readonly GrainEvent[],
): string {
  const frame = {
    ...{ grain_type: 'event', source_id: source, flow_id: flow },
    ...{ origin_timestamp: time, sync_timestamp: time, creation_timestamp: time },
    rate: { numerator: 0, denominator: 1 },
    duration: { numerator: 0, denominator: 1 },
  };
  const data = events.map(({ id, pre, post }) => {
    const parts = [pre === null ? '' : `,"pre":${pre}`, post === null ? '' : `,"post":${post}`];
    return `{"path":"${id}"${parts.join('')}}`;
  });
  const grain = `{"type":"urn:x-nmos:format:data.event","topic":"/${pluralOf(type)}/","data":[${data.join(',')}]}`;
  return `${JSON.stringify(frame).slice(0, -1)},"grain":${grain}}`;
}

/** Two events of one resource as one; null where it came and went between. */
export function merged(first: GrainEvent | undefined, second: GrainEvent): GrainEvent | null {
  const { id, post } = second;
  const pre = first ? first.pre : second.pre;
  return pre === null && post === null ? null : { id, pre, post };
}
