import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeHost } from '../../engine/capabilities/native-host';
import { freeBytes } from '../../engine/content/free-space';
import { type ContentProgress, makeContent } from '../../engine/content/make';
import type { Manifest } from '../../engine/content/manifest';
import type { ContextWith, RunContext } from '../../engine/experiment/experiment';
import { writeProblem } from '../../engine/sessions/append-file';
import { toolFailed } from '../../engine/tools/tool-problem';
import { badInput, WhitelineError } from '../../protocol/errors';
import { framesPerSecond, type VideoFormat } from '../../protocol/format';
import { type BatteryClip, pairsFolder, type QualityCase, type Size, sizeText } from './cases';

/** A crop is cut ahead of its row, as raw pictures: the large movie is not decoded while its part is measured. */
const longestCropSeconds = 10;
const mostCropBytes = 2e9;
const cropTimeoutSeconds = 1800;

/**
 * Makes a clip that is not there yet.
 * @throws WhitelineError TOOL_MISSING, DISK_FULL, OUTPUT_UNWRITABLE, MOVIE_UNREADABLE, ABORTED
 */
export async function makeClip(
  { clip, settings, folder, path }: BatteryClip,
  manifest: Manifest,
  host: NativeHost,
  onProgress: (progress: ContentProgress) => void,
  timing: Pick<RunContext, 'clock' | 'signal'>,
): Promise<void> {
  if (existsSync(path)) return;
  const request = { ...settings, manifest, clips: [clip], folder, force: false };
  await makeContent(host, request, { onProgress, onResult: () => undefined }, timing);
}

/**
 * Cuts the middle out of a movie's first seconds; gives the path of a movie without loss.
 * @throws WhitelineError TOOL_MISSING, TOOL_FAILED, DISK_FULL, ABORTED
 */
export async function cutCrop(
  { source }: QualityCase,
  crop: Size,
  { rate }: VideoFormat,
  runFolder: string,
  { signal, tools }: Pick<ContextWith<'tools'>, 'signal' | 'tools'>,
): Promise<string> {
  const frameBytes = 2 * crop.width * crop.height;
  const bytesPerSecond = frameBytes * framesPerSecond(rate);
  const seconds = Math.max(0.5, Math.min(longestCropSeconds, mostCropBytes / bytesPerSecond));
  await requireSpace(pairsFolder(runFolder), seconds * bytesPerSecond, `The part of ${sizeText(crop)}`);
  const path = join(pairsFolder(runFolder), 'crop.mov');
  rmSync(path, { force: true });
  const { exitCode, endSignal, stderr } = await tools.run({
    file: 'ffmpeg',
    args: [
      ...['-v', 'error', '-nostdin', '-t', String(seconds), '-i', source, '-map', '0:v:0', '-an'],
      ...['-vf', `crop=${crop.width}:${crop.height}`, '-c:v', 'rawvideo', '-pix_fmt', 'uyvy422'],
      ...['-f', 'mov', '-y', `file:${path}`],
    ],
    signal,
    timeoutSeconds: cropTimeoutSeconds,
  });
  if (exitCode === 0) return path;
  if (/no space left|quota exceeded/i.test(stderr)) throw writeProblem({ code: 'ENOSPC' }, path);
  const said = stderr.trim().split('\n').pop() || `it ended with ${endSignal ?? `exit code ${exitCode}`}`;
  throw toolFailed('ffmpeg', `it could not cut ${sizeText(crop)} out of ${source}: ${said}`);
}

/**
 * For raw pictures, and gone with them; so never one that is there.
 * @throws WhitelineError BAD_INPUT if the name is taken; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function makePairsFolder(runFolder: string): void {
  const path = pairsFolder(runFolder);
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw badInput('out', `a folder without ${path} in it`, runFolder, 'Choose another folder');
    throw writeProblem(error, path);
  }
}

export function removePairsFolder(runFolder: string): void {
  rmSync(pairsFolder(runFolder), { recursive: true, force: true });
}

/** @throws WhitelineError DISK_FULL */
export async function requireSpace(folder: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free === null || bytes <= free) return;
  const gigabytes = (count: number): string => `${(count / 1e9).toFixed(1)} GB`;
  throw new WhitelineError({
    code: 'DISK_FULL',
    message: `${what} takes ${gigabytes(bytes)} for a while, but ${folder} has ${gigabytes(free)} free`,
    field: 'out',
    value: folder,
    remedy: 'Free some space, choose another folder for the run, or compare fewer frames',
  });
}
