import { framesPerSecond, type Rate } from '../../protocol/format';
import { type Fault, type FaultVerb, faultVerbs } from '../../protocol/records';
import { stallSeconds } from '../../protocol/thresholds';
import { checkFaults, reachOf } from './expected-counts';
import type { Random } from './random';

/** Lengths of a range that a plan draws from; a repeat, a swap and so on stay short, so that many fit. */
const mostFrames = 5;
/** Clean frames between two faults, so that a frame that the machine itself loses rarely touches two of them. */
const cleanFrames = { least: 6, most: 24 };
/** Long enough for at least two slots to pass meanwhile, at 60 frames a second. */
const delayMs = { least: 50, most: 200 };
/** How many times a plan has each verb at most; more would only lengthen the lists of lost frames. */
const mostRounds = 8;

/** The pictures of the generators are grey: with U and V exchanged they are the same. */
const plannedVerbs = faultVerbs.filter((verb) => verb !== 'swap-chroma');

/** The fewest frames in which each verb finds its place at any rate up to 60 frames a second. */
export const leastPlanFrames = 600;

/** Faults at random places of a row: each verb once, then again as long as there is room. */
export function randomPlan(random: Random, frames: number, rate: Rate): Fault[] {
  const faults: Fault[] = [];
  let next = random.whole(cleanFrames.least, cleanFrames.most);
  for (let round = 0; round < mostRounds; round++) {
    for (const verb of shuffled(plannedVerbs, random)) {
      const fault = faultAt(verb, next, random, rate);
      const end = reachOf(fault, rate);
      if (end + cleanFrames.most >= frames) continue;
      faults.push(fault);
      next = end + random.whole(cleanFrames.least, cleanFrames.most);
    }
  }
  checkFaults(faults, rate, frames);
  return faults;
}

function faultAt(verb: FaultVerb, first: number, random: Random, rate: Rate): Fault {
  switch (verb) {
    case 'swap':
      return { verb, first, last: first + random.whole(1, mostFrames - 1) };
    case 'delay':
      return { verb, first, last: first, delayMs: random.whole(delayMs.least, delayMs.most) };
    case 'stall': {
      // Long enough to be a stall, and for the transport's queue to overflow.
      const shortest = Math.ceil(stallSeconds(framesPerSecond(rate)) * framesPerSecond(rate)) + 2;
      return { verb, first, last: first + random.whole(shortest, shortest * 2) - 1 };
    }
    default:
      return { verb, first, last: first + random.whole(1, mostFrames) - 1 };
  }
}

function shuffled<Value>(values: readonly Value[], random: Random): Value[] {
  const left = [...values];
  const taken: Value[] = [];
  while (left.length > 0) taken.push(...left.splice(random.whole(0, left.length - 1), 1));
  return taken;
}
