import { type Rate, sameRate } from '../../../protocol/format';
import type { OpenSource } from '../../../protocol/host';
import type { MovieFacts, PixelFormat } from '../../../protocol/records';
import { hasFilters, inputArguments, lastLine, runTool } from './ffmpeg-tool';
import { isBeyondSdr } from './movie-colour';
import { unreadableMovie } from './movie-file';
import { type FilteredMovie, movieFilters, namesOfConversion, type Size } from './movie-filters';
import { type MoviePlay, playOf } from './movie-play';
import { probeMovie } from './movie-probe';
import { pictureFileOf } from './picture-file';
import { hapNotDecodedText, notPlayedText } from './play-words';

/** A movie that ffmpeg plays. */
export interface FfmpegMovie extends MoviePlay, FilteredMovie {
  kind: 'ffmpeg';
  path: string;
  /** Null: ffmpeg finds out how it is read. */
  demuxer: string | null;
}

/**
 * Finds out how ffmpeg plays a movie.
 * @param hap of one that Whiteline plays itself at its own size, unless it is turned
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function inspectByFfmpeg(path: string, hap?: MovieFacts): Promise<FfmpegMovie> {
  const picture = pictureFileOf(path);
  const play = playOf(await probeMovie(path, picture));
  if (play === 'no-decoder' && hap) throw unreadableMovie(path, ...hapNotDecodedText(hap, path));
  if (typeof play === 'string') throw unreadableMovie(path, ...notPlayedText(play, path));
  const isConverted = isBeyondSdr(play.colour) && (await hasFilters(namesOfConversion));
  const read = { demuxer: picture?.demuxer ?? null, isStill: picture?.isStill ?? false };
  return { kind: 'ffmpeg', path, ...read, ...play, isConverted };
}

/** The last decoded picture may end this much before the movie does. */
const mostLackingSeconds = 0.5;
/** Decoded of its end: a transport stream is no longer decoded from a picture that stands alone. */
const decodedEndsSeconds = [1, 20] as const;

/**
 * Decodes the end of a movie, so that a file that was cut short is refused here and not in the middle of a run. What ffmpeg warns of
 * meanwhile does not matter, pictures do.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function checkMovieEnd(movie: FfmpegMovie): Promise<void> {
  const { path, startSeconds, durationSeconds } = movie;
  if (durationSeconds === null) {
    const { endsSeconds, why } = await decoded(movie, '%+1');
    if (endsSeconds.length === 0) throw unreadableMovie(path, `its first second cannot be decoded${why}`);
    return;
  }
  let found: Decoded = { endsSeconds: [], why: '' };
  for (const endSeconds of decodedEndsSeconds) {
    if (found.endsSeconds.length > 0) break;
    // To its first picture ffmpeg cannot always go back.
    const isWhole = endSeconds >= durationSeconds;
    found = await decoded(movie, isWhole ? '%' : `${startSeconds + durationSeconds - endSeconds}%`);
  }
  if (found.endsSeconds.length === 0) throw unreadableMovie(path, `its end cannot be decoded${found.why}`);
  const lastSeconds = Math.max(...found.endsSeconds) - startSeconds;
  if (durationSeconds - lastSeconds <= mostLackingSeconds) return;
  const [last, whole] = [lastSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  throw unreadableMovie(path, `it seems to be cut short: its last picture ends at ${last} of ${whole} s`);
}

interface Decoded {
  /** End of each picture; a screen recording may end in one that is shown for long. */
  endsSeconds: number[];
  /** What the tool said last, after a colon; empty: nothing. */
  why: string;
}

async function decoded({ path, demuxer, streamIndex }: FfmpegMovie, interval: string): Promise<Decoded> {
  const { output, errors } = await runTool('ffprobe', [
    ...['-v', 'error', '-select_streams', `${streamIndex}`, '-read_intervals', interval],
    // By the names of older and newer versions.
    ...['-show_entries', 'frame=best_effort_timestamp_time,pkt_duration_time,duration_time'],
    ...['-of', 'csv=p=0', ...inputArguments(path, demuxer)],
  ]);
  const why = lastLine(errors, path);
  return {
    endsSeconds: output.split('\n').map(endSecondsOf).filter(Number.isFinite),
    why: why && `: ${why}`,
  };
}

/** "9.100000,1.000000"; NaN: no picture with a time. */
function endSecondsOf(line: string): number {
  const [time = Number.NaN, duration = 0] = line.split(',').map(Number.parseFloat);
  return time + (Number.isFinite(duration) ? duration : 0);
}

/**
 * The ffmpeg command that loops a movie and writes raw pictures as fast as they are read. Where the rate is not the movie's own, or its
 * frame times are unsteady or may become so, ffmpeg repeats frames or leaves them out, so that the movie keeps its speed.
 */
export function ffmpegSource(
  movie: FfmpegMovie,
  { width, height }: Size,
  rate: Rate,
  pixelFormat: PixelFormat,
): OpenSource {
  const isResampled =
    !movie.isStill && (movie.isUnsteady || !movie.isCounted || !sameRate(rate, movie.format.rate));
  const filters = movieFilters(movie, { width, height }, pixelFormat, isResampled ? rate : null);
  return {
    kind: 'movie',
    width,
    height,
    rateNumerator: rate.numerator,
    rateDenominator: rate.denominator,
    ...(movie.aspect !== null && { aspect: movie.aspect }),
    pixelFormat,
    command: {
      file: 'ffmpeg',
      ...(movie.hasAlpha && { hasAlpha: true }),
      // ffmpeg goes back to its second picture, by the times of decoding, and lacks the first.
      ...(movie.isBroadcast && { repeatedInput: movie.path }),
      arguments: [
        ...['-v', 'error', '-nostdin', ...(movie.isBroadcast || movie.isStill ? [] : ['-stream_loop', '-1'])],
        // Without times ffmpeg would not know how long a loop lasts.
        ...(movie.lacksTimes ? ['-fflags', '+genpts'] : []),
        ...(movie.decoder === null ? [] : ['-c:v', movie.decoder]),
        ...(movie.isBroadcast
          ? ['-copyts', '-f', movie.container, '-i', 'pipe:0']
          : inputArguments(movie.path, movie.demuxer)),
        // Without repeats for the time in which the sound plays alone.
        ...['-map', `0:${movie.streamIndex}`, '-an', '-fps_mode', 'passthrough'],
        ...['-vf', filters.join(','), '-f', 'rawvideo', '-'],
      ],
    },
  };
}
