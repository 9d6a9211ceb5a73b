import { type Rate, sameRate } from '../../../protocol/format';
import type { OpenSource } from '../../../protocol/host';
import type { PixelFormat } from '../../../protocol/records';
import { inputOf, lastLine, runTool } from './ffmpeg-tool';
import { unreadableMovie } from './movie-file';
import { type Colour, type MoviePlay, playOf } from './movie-play';
import { probeMovie } from './movie-probe';
import { notPlayedText } from './play-words';

/** A movie that ffmpeg plays. */
export interface FfmpegMovie extends MoviePlay {
  kind: 'ffmpeg';
  path: string;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Finds out how ffmpeg plays a movie.
 * @param hapVariant of one that Whiteline plays itself at its own size
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function inspectByFfmpeg(path: string, hapVariant?: string): Promise<FfmpegMovie> {
  const play = playOf(await probeMovie(path));
  if (play === 'no-decoder' && hapVariant) {
    const remedy = 'Leave out scale: Whiteline plays it at its own size';
    throw unreadableMovie(path, `ffmpeg cannot decode ${hapVariant}`, remedy);
  }
  if (typeof play === 'string') throw unreadableMovie(path, ...notPlayedText(play, path));
  return { kind: 'ffmpeg', path, ...play };
}

/** The last picture may end so much before the movie does. */
const mostLackingSeconds = 0.5;
/** Decoded of its end: a transport stream is no longer decoded from a picture that stands alone. */
const endsSeconds = [1, 20] as const;

/**
 * Decodes the end of a movie, so that a file that was cut short is refused here and not in the middle of a run. What ffmpeg warns of
 * meanwhile does not matter, pictures do.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function checkMovieEnd(movie: FfmpegMovie): Promise<void> {
  const { path, startSeconds, durationSeconds } = movie;
  if (durationSeconds === null) {
    const { times, why } = await decoded(movie, '%+1');
    if (times.length === 0) throw unreadableMovie(path, `its first second cannot be decoded${why}`);
    return;
  }
  let found: Decoded = { times: [], why: '' };
  for (const endSeconds of endsSeconds) {
    if (found.times.length > 0) break;
    // To its first picture ffmpeg cannot always go back.
    const isWhole = endSeconds >= durationSeconds;
    found = await decoded(movie, isWhole ? '%' : `${startSeconds + durationSeconds - endSeconds}%`);
  }
  if (found.times.length === 0) throw unreadableMovie(path, `its end cannot be decoded${found.why}`);
  const lastSeconds = Math.max(...found.times) - startSeconds;
  if (durationSeconds - lastSeconds <= mostLackingSeconds) return;
  const [last, whole] = [lastSeconds, durationSeconds].map((seconds) => seconds.toFixed(1));
  throw unreadableMovie(path, `it seems to be cut short: its last picture is at ${last} of ${whole} s`);
}

interface Decoded {
  /** Of pictures, s. */
  times: number[];
  /** What the tool said last, behind a colon; empty: nothing. */
  why: string;
}

async function decoded({ path, streamIndex }: FfmpegMovie, interval: string): Promise<Decoded> {
  const { output, errors } = await runTool('ffprobe', [
    ...['-v', 'error', '-select_streams', `${streamIndex}`, '-read_intervals', interval],
    ...['-show_entries', 'frame=best_effort_timestamp_time', '-of', 'csv=p=0', '-i', inputOf(path)],
  ]);
  const why = lastLine(errors, path);
  return {
    times: output.split('\n').map(Number.parseFloat).filter(Number.isFinite),
    why: why && `: ${why}`,
  };
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
  const written = movie.hasAlpha ? 'bgra' : pixelFormat;
  const isResampled = movie.isUnsteady || !movie.isCounted || !sameRate(rate, movie.format.rate);
  const filters = [
    ...(isResampled ? [`fps=${rate.numerator}/${rate.denominator}`] : []),
    ...scaleFilters(movie, { width, height }, written),
    `format=${written === 'uyvy' ? 'uyvy422' : 'bgra'}`,
  ];
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
        ...['-v', 'error', '-nostdin', ...(movie.isBroadcast ? [] : ['-stream_loop', '-1'])],
        ...(movie.decoder === null ? [] : ['-c:v', movie.decoder]),
        ...(movie.isBroadcast ? ['-f', movie.container, '-i', 'pipe:0'] : ['-i', inputOf(movie.path)]),
        // Without repeats for the time in which the sound plays alone.
        ...['-map', `0:${movie.streamIndex}`, '-an', '-fps_mode', 'passthrough'],
        ...['-vf', filters.join(','), '-f', 'rawvideo', '-'],
      ],
    },
  };
}

/** Receivers take UYVY from so many lines on as BT.709, below it as BT.601; both in video levels. */
const hdLines = 720;
const exactly = 'flags=bicubic+accurate_rnd+full_chroma_int';

function scaleFilters({ colour, hasAlpha, format }: FfmpegMovie, size: Size, written: PixelFormat): string[] {
  const isResized = size.width !== format.width || size.height !== format.height;
  if (!(hasAlpha && isResized)) return [scaleFilter(colour, size, written)];
  // Colours that are not seen must not mix with those beside them.
  const resized = `scale=${size.width}:${size.height}:${exactly}`;
  const seen = ['format=gbrap', 'premultiply=inplace=1', resized, 'unpremultiply=inplace=1'];
  return [scaleFilter(colour, format, written), ...seen];
}

function scaleFilter(
  { matrix, isFullRange }: Colour,
  { width, height }: Size,
  pixelFormat: PixelFormat,
): string {
  const into = height >= hdLines ? 'bt709' : 'bt601';
  return [
    `scale=${width}:${height}`,
    ...(matrix ? [`in_color_matrix=${matrix}`, `in_range=${isFullRange ? 'full' : 'limited'}`] : []),
    ...(pixelFormat === 'uyvy' ? [`out_color_matrix=${into}`, 'out_range=limited'] : []),
    exactly,
  ].join(':');
}
