import { frames, pictures } from './count-words';

/** A source of ours while a mixer's programme showed it without a break. */
export interface ShownStretch {
  sourceId: number;
  /** As its sender is watched; null: it is not. */
  name: string | null;
  /** Its own frame numbers. */
  firstFrame: number;
  lastFrame: number;
  seconds: number;
  /** Numbers that came, and those between the first and the last that did not, or could not be read. */
  frames: number;
  lost: number;
  /** Pictures of a number that had come before. */
  repeated: number;
  reordered: number;
  /** Pictures that were not whole, or could not be read. */
  spoilt: number;
}

/** A change of the source that a mixer's programme shows. */
export interface Cut {
  /** When the first picture of the next source was captured. */
  at: string;
  /** Which picture of the programme that is, by the numbers in which its losses are reported. */
  programmeFrame: number;
  /** What was shown before. */
  from: ShownStretch;
  to: Pick<ShownStretch, 'sourceId' | 'name' | 'firstFrame'>;
  /** Periods of the output between the two for which no picture came. */
  missing: number;
  /** Pictures around the cut arrived too irregularly to count its periods: `missing` is an estimate. */
  isEstimate: boolean;
  /** Pictures of the source before that came again in the place of a new one. */
  repeated: number;
  /** Pictures between the two that are a mixture of both, or show neither. */
  mixed: number;
  /** Pictures between the two whose upper part is of one and whose lower part is of the other. */
  torn: number;
}

type Named = Pick<ShownStretch, 'sourceId' | 'name'>;

function sourceText({ sourceId, name }: Named): string {
  return name ?? `source ${sourceId}`;
}

/** Which sources, and which frame was the first of the next one; what was amiss at the cut, and of the one before. */
export function cutText({ from, to, missing, isEstimate, repeated, mixed, torn }: Cut): string {
  const amiss = [
    ...(isEstimate || missing > 0 ? [`${isEstimate ? '≈ ' : ''}${frames(missing)} missing`] : []),
    ...(repeated > 0 ? [`${pictures(repeated)} repeated`] : []),
    ...(mixed > 0 ? [`${pictures(mixed)} mixed or without code`] : []),
    ...(torn > 0 ? [`${pictures(torn)} torn`] : []),
  ];
  const at = amiss.length > 0 ? `; at the cut ${amiss.join(', ')}` : '';
  return `cut from ${sourceText(from)} to ${sourceText(to)}, its frame ${to.firstFrame}${at}`;
}
