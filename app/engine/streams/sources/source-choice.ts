import type { PlayedSource } from '../../../protocol/console';
import { badInput } from '../../../protocol/errors';
import {
  checkRate,
  formatText,
  parseFormat,
  parseRate,
  parseSize,
  type Rate,
  type VideoFormat,
} from '../../../protocol/format';
import type { OpenSource } from '../../../protocol/host';
import { parseSource, type SourceSettings } from '../../../protocol/source-spec';
import type { NativeHost } from '../../capabilities/native-host';
import { ffmpegSource } from './ffmpeg-movie';
import {
  asFfmpegMovie,
  type HapMovie,
  hapAspect,
  hapSource,
  inspectMovie,
  type Movie,
  neededDiskRateMBps,
  requireDirectReads,
} from './movie';
import { aspectTexts, playTexts } from './play-words';

/** What the sending host has to open for it. */
export interface ChosenSource {
  options: OpenSource;
  format: VideoFormat;
  /** How fast the disk has to be; null for what is not a Hap movie on disk. */
  neededDiskRateMBps: number | null;
  /** What is played, by which program, size and rate, for the run's environment. */
  environment: Record<string, unknown>;
  /** What is special about how a movie is played; empty: nothing. */
  remarks: string[];
  /** Null: it is no movie. `durationSeconds`: null if the file does not say it. */
  movie: { codec: string; durationSeconds: number | null } | null;
}

/** What is played, its size and rate, and what is special about it; null: not known yet. */
export function playedText(source: string, chosen: Pick<ChosenSource, 'format' | 'remarks'> | null): string {
  if (!chosen) return source;
  const { format, remarks } = chosen;
  return `${source} ${formatText(format)}${remarks.length > 0 ? ` (${remarks.join('; ')})` : ''}`;
}

/** What a window shows of the source. */
export function playedSource(source: string, { format, remarks, movie }: ChosenSource): PlayedSource {
  const { width, height, rate } = format;
  const framesPerSecond = rate.numerator / rate.denominator;
  return { source, remarks, movie: movie && { width, height, framesPerSecond, ...movie } };
}

/** @throws WhitelineError for a source or format that cannot be played */
export async function chooseSource(settings: SourceSettings, host: NativeHost): Promise<ChosenSource> {
  const chosen = await choosePlayer(settings, host);
  return { ...chosen, environment: { ...chosen.environment, format: formatText(chosen.format) } };
}

async function choosePlayer(settings: SourceSettings, host: NativeHost): Promise<ChosenSource> {
  const spec = parseSource(settings.source);
  if (spec.kind !== 'movie') return generatedSource(spec.kind, settings);
  const movie = await inspectMovie(spec.path, host);
  const scale = settings.scale ? parseSize(settings.scale, 'scale') : null;
  const { width, height } = movie.format;
  const isScaled = scale !== null && (scale.width !== width || scale.height !== height);
  if (movie.kind === 'hap' && !isScaled && !movie.facts.isTurned) return ownSource(movie, settings, host);
  return sourceByFfmpeg(movie, isScaled ? scale : null, settings);
}

function generatedSource(kind: 'white-line' | 'noise', settings: SourceSettings): ChosenSource {
  const { scale, rate, pixelFormat } = settings;
  if (scale) throw badInput('scale', 'no value with a generated source', scale, 'Set its size with format');
  if (rate) throw badInput('rate', 'no value with a generated source', rate, 'Set its rate with format');
  refuseHapSettings(settings, 'a generated source', 'Only a Hap movie has this setting');
  const format = parseFormat(settings.format);
  const options: OpenSource = {
    kind,
    width: format.width,
    height: format.height,
    rateNumerator: format.rate.numerator,
    rateDenominator: format.rate.denominator,
    pixelFormat,
  };
  return { options, format, neededDiskRateMBps: null, environment: { kind }, remarks: [], movie: null };
}

