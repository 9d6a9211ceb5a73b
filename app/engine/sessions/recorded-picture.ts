import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { type PictureKind, pictureKindOf } from '../../protocol/picture-kinds';
import { type FileProblem, readRecorded, statRecorded } from './recorded-file';

export interface RecordedPicture {
  bytes: Buffer;
  kind: PictureKind;
}

/**
 * A picture that a run names, from its folder. Null if it names none there: a picture elsewhere, by a path or a link, is not the run's.
 * Otherwise the reason why it cannot be shown.
 */
export function readPicture(
  folder: string,
  name: string,
  mostBytes: number,
): RecordedPicture | string | null {
  const path = join(folder, name);
  if (isAbsolute(name) || !isInside(folder, dirname(path))) return null;
  const stats = statRecorded(path);
  if (!stats) return null;
  if (stats.size > mostBytes) return `it is ${Math.ceil(stats.size / 1e6)} MB large`;
  const bytes: Buffer | FileProblem = readRecorded(path, mostBytes);
  if (typeof bytes === 'string') return 'it cannot be read';
  const kind = pictureKindOf(bytes);
  if (!kind) return 'it is no PNG, JPEG or WebP picture';
  return kind.sizeOf(bytes) ? { bytes, kind } : 'its file ends too early';
}

/** Whether a folder that is there lies in the other one, or is it, by its real path. */
export function isInside(folder: string, path: string): boolean {
  try {
    const way = relative(realpathSync(folder), realpathSync(path));
    return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
  } catch {
    return false;
  }
}
