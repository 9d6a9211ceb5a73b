import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Runs the bare C++ loop over the SDK, the peer of our pipeline. Its senders send in step, as those of one source do: what
 * they wait for is each other, which a loop whose senders are apart by chance does not show.
 * @returns {{framesSent: number, framesReceived: number, cpuPercentOfCorePerStream: number,
 *   latencyMs: {p50: number, p99: number}}}
 */
export function runBareLoop(executable, { library, streams, format, seconds }) {
  if (!existsSync(executable)) throw new Error('ndi_bare_loop was not built');
  const options = {
    '--library': library,
    '--streams': streams,
    '--format': format,
    '--seconds': seconds,
    '--in-step': 1,
  };
  const loop = spawnSync(executable, Object.entries(options).flat().map(String), { encoding: 'utf8' });
  if (loop.status === 0) return JSON.parse(loop.stdout);
  throw new Error(`ndi_bare_loop ended with status ${loop.status}: ${loop.stderr.trim()}`);
}
