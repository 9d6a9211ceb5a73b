import { type Figured, numberOf } from './row-figures';
import { spoiltFigureOf, spoiltKinds } from './spoilt';

/** What a frame counts in that came, but not as it was sent, or in the place of nothing. */
const figures = [...['framesUndecodable', 'framesUndecodableUnmatched'], ...Object.values(spoiltFigureOf)];
/** Runs of before these were counted have neither. */
const newerFigures: ReadonlySet<string> = new Set(
  spoiltKinds.filter((kind) => kind !== 'torn' && kind !== 'damaged').map((kind) => spoiltFigureOf[kind]),
);

/**
 * Frames that are lost for the verdict, of a row or of one of its streams: they never came, or not as they were sent. Null
 * where that was not measured, such as of a sender whose frames carry no code.
 */
export function lostFramesOf(of: Figured): number | null {
  return figures.reduce<number | null>((sum, id) => {
    if (newerFigures.has(id) && !(id in of.figures)) return sum;
    const frames = numberOf(of, id);
    return sum === null || frames === null ? null : sum + frames;
  }, neverCameOf(of));
}

/** The same as far as it was counted: what was not adds nothing. Null if not even the frames that never came were counted. */
export function knownLostFramesOf(of: Figured): number | null {
  const neverCame = neverCameOf(of);
  return neverCame === null ? null : figures.reduce((sum, id) => sum + (numberOf(of, id) ?? 0), neverCame);
}

function neverCameOf(of: Figured): number | null {
  return numberOf(of, 'framesDropped') ?? numberOf(of, 'framesMissing');
}
