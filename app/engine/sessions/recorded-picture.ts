import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { type PictureKind, pictureKindOf } from './picture-kinds';
import { type FileProblem, readRecorded, statRecorded } from './recorded-file';

export interface RecordedPicture {
  bytes: Buffer;
  kind: PictureKind;
}

/**
 * A picture that a run names, from its folder. Null where it names none of its own: what lies elsewhere, by a path or by a
 * link, is not the run's. Otherwise the reason why it cannot be shown.
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
  return kind ? { bytes, kind } : 'it is no PNG, JPEG or WebP picture';
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
