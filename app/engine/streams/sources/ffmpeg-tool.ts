import { execFile } from 'node:child_process';
import { WhitelineError } from '../../../protocol/errors';

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

/** @param demuxer that reads it; null: ffmpeg finds out */
export function inputArguments(path: string, demuxer: string | null): string[] {
  return [...(demuxer === null ? [] : ['-f', demuxer]), '-i', inputOf(path)];
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
            remedy: 'Install ffmpeg (Debian: apt-get install ffmpeg)',
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
