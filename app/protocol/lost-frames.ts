import { type Figured, numberOf } from './row-figures';

/** What a frame counts in that came, but not as it was sent, or in the place of nothing. */
const spoiltFigures = ['framesUndecodable', 'framesUndecodableUnmatched', 'framesTorn', 'framesDamaged'];

/**
 * Frames that are lost for the verdict, of a row or of one of its streams: they never came, or not as they were sent. Null
 * where that was not measured, such as of a sender whose frames carry no code.
 */
export function lostFramesOf(of: Figured): number | null {
  return spoiltFigures.reduce<number | null>((sum, id) => {
    const frames = numberOf(of, id);
    return sum === null || frames === null ? null : sum + frames;
  }, numberOf(of, 'framesDropped') ?? numberOf(of, 'framesMissing'));
}
