import type { LossStage } from '../../../facts/loss';
import { isSpoiltKind } from '../../../facts/spoilt';
import { type Fault, type FaultVerb, MissCause } from '../../../protocol/records';
import { isSpoiling, kindOfVerb } from '../../faults/expected-counts';

/** Lost frames of one stage, by their numbers. */
export interface LostSpan {
  stage: LossStage;
  /** Cause of a miss (`MissCause`). */
  missCause: number;
  firstFrame: number;
  lastFrame: number;
  frames: number;
}

/** First and last number. */
type Reach = readonly [first: number, last: number];

/** What a receiver that was stalled finds in the transport's queue when it goes on may be lost too. */
const afterStallSeconds = 0.25;

/**
 * How many frames of a loss the faults explain that the run itself injected.
 * @param lostIn of the numbers between two, those that are lost; without it all of them
 */
export function injectedFrames(
  faults: readonly Fault[],
  span: LostSpan,
  framesPerSecond: number,
  lostIn = (first: number, last: number): number => last - first + 1,
): number {
  const { stage, missCause, firstFrame, lastFrame, frames } = span;
  // Our own sender records each frame that it missed for a fault; one without faults of this run only claims that.
  if (stage === 'sender' && missCause === MissCause.Injected) return faults.length > 0 ? frames : 0;
  const explained = reachesOf(faults, stage, missCause, framesPerSecond).reduce((sum, [first, last]) => {
    const [from, to] = [Math.max(first, firstFrame), Math.min(last, lastFrame)];
    return from <= to ? sum + lostIn(from, to) : sum;
  }, 0);
  return Math.min(frames, explained);
}

/** The numbers that faults may have cost at a stage. */
function reachesOf(
  faults: readonly Fault[],
  stage: LossStage,
  missCause: number,
  framesPerSecond: number,
): Reach[] {
  const of = (verb: FaultVerb) => faults.filter((fault) => fault.verb === verb);
  const whole = ({ first, last }: Fault): Reach => [first, last];
  if (stage === 'sender') {
    if (missCause !== MissCause.SendBlocked) return [];
    // While a call is held back, the slots after it pass by.
    return of('delay').map(({ first, last, delayMs = 0 }) => [
      first + 1,
      last + 1 + Math.ceil((delayMs / 1000) * framesPerSecond),
    ]);
  }
  // A picture that was spoilt may lose its code, too.
  if (stage === 'undecodable')
    return faults.filter(({ verb }) => verb === 'black' || isSpoiling(verb)).map(whole);
  if (isSpoiltKind(stage))
    return faults.filter(({ verb }) => isSpoiling(verb) && kindOfVerb[verb] === stage).map(whole);
  const afterStall = Math.floor(afterStallSeconds * framesPerSecond);
  return [
    ...of('skip').map(whole),
    ...of('stall').map(({ first, last }): Reach => [first, last + afterStall]),
  ];
}
