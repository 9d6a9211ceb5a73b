import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

/**
 * Makes a clip of the content battery as a user would, into a folder.
 * @param {{clip: string, variant: string, chunks: number, size: string, rate?: number,
 *   seconds: number, folder: string}} wanted
 * @returns {string} the file
 */
export function makeClip({ clip, seconds, folder, ...wanted }) {
  const options = { ...wanted, 'clip-length': `${seconds}s`, 'content-folder': folder, clips: clip };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const make = spawnSync(
    process.execPath,
    [path.join(rootFolder, 'dist/app/cli.cjs'), 'content', 'make', '--json', ...flags],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (make.status !== 0) throw new Error(`${clip} could not be made: ${make.stderr.trim().slice(-500)}`);
  return JSON.parse(make.stdout.trim().split('\n').pop()).path;
}
