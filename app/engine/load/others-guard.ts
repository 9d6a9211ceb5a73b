import { aboutLoad, fine, type Guard, violatedBy } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import type { Span } from '../streams/counting/capture-counter';
import { othersCpuOf } from './load-sums';
import { PartlyKnown } from './partly-known';
import { samplesWithin, summarise } from './window';

/** What other programs took of this machine's CPU in a time. */
export interface OthersLoad {
  /** Mean of what is known, %; null: nothing is. */
  percent: number | null;
  /** Why some of the time is unknown; null: all of it is known. */
  whyUnknown: string | null;
}

/** Of what, and on which machine: by default the CPU of this one. */
export interface OthersOf {
  isGpu?: boolean;
  isSenders?: boolean;
  /** Its name, where the run has more than one. */
  machine?: string;
}

export const othersCpu = othersOfWhat({});

/** The one rule for what other programs took. */
export function othersGuard(
  { percent, whyUnknown }: OthersLoad,
  { maxOthersPercent: limitPercent }: Pick<Thresholds, 'maxOthersPercent'>,
  of: OthersOf = {},
): Guard {
  const isGpu = of.isGpu === true && { isGpu: true };
  const isSenders = of.isSenders === true && { isSenders: true };
  const machine = of.machine !== undefined && { machine: of.machine };
  if (percent !== null && percent >= limitPercent)
    return aboutLoad(
      violatedBy([reasonOf('others-busy', { percent, limitPercent, ...isGpu, ...isSenders, ...machine })]),
    );
  if (whyUnknown === null) return fine;
  const fact = reasonOf('not-checked', { what: othersOfWhat(of), why: whyUnknown, ...machine });
  return { state: 'not-evaluated', facts: [fact], about: 'load' };
}

function othersOfWhat({ isGpu = false, isSenders = false }: OthersOf): string {
  return `how much of the ${isGpu ? 'GPU' : 'CPU'} other programs took${isSenders ? ' on the sender’s machine' : ''}`;
}

/** The same for a time before the run, if the run itself cannot be told from other programs. */
export function othersBeforeGuard(
  { percent, whyUnknown }: OthersLoad,
  { maxOthersPercent: limitPercent }: Pick<Thresholds, 'maxOthersPercent'>,
): Guard {
  if (percent !== null)
    return violatedBy(percent >= limitPercent ? [reasonOf('busy-before', { percent, limitPercent })] : []);
  const data = { what: `${othersCpu} before the run`, why: whyUnknown ?? 'unknown' };
  return { state: 'not-evaluated', facts: [reasonOf('not-checked', data)] };
}

/**
 * Of a row that is made of repeats, what others took in the worst of them.
 * @param samples those of these times, and of two seconds before
 */
export function othersInWorst(
  samples: readonly LoadSample[],
  repeats: readonly Span[],
  thresholds: Pick<Thresholds, 'maxSampleGapSeconds'>,
): OthersLoad {
  const each = repeats.map((repeat) => othersIn(samples, repeat, thresholds));
  return {
    percent: summarise(each.map(({ percent }) => percent))?.max ?? null,
    whyUnknown: each.find(({ whyUnknown }) => whyUnknown !== null)?.whyUnknown ?? null,
  };
}

function othersIn(
  samples: readonly LoadSample[],
  { fromNs, toNs }: Span,
  { maxSampleGapSeconds }: Pick<Thresholds, 'maxSampleGapSeconds'>,
): OthersLoad {
  const within = samplesWithin(samples, fromNs, toNs);
  // No sample need end in a time of less than half a second; the newest ones reach up to it.
  const near = within.length > 0 ? within : samplesWithin(samples, fromNs - 2e9, toNs);
  const others = new PartlyKnown();
  for (const sample of near) others.add(sample.atNs, othersCpuOf(sample));
  // Where no sample came at all, another guard reports it.
  const whyUnknown = near.length > 0 ? others.whyUnknown(maxSampleGapSeconds) : noSample;
  return { percent: others.mean, whyUnknown };
}

const noSample = 'no load sample lies within that time or just before it';
