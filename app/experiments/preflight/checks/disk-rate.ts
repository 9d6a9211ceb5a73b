import { realpathSync } from 'node:fs';
import { liesInMemory, mountOf, readMounts } from '../../../engine/machine/mounts';
import { inspectMovie, neededDiskRateMBps } from '../../../engine/streams/sources/movie';
import { findTool, type RunTool } from '../../../engine/tools/run-tool';
import { WhitelineError } from '../../../protocol/errors';
import { framesPerSecond } from '../../../protocol/format';
import { type Check, type CheckContext, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown, warning } from '../line';

export interface DiskFacts {
  movie: string;
  neededMBps: number;
  measuredMBps: number;
  bytes: number;
  /** Past the system's memory; false: what was read may have been there already. */
  isDirect: boolean;
}

/** A disk that is read by others too, or that is slower at its end, still has to be quick enough. */
const reserve = 1.5;
/** Of the movie's beginning: a second or less on any disk that is worth a try. */
const mostBlocks = 256;
/** Longer than reading them may take on a disk that is of any use. */
const patienceSeconds = 15;

export function judgeDisk(facts: DiskFacts): Line {
  const { movie, neededMBps, measuredMBps, isDirect } = facts;
  const details = { ...facts };
  const data = { movie, measuredMBps, neededMBps };
  if (measuredMBps < neededMBps) return problem(foundOf('disk-too-slow', data), details);
  if (!isDirect) return unknown(foundOf('disk-from-memory', data), details);
  if (measuredMBps < neededMBps * reserve) return warning(foundOf('disk-just-enough', data), details);
  const sources = Math.floor(measuredMBps / neededMBps);
  return ok(foundOf('disk-fast-enough', { ...data, sources }), details);
}

/**
 * Of dd's last line: "123 bytes (…) copied, 0.5 s, 246 MB/s".
 * @throws WhitelineError TOOL_FAILED for anything else
 */
export function parseDd(errors: string): { bytes: number; seconds: number } {
  const [, bytes, seconds] = /^(\d+) bytes .*copied, ([\d.e+-]+) s,/m.exec(errors) ?? [];
  if (bytes !== undefined && Number(seconds) > 0) return { bytes: Number(bytes), seconds: Number(seconds) };
  const said = JSON.stringify(errors.trim().slice(-120));
  throw new WhitelineError({ code: 'TOOL_FAILED', message: `dd said ${said}` });
}

async function readBeginning(
  { runTool, signal }: CheckContext,
  movie: string,
): Promise<Pick<DiskFacts, 'bytes' | 'measuredMBps' | 'isDirect'>> {
  if (!findTool('dd')) throw new NotFoundOut(foundOf('tool-not-installed', { tool: 'dd' }));
  const read = (...flags: string[]): ReturnType<RunTool> =>
    runTool({
      file: 'dd',
      args: [`if=${movie}`, 'of=/dev/null', 'bs=1M', `count=${mostBlocks}`, ...flags],
      signal,
      timeoutSeconds: patienceSeconds,
    });
  const direct = await read('iflag=direct');
  const took = direct.exitCode === 0;
  const { stderr } = took ? direct : await read();
  const { bytes, seconds } = parseDd(stderr);
  return {
    bytes,
    measuredMBps: bytes / 1e6 / seconds,
    isDirect: took && !liesInMemory(mountOf(realpathSync(movie), readMounts())),
  };
}

export const diskRate: Check = {
  id: 'disk-rate',
  async run(context) {
    const { movie: path } = context.parameters;
    if (path === undefined) throw new NotFoundOut(foundOf('movie-not-named'));
    const movie = await inspectMovie(path, context.host, 'movie');
    if (movie.kind !== 'hap')
      throw new NotFoundOut(foundOf('movie-not-hap', { movie: path, codec: movie.codec }));
    const { rate } = movie.format;
    const neededMBps = neededDiskRateMBps(movie, { rate, preload: false });
    if (neededMBps === null || framesPerSecond(rate) <= 0)
      throw new NotFoundOut(foundOf('movie-rate-not-reported', { movie: path }));
    return judgeDisk({ movie: path, neededMBps, ...(await readBeginning(context, path)) });
  },
};
