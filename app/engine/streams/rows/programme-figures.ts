import type { Fact } from '../../../facts/fact';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import type { ReasonedNumber } from '../../../facts/reasoned';
import type { Span } from '../counting/capture-counter';
import type { Stream } from '../stream';
import { reasons } from './row-reasons';

type ProgrammeFigure = 'cuts' | 'framesMissingAtCuts' | 'picturesMixed';

/** Cuts whose missing frames are estimated. */
function unclearCuts(programme: Stream['programme'], { fromNs, toNs }: Span): number {
  return (programme?.cutsWithin(fromNs, toNs) ?? []).filter(({ isEstimate }) => isEstimate).length;
}

function unclearFact(cuts: number): Fact {
  return reasonOf('cuts-unclear', { cuts });
}

/** What of a programme could not be counted. */
export function uncountedCuts({ programme }: Stream, row: Span): Fact[] {
  const unclear = unclearCuts(programme, row);
  return unclear > 0 ? [unclearFact(unclear)] : [];
}

/** Figures of a mixer's programme: its cuts in a row. */
export function programmeFigures(
  { programme, followedBy }: Stream,
  { fromNs, toNs }: Span,
): Readonly<Record<ProgrammeFigure, ReasonedNumber>> {
  const isForeign = followedBy === 'times';
  const cuts = isForeign ? undefined : programme?.cutsWithin(fromNs, toNs);
  const why = programme && isForeign ? reasons.foreignProgramme : reasons.noProgramme;
  const sum = (of: 'missing' | 'mixed'): number | null =>
    cuts?.reduce((total, cut) => total + cut[of], 0) ?? null;
  const unclear = unclearCuts(programme, { fromNs, toNs });
  return {
    cuts: [cuts?.length ?? null, why],
    framesMissingAtCuts: unclear > 0 ? [null, wordsOf([unclearFact(unclear)])] : [sum('missing'), why],
    picturesMixed: [sum('mixed'), why],
  };
}
