import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Makes a movie of the test picture with ffmpeg. */
export function makeMovie(
  path: string,
  options: { size?: string; codec?: string[]; faststart?: boolean; sound?: boolean } = {},
) {
  const { size = '640x360', codec = ['-c:v', 'hap'], faststart = false, sound = false } = options;
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=2`];
  const input = [...picture, ...(sound ? ['-f', 'lavfi', '-i', 'sine=r=48000:d=2'] : [])];
  const flags = faststart ? ['-movflags', '+faststart'] : [];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, ...codec, ...flags, path]);
}

/** Spoils frames of a Hap movie: the type of their first section is none that there is. Gives the byte of each frame. */
export function damageFrames(path: string, frames: number[]): number[] {
  const probe = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'packet=pos',
    '-of',
    'csv=p=0',
    path,
  ];
  const positions = execFileSync('ffprobe', probe, { encoding: 'latin1' }).trim().split('\n').map(parseFloat);
  const movie = readFileSync(path);
  const bytes = frames.map((frame) => {
    const byte = positions[frame];
    if (byte === undefined || Number.isNaN(byte)) throw new Error(`${path} has no frame ${frame}`);
    movie[byte + 3] = 0;
    return byte;
  });
  writeFileSync(path, movie);
  return bytes;
}
