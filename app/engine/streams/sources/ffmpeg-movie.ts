import { execFile } from 'node:child_process';
import { WhitelineError } from '../../../protocol/errors';
import { type Rate, sameRate, type VideoFormat } from '../../../protocol/format';
import type { OpenSource } from '../../../protocol/host';
import type { PixelFormat } from '../../../protocol/records';
import { unreadableMovie } from './movie-file';

/** A movie that ffmpeg plays: its own size and rate. */
export interface FfmpegMovie {
  kind: 'ffmpeg';
  path: string;
  codec: string;
  format: VideoFormat;
}

const toolTimeoutMs = 20_000;

/**
 * Inspects a movie with ffprobe.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function probeMovie(path: string): Promise<FfmpegMovie> {
  const probe = await runTool('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v:0', '-of', 'json'],
    ...['-show_entries', 'stream=codec_name,width,height,r_frame_rate', '-i', path],
  ]);
  const stream = probe.exitCode === 0 ? parseProbe(probe.output) : null;
  if (!stream) throw unreadableMovie(path, lastLine(probe.errors, path) || 'it has no picture');
  return { kind: 'ffmpeg', path, ...stream };
}

/**
 * Decodes a movie's last second, so that a file that was cut short is refused here and not in the middle of a run.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function checkMovieEnd(path: string): Promise<void> {
  const end = await runTool('ffmpeg', [
    ...['-v', 'error', '-xerror', '-sseof', '-1', '-i', path],
    ...['-map', '0:v:0', '-f', 'null', '-'],
  ]);
  if (end.exitCode === 0 && end.errors.trim() === '') return;
  const why = lastLine(end.errors, path) || 'its end cannot be decoded';
  throw unreadableMovie(path, `it seems to be cut short: ${why}`);
}

/**
 * The ffmpeg command that plays a movie for ever as raw pictures, as fast as they are read. At another rate than its own
 * it keeps its speed: ffmpeg repeats frames or leaves them out.
 */
export function ffmpegSource(
  movie: FfmpegMovie,
  size: { width: number; height: number },
  rate: Rate,
  pixelFormat: PixelFormat,
): OpenSource {
  const filters = [`scale=${size.width}:${size.height}`];
  if (!sameRate(rate, movie.format.rate)) filters.unshift(`fps=${rate.numerator}/${rate.denominator}`);
  return {
    kind: 'movie',
    width: size.width,
    height: size.height,
    rateNumerator: rate.numerator,
    rateDenominator: rate.denominator,
    pixelFormat,
    command: {
      file: 'ffmpeg',
      arguments: [
        ...['-v', 'error', '-nostdin', '-stream_loop', '-1', '-i', movie.path, '-map', '0:v:0', '-an'],
        ...['-vf', filters.join(',')],
        ...['-f', 'rawvideo', '-pix_fmt', pixelFormat === 'uyvy' ? 'uyvy422' : 'bgra', '-'],
      ],
    },
  };
}

function parseProbe(output: string): { codec: string; format: VideoFormat } | null {
  interface ProbedStream {
    codec_name: string;
    width: number;
    height: number;
    r_frame_rate: string;
  }
  const stream = (JSON.parse(output) as { streams?: ProbedStream[] }).streams?.[0];
  if (!stream) return null;
  const [numerator = 0, denominator = 1] = stream.r_frame_rate.split('/').map(Number);
  const rate: Rate = { numerator, denominator };
  if (!(numerator > 0 && denominator > 0)) return null;
  return { codec: stream.codec_name, format: { width: stream.width, height: stream.height, rate } };
}

interface ToolResult {
  exitCode: number;
  output: string;
  errors: string;
}

function runTool(file: string, toolArguments: string[]): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    execFile(file, toolArguments, { timeout: toolTimeoutMs }, (error, output, errors) => {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') {
        reject(
          new WhitelineError({
            code: 'TOOL_MISSING',
            message: `${file} is not installed; movies that are not Hap, or that are resized, are read with it`,
            remedy: 'Install ffmpeg (Debian: apt-get install ffmpeg)',
          }),
        );
        return;
      }
      const code = (error as { code?: unknown } | null)?.code;
      resolve({ exitCode: error ? (typeof code === 'number' ? code : 1) : 0, output, errors });
    });
  });
}

/** The last thing that the tool said, without the movie's own path in front. */
function lastLine(errors: string, path: string): string {
  const line = errors.trim().split('\n').pop() ?? '';
  return line.replace(`${path}: `, '').trim();
}
