import { execFile } from 'node:child_process';
import { WhitelineError } from '../../../protocol/errors';
import { howToGet } from '../../../protocol/how-to-get';

export interface ToolResult {
  exitCode: number;
  output: string;
  errors: string;
}

const timeoutMs = 60_000;
const mostOutputBytes = 16e6;

/** A file as ffmpeg and ffprobe take it by any name: a colon makes no protocol of it, and a dash no option. */
function inputOf(path: string): string {
  return `file:${path}`;
}

/**
 * Demuxers that read one file and no other. FFmpeg has some that follow a playlist to any file of the machine (hls, concat, dash …), and takes a
 * file for one by its content, whatever its name is. Source: `ffmpeg -demuxers`.
 */
const ownFileDemuxers = [
  ...[
    'mov',
    'mp4',
    'm4a',
    '3gp',
    '3g2',
    'mj2',
    'matroska',
    'webm',
    'avi',
    'mxf',
    'mxf_opatom',
    'gxf',
    'lxf',
    'dv',
  ],
  ...[
    'mpegts',
    'mpeg',
    'mpegvideo',
    'm4v',
    'h264',
    'hevc',
    'vvc',
    'av1',
    'obu',
    'ivf',
    'vc1',
    'dirac',
    'dnxhd',
  ],
  ...[
    'asf',
    'wtv',
    'flv',
    'ogg',
    'nut',
    'rm',
    'nsv',
    'mjpeg',
    'mjpeg_2000',
    'yuv4mpegpipe',
    'gif',
    'apng',
    'swf',
  ],
  // Sound alone is no movie either, and the message says so.
  ...['wav', 'w64', 'mp3', 'aac', 'flac', 'aiff', 'caf', 'au', 'ac3', 'eac3', 'amr', 'ape', 'wv', 'tta'],
];

/** @param demuxer to read it with; null: ffmpeg chooses among those that open no other file */
export function inputArguments(path: string, demuxer: string | null): string[] {
  const chosen = demuxer === null ? ['-format_whitelist', ownFileDemuxers.join(',')] : ['-f', demuxer];
  return [...chosen, '-i', inputOf(path)];
}

/**
 * Runs ffmpeg or ffprobe.
 * @throws WhitelineError TOOL_MISSING
 */
export function runTool(file: 'ffmpeg' | 'ffprobe', toolArguments: string[]): Promise<ToolResult> {
  const options = { timeout: timeoutMs, maxBuffer: mostOutputBytes };
  return new Promise((resolve, reject) => {
    execFile(file, toolArguments, options, (error, output, errors) => {
      const code = error?.code;
      if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') {
        reject(
          new WhitelineError({
            code: 'TOOL_MISSING',
            message: `${file} is not installed; movies that are not Hap, or that are resized, are read with it`,
            remedy: `Install ffmpeg (${howToGet('ffmpeg')})`,
          }),
        );
        return;
      }
      resolve({ exitCode: error ? (typeof code === 'number' ? code : 1) : 0, output, errors });
    });
  });
}

/**
 * Whether this build of ffmpeg has all filters of these names.
 * @throws WhitelineError TOOL_MISSING
 */
export async function hasFilters(names: readonly string[]): Promise<boolean> {
  const { output } = await runTool('ffmpeg', ['-v', 'error', '-filters']);
  const words = new Set(output.split(/\s+/));
  return names.every((name) => words.has(name));
}

/** The last thing that the tool said, without the movie's own path in front. */
export function lastLine(errors: string, path: string): string {
  const line = errors.trim().split('\n').pop() ?? '';
  return line.replace(`${inputOf(path)}: `, '').trim();
}
