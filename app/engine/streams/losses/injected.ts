import type { LossStage } from '../../../protocol/loss';
import { type Fault, type FaultVerb, MissCause } from '../../../protocol/records';
import { isSpoiltKind } from '../../../protocol/spoilt';
import { isSpoiling, kindOfVerb } from '../../faults/expected-counts';

/** Lost frames of one stage, by their numbers. */
export interface LostSpan {
  stage: LossStage;
  /** Of a miss (`MissCause`). */
  missCause: number;
  firstFrame: number;
  lastFrame: number;
  frames: number;
}

/** What a receiver that was stalled finds in the SDK's queue when it goes on may be lost too. */
const afterStallSeconds = 0.25;

/** Whether faults that the run itself injected explain a loss, all of it. */
export function isInjected(faults: readonly Fault[], span: LostSpan, framesPerSecond: number): boolean {
  const { stage, missCause } = span;
  const of = (verb: FaultVerb) => faults.filter((fault) => fault.verb === verb);
  const within = (first: number, last: number): boolean => span.firstFrame >= first && span.lastFrame <= last;
  if (stage === 'sender') {
    if (missCause !== MissCause.SendBlocked) return missCause === MissCause.Injected;
    // While a call is held back, the slots behind it pass by.
    return of('delay').some(({ first, last, delayMs = 0 }) =>
      within(first + 1, last + 1 + Math.ceil((delayMs / 1000) * framesPerSecond)),
    );
  }
  if (stage === 'undecodable') return covers(of('black'), span);
  if (isSpoiltKind(stage)) {
    return covers(
      faults.filter(({ verb }) => isSpoiling(verb) && kindOfVerb[verb] === stage),
      span,
    );
  }
  const reach = afterStallSeconds * framesPerSecond;
  return covers(of('skip'), span) || of('stall').some(({ first, last }) => within(first, last + reach));
}

/** Several faults may make one loss. */
function covers(faults: readonly Fault[], { firstFrame, lastFrame, frames }: LostSpan): boolean {
  const overlap = ({ first, last }: Fault): number =>
    Math.max(0, Math.min(last, lastFrame) - Math.max(first, firstFrame) + 1);
  return faults.reduce((sum, fault) => sum + overlap(fault), 0) >= frames;
}
