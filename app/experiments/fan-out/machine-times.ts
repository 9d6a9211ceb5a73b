import { momentOn } from '../../engine/machines/known-clock';
import { toolFailed } from '../../engine/tools/tool-problem';
import type { EndMachine } from './end-machine';
import type { FanOutMessage } from './fan-out-program';

/** Clocks of two machines are known to some milliseconds. */
const mostApartNs = 1e9;

/** By how much the monotonic clock of an end is ahead of ours at a moment of ours; 0 if it is ours. */
export function aheadNsOf(machine: EndMachine | undefined, atNs: number): number {
  return momentOn(machine?.remote, atNs) - atNs;
}

/** When a process that speaks was opened, and now; by our clock. */
export interface Spoken {
  aheadNs: number;
  fromNs: number;
  nowNs: number;
}

/**
 * What a process on another machine says, with its moments on our clock. In a row they lie as far apart as on its own.
 * @throws WhitelineError TOOL_FAILED for a moment before it was opened, or one to come
 */
export function inOurTime(
  message: FanOutMessage,
  { name }: Pick<EndMachine, 'name'>,
  spoken: Spoken,
): FanOutMessage {
  const ours = (theirs: string): string => {
    if (Number(theirs) === 0) return theirs;
    const ns = Number(theirs) - spoken.aheadNs;
    if (ns >= spoken.fromNs - mostApartNs && ns <= spoken.nowNs + mostApartNs) return String(ns);
    throw toolFailed(`DDS fan-out on ${name}`, `${message.type} has a moment outside of its row`);
  };
  switch (message.type) {
    case 'matched':
      return { ...message, matchedNs: ours(message.matchedNs ?? '') };
    case 'published':
      return { ...message, firstNs: ours(message.firstNs), lastNs: ours(message.lastNs) };
    case 'received': {
      const { firstNs, lastNs, matchedNs } = message;
      return { ...message, firstNs: ours(firstNs), lastNs: ours(lastNs), matchedNs: ours(matchedNs) };
    }
    default:
      return message;
  }
}
