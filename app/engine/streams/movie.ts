import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { badInput, WhitelineError } from '../../protocol/errors';
import { checkSize, formatText, type Rate, type VideoFormat } from '../../protocol/format';
import type { OpenSource } from '../../protocol/host';
import type { PixelFormat } from '../../protocol/records';

/** A movie that can be played: its own size and rate. */
export interface Movie {
  path: string;
  codec: string;
  format: VideoFormat;
}

const toolTimeoutMs = 20_000;

/**
 * Looks at a movie with ffprobe and decodes its last second, so that a file that was cut short is refused here and not
 * in the middle of a run.
 * @throws WhitelineError NOT_FOUND, MOVIE_UNREADABLE, TOOL_MISSING, BAD_INPUT (its size cannot carry the frame code)
 */
export async function inspectMovie(path: string): Promise<Movie> {
  const size = fileSize(path);
  if (size === 0) throw unreadable(path, 'the file is empty');
  const probe = await runTool('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v:0', '-of', 'json'],
    ...['-show_entries', 'stream=codec_name,width,height,r_frame_rate', '-i', path],
  ]);
  const stream = probe.exitCode === 0 ? parseProbe(probe.output) : null;
  if (!stream) throw unreadable(path, lastLine(probe.errors, path) || 'it has no picture');
  checkSize(stream.format.width, stream.format.height, 'source', `${path} (${formatText(stream.format)})`);
  const end = await runTool('ffmpeg', [
    ...['-v', 'error', '-xerror', '-sseof', '-1', '-i', path],
    ...['-map', '0:v:0', '-f', 'null', '-'],
  ]);
  if (end.exitCode !== 0 || end.errors.trim() !== '') {
    throw unreadable(
      path,
      `it seems to be cut short: ${lastLine(end.errors, path) || 'its end cannot be decoded'}`,
    );
  }
  return { path, ...stream };
}

/** The ffmpeg command that plays a movie for ever as raw pictures, at the movie's own rate or as fast as it is read. */
export function movieSource(
  movie: Movie,
  size: { width: number; height: number },
  pixelFormat: PixelFormat,
): OpenSource {
  const { rate } = movie.format;
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
        ...['-vf', `scale=${size.width}:${size.height}`],
        ...['-f', 'rawvideo', '-pix_fmt', pixelFormat === 'uyvy' ? 'uyvy422' : 'bgra', '-'],
      ],
    },
  };
}

function fileSize(path: string): number {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The movie ${path} does not exist or cannot be read`,
      field: 'source',
      value: path,
      remedy: 'Give the path of a movie, or white-line or noise',
    });
  }
  if (!stats.isFile()) throw badInput('source', 'the path of a movie file', path, 'Give the movie itself');
  return stats.size;
}

function unreadable(path: string, why: string): WhitelineError {
  return new WhitelineError({
    code: 'MOVIE_UNREADABLE',
    message: `${path} cannot be played: ${why}`,
    field: 'source',
    value: path,
    remedy: 'Choose a complete movie with a picture in it, for example a Hap .mov',
  });
}

function parseProbe(output: string): Omit<Movie, 'path'> | null {
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
            message: `${file} is not installed; movies are read with it`,
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
