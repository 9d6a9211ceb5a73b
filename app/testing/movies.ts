import { execFileSync } from 'node:child_process';

/** Makes a movie of the test picture with ffmpeg. */
export function makeMovie(
  path: string,
  options: { size?: string; codec?: string[]; faststart?: boolean } = {},
) {
  const { size = '640x360', codec = ['-c:v', 'hap'], faststart = false } = options;
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=2`];
  const flags = faststart ? ['-movflags', '+faststart'] : [];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, ...codec, ...flags, path]);
}
