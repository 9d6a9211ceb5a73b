import { framesPerSecond } from '../../../protocol/format';
import type { MovieFacts } from '../../../protocol/records';
import type { FilteredMovie } from './movie-filters';
import type { MoviePlay, NotPlayed } from './movie-play';

type PlayedMovie = MoviePlay & Pick<FilteredMovie, 'isConverted'>;

/** What is special about how a movie is played. */
export function playTexts(movie: PlayedMovie): string[] {
  const { format, isUnsteady, turn, aspect, colour, lateSeconds, isConverted } = movie;
  const { degrees, isMirrored } = turn;
  return [
    ...(isUnsteady
      ? [`variable frame rate: sent at ${Number(framesPerSecond(format.rate).toFixed(2))} frames/s`]
      : []),
    ...(isMirrored ? ['mirrored'] : []),
    ...(degrees === 0 ? [] : [`turned ${turnText(degrees)}`]),
    ...aspectTexts(aspect),
    ...(colour.hdr
      ? [`HDR (${colour.hdr}) is ${isConverted ? 'tone-mapped to SDR' : 'sent without tone mapping'}`]
      : []),
    ...(colour.isWide ? [`BT.2020 colours are ${isConverted ? 'converted to' : 'sent as'} BT.709`] : []),
    ...(lateSeconds > 0
      ? [`its picture begins ${lateSeconds.toFixed(1)} s after its sound: played from there`]
      : []),
  ];
}

export function aspectTexts(aspect: number | null): string[] {
  return aspect === null ? [] : [`pixels are not square: shown at ${aspect.toFixed(2)}:1`];
}

function turnText(degrees: number): string {
  if (degrees === 270) return '90° anticlockwise';
  return degrees === 90 ? '90° clockwise' : `${degrees}°`;
}

/** Why, and what helps. */
export function notPlayedText(why: NotPlayed, path: string): [why: string, remedy?: string] {
  if (why === 'no-picture') return ['it has no picture'];
  if (why === 'no-decoder') return ['ffmpeg has no decoder for its pictures'];
  if (why === 'no-size')
    return ['ffmpeg cannot read the size of its pictures (an animated WebP is such a case)'];
  if (why === 'no-rate') return ['it states no frame rate', 'Set rate'];
  const wrapped = `ffmpeg -fflags +genpts -i ${JSON.stringify(path)} -c copy ${JSON.stringify(`${path}.mkv`)}`;
  return ['it is a stream without timestamps, which cannot be looped', `Wrap it: ${wrapped}`];
}

/** Why ffmpeg does not play a Hap movie that Whiteline reads, and what helps. */
export function hapNotDecodedText(
  { variant, isTurned }: Pick<MovieFacts, 'variant' | 'isTurned'>,
  path: string,
): [why: string, remedy: string] {
  const why = `ffmpeg cannot decode ${variant}`;
  if (!isTurned) return [why, 'Leave out scale: Whiteline plays it at its own size'];
  const [from, into] = [path, `${path}.mov`].map((name) => JSON.stringify(name));
  return [
    `its display matrix rotates it, which needs ffmpeg, and ${why}`,
    `Make a copy without the matrix, and play it without scale: ffmpeg -i ${from} -c copy -metadata:s:v rotate=0 ${into}`,
  ];
}
