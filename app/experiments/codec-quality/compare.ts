import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeHost } from '../../engine/capabilities/native-host';
import type { RunContext } from '../../engine/experiment/experiment';
import { writeProblem } from '../../engine/sessions/append-file';
import { putInPlace, writeNewFile } from '../../engine/sessions/new-file';
import { makePicturesFolder, picturesFolder } from '../../engine/sessions/notes';
import type { KeptPairs } from '../../engine/streams/picture-pairs';
import { checkMovie } from '../../engine/streams/sources/movie';
import { WhitelineError } from '../../protocol/errors';
import type { VideoFormat } from '../../protocol/format';
import type { ComparedPicture, QualityCheckOptions, QualityCheckStatus } from '../../protocol/records';
import { type BatteryClip, clipFrames } from './cases';
import { frameTable, worstOf } from './figures';

const program = 'ffmpeg';

/** Compares what both ends kept, and leaves the figures of each frame and pictures of the worst in the run's folder. */
export async function comparePairs(
  context: RunContext,
  host: NativeHost,
  kept: KeptPairs,
  format: VideoFormat,
  row: { index: number; label: string },
): Promise<ComparedPicture[]> {
  const { width, height, rate } = format;
  const { numerator: rateNumerator, denominator: rateDenominator } = rate;
  const made = picturePaths(kept.folder);
  const status = await compare(context, host, {
    program,
    sideBySidePath: made.sideBySide,
    differencePath: made.difference,
    pairs: { folder: kept.folder, width, height, rateNumerator, rateDenominator, frames: kept.frames },
  });
  const files = placePictures(context.folder, row.index, made);
  reportPictures(context, files, row.label, status);
  writeNewFile(join(context.folder, `quality-${row.index}.csv`), frameTable(status.compared), 'keep');
  return status.compared;
}

interface HapLoss {
  compared: ComparedPicture[];
  bitrateMbps: number | null;
}

/** What Hap Q lost of a clip, and what its movie needs. */
export async function compareClip(
  context: RunContext,
  host: NativeHost,
  battery: BatteryClip,
  wanted: number,
): Promise<HapLoss> {
  const { path, clip } = battery;
  const frames = clipFrames(battery, wanted);
  const { facts } = await checkMovie(host, path, { decode: false, signal: context.signal });
  const options = { program, clip: { path, generator: clip.generator, frames } };
  const { compared } = await compare(context, host, options);
  return { compared, bitrateMbps: facts?.bitrateMbps ?? null };
}

/** @throws WhitelineError ABORTED; for pictures that cannot be read or compared */
async function compare(
  { signal }: RunContext,
  host: NativeHost,
  options: QualityCheckOptions,
): Promise<QualityCheckStatus> {
  const reply = await host.request({ name: 'compareQuality', options }, undefined, signal);
  const status = reply as QualityCheckStatus;
  if (status.state === 'running')
    throw new WhitelineError({ code: 'ABORTED', message: 'Stopped while pictures were compared' });
  if (status.state === 'done') return status;
  const message = `The pictures could not be compared: ${status.problem?.message ?? ''}`;
  throw new WhitelineError({ code: 'NOT_FOUND', message });
}

interface PictureFiles {
  sideBySide: string;
  difference: string;
}

/** Where they are made: ffmpeg would follow a link in their last place, and write over what is there. */
function picturePaths(folder: string): PictureFiles {
  return { sideBySide: join(folder, 'sent-received.png'), difference: join(folder, 'difference.png') };
}

/**
 * Gives the pictures that were made their names within the run's folder, which it returns.
 * @throws WhitelineError BAD_INPUT for a name that is taken; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function placePictures(runFolder: string, rowIndex: number, made: PictureFiles): PictureFiles {
  makePicturesFolder(runFolder);
  const place = (from: string, what: string): string => {
    const file = join(picturesFolder, `quality-${rowIndex}-${what}.png`);
    if (existsSync(from)) putInto(from, join(runFolder, file));
    return file;
  };
  return {
    sideBySide: place(made.sideBySide, 'sent-received'),
    difference: place(made.difference, 'difference'),
  };
}

function putInto(from: string, path: string): void {
  try {
    putInPlace(from, path, 'keep');
  } catch (error) {
    throw error instanceof WhitelineError ? error : writeProblem(error, path);
  }
}

function reportPictures(
  { folder, noteEvent }: RunContext,
  { sideBySide, difference }: PictureFiles,
  label: string,
  { compared, pictureProblem }: QualityCheckStatus,
): void {
  if (pictureProblem) {
    noteEvent('problem', `${label}: no pictures of the worst frame: ${pictureProblem}`);
    return;
  }
  const frame = worstOf(compared)?.frame;
  const captions = [
    [sideBySide, `${label}, frame ${frame}, which lost most: left as sent, right as received`],
    [difference, `${label}, frame ${frame}: where luma differs, 8 times enlarged; blue: not compared`],
  ] as const;
  for (const [file, text] of captions) {
    const path = join(folder, file);
    if (existsSync(path)) noteEvent('picture', text, { file, bytes: statSync(path).size });
  }
}
