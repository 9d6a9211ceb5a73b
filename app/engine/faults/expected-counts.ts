import { type SpoiltKind, spoiltFigureOf } from '../../facts/spoilt';
import { badInput } from '../../protocol/errors';
import { faultsText, faultText } from '../../protocol/faults';
import { framesPerSecond, type Rate } from '../../protocol/format';
import type { Fault, FaultVerb } from '../../protocol/records';
import { stallSeconds } from '../../protocol/thresholds';

/** Figures of a row that faults move, each by a set of frame numbers. */
export const faultFigures = [
  'framesSenderMissed',
  'framesDropped',
  'framesDuplicated',
  'framesReordered',
  'framesUndecodable',
  ...Object.values(spoiltFigureOf),
] as const;

export type FaultFigure = (typeof faultFigures)[number];

/** What a list of faults must show as in a row of an otherwise faultless path. */
export interface ExpectedFrames {
  /** The numbers behind each figure, rising. */
  frames: Record<FaultFigure, number[]>;
  stalls: number;
  /** Delays and stalls: what they cost is up to the transport and the machine, and follows from the records (`lostRange`). */
  derived: Fault[];
}

/** After a stall the transport hands over what it queued: for so long nothing else may be put in. */
const afterStallSeconds = 0.25;

/** The kind of spoilt frame that each verb makes. */
export const kindOfVerb = {
  tear: 'torn',
  'tear-middle': 'torn',
  'stale-band': 'stale',
  'damage-top': 'damaged',
  'damage-bottom': 'damaged',
  green: 'discoloured',
  'swap-chroma': 'discoloured',
  dim: 'dimmed',
  shrink: 'wrong-size',
  mislabel: 'mislabelled',
} as const satisfies Partial<Record<FaultVerb, SpoiltKind>>;

export type SpoilingVerb = keyof typeof kindOfVerb;

export function isSpoiling(verb: FaultVerb): verb is SpoilingVerb {
  return verb in kindOfVerb;
}

const figureOf: Partial<Record<FaultVerb, FaultFigure>> = {
  miss: 'framesSenderMissed',
  skip: 'framesDropped',
  repeat: 'framesDuplicated',
  swap: 'framesReordered',
  black: 'framesUndecodable',
};

/** Faults that `checkFaults` accepts, at a rate. Pure. */
export function expectedFrames(faults: readonly Fault[], rate: Rate): ExpectedFrames {
  const frames = Object.fromEntries(faultFigures.map((figure) => [figure, [] as number[]]));
  const expected = { frames, stalls: 0, derived: [] } as unknown as ExpectedFrames;
  for (const fault of [...faults].sort((a, b) => a.first - b.first)) {
    const { verb } = fault;
    const figure = isSpoiling(verb) ? spoiltFigureOf[kindOfVerb[verb]] : figureOf[verb];
    if (figure) expected.frames[figure].push(...framesMoved(fault));
    else expected.derived.push(fault);
    if (isLong(fault, rate)) expected.stalls += 1;
  }
  return expected;
}

/**
 * Numbers that a delay or a stall may cost; nothing else is lost within them. A delay: the slots after the delayed
 * frame that the sender's records do not report as submitted are missed, and nothing is dropped. A stall: those of the
 * numbers that the receiver's own log lacks are dropped, and nothing is missed.
 */
export function lostRange(fault: Fault, rate: Rate): { first: number; last: number } {
  return { first: fault.first + 1, last: reachOf(fault, rate) };
}

/** Misses that a delay brings at the least: the slots that fall wholly into the call, were it to begin at once. */
export function leastMissed({ delayMs = 0 }: Fault, rate: Rate): number {
  return Math.max(0, Math.floor((delayMs / 1000) * framesPerSecond(rate) + 1e-9) - 1);
}

/**
 * Refuses faults whose counts could not be told apart afterwards: those that overlap or have no clean frame between them, and skips, delays
 * and stalls about as long as what counts as a stall.
 * @param frames slots of the row, if its length is known: all must lie within
 * @throws WhitelineError
 */
export function checkFaults(
  faults: readonly Fault[],
  rate: Rate,
  frames = Number.POSITIVE_INFINITY,
  field = 'inject',
): void {
  const sorted = [...faults].sort((a, b) => a.first - b.first);
  for (const [index, fault] of sorted.entries()) {
    checkLength(fault, rate, field);
    const end = reachOf(fault, rate);
    const text = faultText(fault);
    if (end >= frames) {
      const remedy = `Measure for longer, or move ${text} to an earlier frame`;
      throw badInput(
        field,
        `faults within the ${frames} frames of the row (${text} reaches to ${end})`,
        text,
        remedy,
      );
    }
    const next = sorted[index + 1];
    if (next && next.first <= end + 1) throw tooNear(fault, next, end, field);
  }
}

function tooNear(fault: Fault, next: Fault, end: number, field: string): Error {
  const received = faultsText([fault, next]);
  const remedy = `Move ${faultText(next)} to ${end + 2} or later`;
  if (fault.verb === 'swap' && next.first <= fault.last) {
    return badInput(field, 'a swap with nothing else on its two frames or between them', received, remedy);
  }
  const reach = end > fault.last ? ` (${faultText(fault)} reaches to ${end} at this rate)` : '';
  return badInput(field, `faults with a clean frame between them${reach}`, received, remedy);
}

/** Whether a silence of about the limit counts as a stall is a matter of microseconds: no count could be predicted. */
function checkLength(fault: Fault, rate: Rate, field: string): void {
  const limit = stallFrames(rate);
  const silence = silenceFrames(fault, rate);
  if (silence < limit - 2) return;
  if (silence <= limit + 1) {
    throw badInput(
      field,
      `a ${fault.verb} clearly shorter or longer than the ${round(limit)} frames without a picture that count as a stall`,
      faultText(fault),
      `Use at most ${Math.ceil(limit - 2) - 1} frames or at least ${Math.floor(limit + 1) + 1}`,
    );
  }
  if (fault.verb !== 'delay' || fault.first === fault.last) return;
  const remedy = `Use delay:${fault.first},${fault.delayMs}ms`;
  throw badInput(field, 'one frame for a delay as long as a stall', faultText(fault), remedy);
}

/** No picture arrives for so long that it counts as a stall. A sender that misses frames, and black pictures, are no stalls. */
function isLong(fault: Fault, rate: Rate): boolean {
  return silenceFrames(fault, rate) > stallFrames(rate);
}

function stallFrames(rate: Rate): number {
  return stallSeconds(framesPerSecond(rate)) * framesPerSecond(rate);
}

/** How long the sender submits and nothing arrives, in frames. */
function silenceFrames(fault: Fault, rate: Rate): number {
  if (fault.verb === 'delay') return ((fault.delayMs ?? 0) / 1000) * framesPerSecond(rate);
  return fault.verb === 'skip' || fault.verb === 'stall' ? framesOf(fault) : 0;
}

/** Last frame that a fault may touch. */
export function reachOf(fault: Fault, rate: Rate): number {
  const perSecond = framesPerSecond(rate);
  if (fault.verb === 'delay') return fault.last + Math.ceil(((fault.delayMs ?? 0) / 1000) * perSecond) + 1;
  if (fault.verb === 'stall') return fault.last + 1 + Math.ceil(afterStallSeconds * perSecond);
  return fault.last;
}

function framesMoved(fault: Fault): number[] {
  const count = fault.verb === 'swap' ? 1 : framesOf(fault);
  return Array.from({ length: count }, (_, index) => fault.first + index);
}

function framesOf({ first, last }: Fault): number {
  return last - first + 1;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
