import { badInput, toProblem, WhitelineError } from '../../../protocol/errors';
import {
  checkSize,
  formatText,
  framesPerSecond,
  type Rate,
  type VideoFormat,
} from '../../../protocol/format';
import type { OpenSource } from '../../../protocol/host';
import type { MovieCheckStatus, MovieFacts, PixelFormat, Reads } from '../../../protocol/records';
import type { NativeHost } from '../../capabilities/native-host';
import type { OnProgress } from '../host-connection';
import { checkMovieEnd, type FfmpegMovie, inspectByFfmpeg } from './ffmpeg-movie';
import { requireMovieFile } from './movie-file';

/** A Hap movie, which the stream host reads and decodes itself. */
export interface HapMovie {
  kind: 'hap';
  path: string;
  facts: MovieFacts;
  format: VideoFormat;
}

export type Movie = HapMovie | FfmpegMovie;

export interface MovieCheckOptions {
  /** Decodes every frame. */
  decode: boolean;
  reads?: Reads;
  onProgress?: OnProgress;
  /** Ends the check; its status is then 'running', as it stood. */
  signal?: AbortSignal;
}

/**
 * Lets a stream host inspect a movie as Hap. A movie of another codec has MOVIE_NOT_HAP as its problem.
 * @throws WhitelineError NOT_FOUND, MOVIE_UNREADABLE (its bytes contradict themselves), BAD_INPUT (it cannot be read as `reads` asks)
 */
export async function checkMovie(
  host: NativeHost,
  path: string,
  { decode, reads, onProgress, signal }: MovieCheckOptions,
): Promise<MovieCheckStatus> {
  const reply = await host.request({ name: 'checkMovie', path, decode, reads }, onProgress, signal);
  return reply as MovieCheckStatus;
}

/**
 * What a movie is: Hap by its own index, anything else as ffprobe reports it.
 * @throws WhitelineError NOT_FOUND, MOVIE_UNREADABLE, TOOL_MISSING, BAD_INPUT
 */
export async function inspectMovie(path: string, host: NativeHost, field = 'source'): Promise<Movie> {
  requireMovieFile(path, field);
  const hap = await inspectHap(path, host, field);
  if ('kind' in hap) return hap;
  const { problem } = hap;
  try {
    const movie = await inspectByFfmpeg(path);
    // What ffprobe still takes for Hap is damaged, and our own word says where.
    if (problem && movie.codec === 'hap') throw problem;
    return movie;
  } catch (error) {
    throw problem ?? error;
  }
}

/** Not Hap; it has a problem if it is a movie file that contradicts itself, or one that our reader does not know. */
interface NotHap {
  problem: WhitelineError | null;
}

async function inspectHap(path: string, host: NativeHost, field: string): Promise<HapMovie | NotHap> {
  try {
    const status = await checkMovie(host, path, { decode: false });
    if (!status.facts) return { problem: null };
    const facts = { ...status.facts, problems: [...status.facts.problems, ...damageTexts(status)] };
    const { width, height, rateNumerator, rateDenominator } = facts;
    const rate: Rate = { numerator: rateNumerator, denominator: rateDenominator };
    return { kind: 'hap', path, facts, format: { width, height, rate } };
  } catch (error) {
    const problem = toProblem(error);
    const named = new WhitelineError({ ...problem, field, value: path });
    if (problem.code === 'MOVIE_UNREADABLE') return { problem: named };
    throw problem.code === 'NOT_FOUND' ? named : error;
  }
}

const mostDamageTold = 16;

/** What an inspection found, which reads little of most frames. */
function damageTexts({ damage, damagedFrames }: MovieCheckStatus): string[] {
  const texts = damage.slice(0, mostDamageTold).map(({ message }) => message);
  const more = damagedFrames - texts.length;
  return more > 0 ? [...texts, `… and ${more} more damaged frames`] : texts;
}

/**
 * Finds out whether the movie's file system has reads past the page cache.
 * @throws WhitelineError BAD_INPUT if it has none: a verdict on a disk must not be one on memory
 */
export async function requireDirectReads({ path }: HapMovie, host: NativeHost): Promise<void> {
  try {
    await checkMovie(host, path, { decode: false, reads: 'direct' });
  } catch (error) {
    const { code, message, remedy } = toProblem(error);
    if (code !== 'BAD_INPUT') throw error;
    throw badInput('reads', `cached (${message})`, 'direct', remedy);
  }
}

/** Width to height as it is shown; null: its pixels are square. */
export function hapAspect({ facts: { width, height, pixelAspect } }: HapMovie): number | null {
  return pixelAspect === 1 ? null : (pixelAspect * width) / height;
}

export interface HapPlayback {
  rate: Rate;
  startFrame: number;
  preload: boolean;
  reads: Reads;
  pixelFormat: PixelFormat;
}

/** @throws WhitelineError BAD_INPUT: its size cannot carry the frame code */
export function hapSource(movie: HapMovie, playback: HapPlayback): OpenSource {
  const { path, format } = movie;
  const { rate, startFrame, preload, reads, pixelFormat } = playback;
  const remedy = `Resize it with scale, or check it with whiteline content inspect ${path}`;
  checkSize(format.width, format.height, 'source', `${path} (${formatText(format)})`, remedy);
  const aspect = hapAspect(movie);
  return {
    kind: 'hap',
    width: format.width,
    height: format.height,
    rateNumerator: rate.numerator,
    rateDenominator: rate.denominator,
    ...(aspect !== null && { aspect }),
    pixelFormat,
    hap: { path, startFrame, preload, reads },
  };
}

/** How fast the disk has to be for a Hap movie, MB/s; frames that another rate leaves out are not read. */
export function neededDiskRateMBps(
  { facts, format }: HapMovie,
  { rate, preload }: Pick<HapPlayback, 'rate' | 'preload'>,
): number | null {
  if (preload) return null;
  const shownShare = Math.min(1, framesPerSecond(rate) / framesPerSecond(format.rate));
  return (facts.bitrateMbps / 8) * shownShare;
}

/**
 * The movie as ffmpeg plays it, be it Hap or not.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING, BAD_INPUT (its own size cannot carry the frame code)
 */
export async function asFfmpegMovie(movie: Movie, isScaled: boolean): Promise<FfmpegMovie> {
  const { path, format } = movie;
  const remedy = 'Resize it with scale, for example 1280x720';
  if (!isScaled) checkSize(format.width, format.height, 'source', `${path} (${formatText(format)})`, remedy);
  const played = movie.kind === 'ffmpeg' ? movie : await inspectByFfmpeg(path, movie.facts);
  await checkMovieEnd(played);
  return played;
}
