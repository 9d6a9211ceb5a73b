import { toolFailed } from '../../engine/tools/tool-problem';
import type { FanOutMessage, FanOutMessageOf, FanOutRole } from './fan-out-program';
import type { ProcessPlan } from './row-plan';

/** Who says something in a row. */
export interface Speaker {
  role: FanOutRole;
  /** Null: it has no subscribers. */
  process: ProcessPlan | null;
  /** In words, with its machine where there are several. */
  name: string;
}

type Type = FanOutMessage['type'];

/** A machine speaks for its own processes alone: it must not put in figures of another one’s. */
const saidBy: Record<FanOutRole, readonly Type[]> = {
  publisher: ['open', 'matched', 'stranger', 'second', 'roundTrips', 'published', 'failed'],
  subscribers: ['open', 'matched', 'stranger', 'received', 'done', 'failed'],
  counter: ['open', 'destination', 'counted', 'failed'],
  inspector: [],
};

/** In a row; a hundred subscribers with as many strangers say less. */
const mostKept = 20_000;

/** What the processes of a row reported, each what is its own, and once. What the figures say is held against each other later (contradictions.ts). */
export class Said {
  private readonly kept = new Map<string, FanOutMessage>();

  of<Of extends Type>(type: Of): FanOutMessageOf<Of>[] {
    return [...this.kept.values()].filter((message): message is FanOutMessageOf<Of> => message.type === type);
  }

  /** @throws WhitelineError TOOL_FAILED naming who says what it may not */
  take(message: FanOutMessage, speaker: Speaker): void {
    const { type } = message;
    const refuse = (what: string): Error => toolFailed(speaker.name, `it said “${type}” ${what}`);
    if (!saidBy[speaker.role].includes(type)) throw refuse('in the place of another process');
    if ('subscriber' in message && message.subscriber !== undefined && !has(speaker, message.subscriber))
      throw refuse(`of subscriber ${message.subscriber + 1}, which it has not`);
    if (type === 'done' && speaker.process && this.receivedBy(speaker) < speaker.process.count)
      throw refuse('before all of its subscribers had reported');
    const key = onceKey(message, speaker);
    if (key === null) return;
    if (type !== 'stranger' && this.kept.has(key)) throw refuse('more than once');
    if (this.kept.size >= mostKept) throw toolFailed(speaker.name, `more than ${mostKept} things were said`);
    this.kept.set(key, message);
  }

  private receivedBy(speaker: Speaker): number {
    return this.of('received').filter(({ subscriber }) => has(speaker, subscriber)).length;
  }
}

/** −1: all of them, which is the publisher’s to say. */
function has({ process }: Speaker, subscriber: number): boolean {
  return process === null || (subscriber >= process.first && subscriber < process.first + process.count);
}

/** Of what there is one; null: it is news of the moment. */
function onceKey(message: FanOutMessage, { name }: Speaker): string | null {
  switch (message.type) {
    case 'matched':
    case 'second':
    case 'failed':
      return null;
    case 'stranger':
      // Several of ours may have seen the same one.
      return JSON.stringify([message.type, message.kind, message.name, message.address]);
    case 'received':
    case 'roundTrips':
      return JSON.stringify([message.type, message.subscriber]);
    case 'destination':
      return JSON.stringify([message.type, message.address, message.port]);
    default:
      return JSON.stringify([message.type, name]);
  }
}
