import type { Row } from './row';

/** What a frame counts in that is lost for the verdict: it never came, or not as it was sent. */
const lostFigures = [
  ...(['framesDropped', 'framesUndecodable', 'framesUndecodableUnmatched'] as const),
  ...(['framesTorn', 'framesDamaged'] as const),
] as const;

/** Frames that are lost for the verdict, of a row or of one of its streams; null as soon as one figure is. */
export function lostFramesOf(counts: Pick<Row, (typeof lostFigures)[number]>): number | null {
  return lostFigures.reduce<number | null>((sum, figure) => {
    const frames = counts[figure];
    return sum === null || frames === null ? null : sum + frames;
  }, 0);
}
