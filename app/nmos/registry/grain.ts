import { type Body, pluralOf, type ResourceType } from './resource';

/** Messages of a subscription (IS-04 Behaviour – Querying, "WebSocket Messages"). */

/** What became of a resource since the last message, as the client sees it: null if it is not there. */
export interface Difference {
  pre: Body | null;
  post: Body | null;
  /** Whether it went between, and came back. */
  isBack: boolean;
}

/** Two of one resource as one; null if it came and went between. */
export function merged(first: Difference | undefined, second: Difference): Difference | null {
  if (!first) return second;
  const { pre } = first;
  const { post } = second;
  if (pre === null && post === null) return null;
  return { pre, post, isBack: first.isBack || second.isBack || (first.post === null && post !== null) };
}

const mostEvents = 10_000;
const manyCharacters = 4_000_000;

/** Events of the next message. */
export class GrainData {
  private events: string[] = [];
  private characters = 0;

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  get isFull(): boolean {
    return this.events.length >= mostEvents || this.characters >= manyCharacters;
  }

  /** @param pre JSON of the resource before and after; the same text for one that is as it was */
  add(id: string, pre: string | null, post: string | null): void {
    const parts = [pre === null ? '' : `,"pre":${pre}`, post === null ? '' : `,"post":${post}`];
    const event = `{"path":"${id}"${parts.join('')}}`;
    this.events.push(event);
    this.characters += event.length;
  }

  take(): string {
    const text = this.events.join(',');
    this.events = [];
    this.characters = 0;
    return text;
  }
}

/** @param time TAI */
export function grainText(
  source: string,
  flow: string,
  time: string,
  type: ResourceType,
  data: GrainData,
): string {
  const frame = {
    ...{ grain_type: 'event', source_id: source, flow_id: flow },
    ...{ origin_timestamp: time, sync_timestamp: time, creation_timestamp: time },
    rate: { numerator: 0, denominator: 1 },
    duration: { numerator: 0, denominator: 1 },
  };
  const grain = `{"type":"urn:x-nmos:format:data.event","topic":"/${pluralOf(type)}/","data":[${data.take()}]}`;
  return `${JSON.stringify(frame).slice(0, -1)},"grain":${grain}}`;
}