async function ownSource(movie: HapMovie, settings: SourceSettings, host: NativeHost): Promise<ChosenSource> {
  const { facts, format } = movie;
  const { startFrame = 0, preload = false, reads = 'cached', pixelFormat } = settings;
  if (startFrame >= facts.frames) {
    const whole = `a frame from 0 to ${facts.frames - 1}`;
    throw badInput('startFrame', whole, startFrame, `${movie.path} has ${facts.frames} frames`);
  }
  const rate = rateOf(movie, settings);
  if (reads === 'direct') {
    if (preload)
      throw badInput('reads', 'no value with preload', reads, 'A movie in memory is not read from its disk');
    await requireDirectReads(movie, host);
  }
  const playback = { rate, startFrame, preload, reads, pixelFormat };
  const held = preload ? { preload } : { preload, reads };
  const remarks = aspectTexts(hapAspect(movie));
  return {
    options: hapSource(movie, playback),
    format: { ...format, rate },
    neededDiskRateMBps: neededDiskRateMBps(movie, playback),
    environment: {
      ...{ kind: 'hap', path: movie.path, playedBy: 'Whiteline', ...facts, startFrame, ...held },
      ...(remarks.length > 0 && { remarks }),
    },
    remarks,
    movie: { codec: facts.variant, durationSeconds: facts.durationSeconds },
  };
}

async function sourceByFfmpeg(
  movie: Movie,
  scale: { width: number; height: number } | null,
  settings: SourceSettings,
): Promise<ChosenSource> {
  refuseHapSettings(settings, ...whyByFfmpeg(movie));
  const played = await asFfmpegMovie(movie, scale !== null);
  const rate = rateOf(played, settings);
  const { width, height } = scale ?? played.format;
  const remarks = playTexts(played);
  return {
    options: ffmpegSource(played, { width, height }, rate, settings.pixelFormat),
    format: { width, height, rate },
    neededDiskRateMBps: null,
    environment: {
      kind: movie.kind === 'hap' ? 'hap' : 'movie',
      path: movie.path,
      playedBy: 'ffmpeg',
      codec: played.codec,
      ownFormat: formatText(played.format),
      ...(remarks.length > 0 && { remarks }),
    },
    remarks,
    movie: { codec: played.codec, durationSeconds: played.durationSeconds },
  };
}

/** Why our own reader does not play it, and what has it do so. */
function whyByFfmpeg(movie: Movie): [what: string, remedy: string] {
  const remedy = 'Only a Hap movie at its own size has this setting';
  if (movie.kind === 'hap')
    return [`a Hap movie that ffmpeg ${movie.facts.isTurned ? 'turns' : 'resizes'}`, remedy];
  if (movie.codec !== 'hap') return [`a movie that is not Hap (${movie.codec})`, remedy];
  const [from, into] = [movie.path, `${movie.path}.mov`].map((path) => JSON.stringify(path));
  return ['Hap outside of a .mov, which ffmpeg plays', `Wrap it: ffmpeg -i ${from} -c copy ${into}`];
}

/** The rate that is asked for, or the movie's own. */
function rateOf({ path, format }: Movie, settings: SourceSettings): Rate {
  if (settings.rate) return parseRate(settings.rate);
  const received = `${path} (${formatText(format)})`;
  checkRate(format.rate, 'source', received, 'Send it at another rate: set rate, for example to 60');
  return format.rate;
}

/** Only our own reader starts at a frame, keeps a movie in memory and passes the page cache. */
function refuseHapSettings(
  { startFrame, preload, reads }: SourceSettings,
  what: string,
  remedy: string,
): void {
  if (startFrame) throw badInput('startFrame', `no value with ${what}`, startFrame, remedy);
  if (preload) throw badInput('preload', `no value with ${what}`, preload, remedy);
  if (reads === 'direct') throw badInput('reads', `cached with ${what}`, reads, remedy);
}
