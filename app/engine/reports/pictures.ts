import { extname, normalize } from 'node:path';
import type { ReportData, ReportPicture } from '../../protocol/report';
import type { Run } from '../../protocol/run';
import { readPicture } from '../sessions/recorded-picture';

const extensions: readonly string[] = ['.png', '.jpg', '.jpeg', '.webp'];

/** A page that is sent by mail holds so much of pictures; the others stay in the run folder. */
const mostBytes = 16 * 1024 * 1024;

/** Pictures that rows (`details`) and notes name and that lie in the run folder, in the order in which they are named. */
export function picturesOf(
  folder: string,
  { rows, notes = [] }: Pick<Run, 'rows' | 'notes'>,
): Pick<ReportData, 'pictures' | 'picturesLeftOut'> {
  const captions = new Map<string, string>();
  const take = (value: unknown, caption: string): void => {
    if (typeof value === 'string') {
      if (extensions.includes(extname(value).toLowerCase()) && !captions.get(value))
        captions.set(value, caption);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) take(inner, caption);
    }
  };
  for (const { details, label } of rows) take(details, label);
  for (const { file, text } of notes) take(file, text);

  const pictures: ReportPicture[] = [];
  const picturesLeftOut: ReportData['picturesLeftOut'] = [];
  let room = mostBytes;
  for (const [name, caption] of captions) {
    const picture = readPicture(folder, name, room);
    // A picture elsewhere, such as a content file that a parameter names, is none of the run's.
    if (picture === null) continue;
    if (typeof picture === 'string') {
      picturesLeftOut.push({ name, reason: picture });
      continue;
    }
    const { bytes, kind } = picture;
    room -= bytes.length;
    const dataUrl = `data:${kind.mimeType};base64,${bytes.toString('base64')}`;
    pictures.push({ name: normalize(name), caption, dataUrl });
  }
  return { pictures, picturesLeftOut };
}
