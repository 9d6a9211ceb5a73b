import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

const ndiFolder = path.join(rootFolder, 'node_modules/@grandi/linux-x64');

/**
 * Sends a Hap movie over real NDI and compares what arrives with what was sent, in a network namespace of its own: what
 * the kernel counts on its loopback interface is then this stream and nothing else.
 * @returns {{runtime: string, framesSent: number, framesReceived: number, lateSlots: number, bitrateMbps: number,
 *   meanPsnrDb: number | 'exact', worstPsnrDb: number | 'exact', worstFrame: number}}
 */
export function runNdiQuality(executable, { movie, frames, picture }) {
  if (!existsSync(executable)) throw new Error('ndi_quality was not built');
  const flags = ['--library', process.env.WHITELINE_NDI_PATH || ndiFolder, '--movie', movie];
  if (frames) flags.push('--frames', String(frames));
  if (picture) flags.push('--picture', picture);
  // A user who is not root may have such a namespace inside a user namespace, where the system allows it.
  const namespace = process.getuid() === 0 ? ['--net'] : ['--map-root-user', '--net'];
  const script = 'ip link set lo up && exec "$0" "$@"';
  const run = spawnSync('unshare', [...namespace, 'sh', '-c', script, executable, ...flags], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (run.status === 0) return JSON.parse(run.stdout);
  const why = run.error?.message ?? `${run.stderr}`.trim();
  throw new Error(`ndi_quality ended with status ${run.status}: ${why}`);
}
