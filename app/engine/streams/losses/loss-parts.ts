import { MissCause } from '../../../protocol/records';
import type { LostRun } from '../counting/lost-runs';
import type { RangeCounts } from '../counting/range-counts';
import type { SlotTally } from '../counting/slot-tally';
import type { Stream } from '../stream';
import { injectedFrames } from './injected';

/** Frames that were missed or lost, by what is known of each. Which were injected is known of the first 200 losses. */
export interface LossParts {
  /** By the run itself: of those that the sender missed, and of those that were lost after it. */
  injectedMissed: number;
  injectedLost: number;
  /** Missed, as a remote sender reports, for a fault that it injected itself. */
  saidInjected: number;
  /** Missed while the transport's send call had not returned. */
  sendBlocked: number;
  /** Missed by our own pacing. */
  ownPacing: number;
  /** Lost after the sender for another reason. */
  lost: number;
}

/** What the run itself injected. */
export interface InjectedFrames {
  /** Missed on purpose. */
  missed: number;
  /** Missed since a call was held back. */
  held: number;
  lost: number;
}

export const noneInjected: InjectedFrames = { missed: 0, held: 0, lost: 0 };

export function injectedIn(
  { injected, framesPerSecond, ledger }: Stream,
  { tally }: Pick<RangeCounts, 'tally'>,
): InjectedFrames {
  if (injected.length === 0) return noneInjected;
  const lostIn = (first: number, last: number): number => ledger?.lostIn(first, last) ?? 0;
  const framesOf = ({ stage, cause, first, last, frames }: LostRun): number => {
    const place = stage === 'dropped' ? 'transport' : stage;
    const span = { stage: place, missCause: cause, firstFrame: first, lastFrame: last, frames } as const;
    return injectedFrames(injected, span, framesPerSecond, lostIn);
  };
  const sum = (runs: readonly LostRun[]): number => runs.reduce((total, run) => total + framesOf(run), 0);
  const { listed } = tally.lost;
  return {
    missed: tally.missCauses.Injected,
    held: sum(listed.filter(({ cause }) => cause === MissCause.SendBlocked)),
    lost: sum(listed.filter(({ stage }) => stage !== 'sender')),
  };
}

export function partsOf(tally: SlotTally, { missed, held, lost }: InjectedFrames): LossParts {
  const { SourceSkipped, SenderLate, SendBlocked, Injected } = tally.missCauses;
  return {
    ...{ injectedMissed: missed + held, injectedLost: lost, saidInjected: Injected - missed },
    ...{
      sendBlocked: SendBlocked - held,
      ownPacing: SourceSkipped + SenderLate,
      lost: tally.lostFrames - lost,
    },
  };
}

/** The parts of what was lost since an earlier moment, in words; empty if there is one alone. */
export function partsText(now: LossParts, before: LossParts | null): string {
  const since = (part: keyof LossParts): number => now[part] - (before?.[part] ?? 0);
  const parts: [frames: number, text: string][] = [
    [since('injectedMissed') + since('injectedLost'), 'injected on purpose'],
    [since('saidInjected'), 'not submitted, the sender reports an injected fault'],
    [since('sendBlocked'), 'not submitted while the transport’s send call had not returned'],
    [since('ownPacing'), 'not submitted, our own pacing was late'],
    [since('lost'), 'did not come, or not whole'],
  ];
  const known = parts.filter(([frames]) => frames > 0).map(([frames, text]) => `${frames} ${text}`);
  return known.length > 1 ? known.join(', ') : '';
}
