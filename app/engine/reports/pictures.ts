import { extname, normalize } from 'node:path';
import type { Run } from '../../facts/run';
import type { ReportData, ReportPicture } from '../../protocol/report';
import { readPicture } from '../sessions/recorded-picture';

const extensions: readonly string[] = ['.png', '.jpg', '.jpeg', '.webp'];

/** Limit for a page that can still be sent by mail; further pictures stay in the run folder. */
export const mostPictureBytes = 16 * 1024 * 1024;

/** Pictures that rows (`details`) and notes name and that lie in the run folder, in the order in which they are named. */
export function picturesOf(
  folder: string,
  { rows, notes = [] }: Pick<Run, 'rows' | 'notes'>,
  mostBytes = mostPictureBytes,
): Pick<ReportData, 'pictures' | 'picturesLeftOut'> {
  const named = new Map<string, Pick<ReportPicture, 'at' | 'caption'>>();
  const take = (value: unknown, at: string, caption: string): void => {
    if (typeof value === 'string') {
      if (extensions.includes(extname(value).toLowerCase()) && !named.get(value)?.caption)
        named.set(value, { at, caption });
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) take(inner, at, caption);
    }
  };
  for (const { details, from, label } of rows) take(details, from, label);
  for (const { at, file, text } of notes) take(file, at, text);

  const pictures: ReportPicture[] = [];
  const picturesLeftOut: ReportData['picturesLeftOut'] = [];
  let room = mostBytes;
  for (const [name, { at, caption }] of named) {
    const picture = readPicture(folder, name, room);
    // A picture elsewhere, such as a content file that a parameter names, is not part of the run.
    if (picture === null) continue;
    if (typeof picture === 'string') {
      picturesLeftOut.push({ name, reason: picture });
      continue;
    }
    const { bytes, kind } = picture;
    room -= bytes.length;
    const dataUrl = `data:${kind.mimeType};base64,${bytes.toString('base64')}`;
    pictures.push({ at, name: normalize(name), caption, dataUrl });
  }
  return { pictures, picturesLeftOut };
}
