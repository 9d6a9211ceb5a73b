import type { Row } from './version-1/row';

/** What a frame counts in that came, but not as it was sent, or in the place of nothing. */
const spoiltFigures = [
  'framesUndecodable',
  'framesUndecodableUnmatched',
  'framesTorn',
  'framesDamaged',
] as const;

type LostFigures = Pick<Row, 'framesDropped' | 'framesMissing' | (typeof spoiltFigures)[number]>;

/**
 * Frames that are lost for the verdict, of a row or of one of its streams: they never came, or not as they were sent. Null
 * where that was not measured, such as of a sender whose frames carry no code.
 */
export function lostFramesOf(counts: LostFigures): number | null {
  return spoiltFigures.reduce<number | null>((sum, figure) => {
    const frames = counts[figure];
    return sum === null || frames === null ? null : sum + frames;
  }, counts.framesDropped ?? counts.framesMissing);
}
