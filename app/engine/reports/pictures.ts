import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, relative, resolve, sep } from 'node:path';
import type { ReportData, ReportPicture } from '../../protocol/report';
import type { Run } from '../../protocol/run';

const types: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

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
      if (extname(value).toLowerCase() in types && !captions.get(value)) captions.set(value, caption);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) take(inner, caption);
    }
  };
  for (const row of rows) if (row.kind === 'table') take(row.details, row.label);
  for (const { file, text } of notes) take(file, text);

  const pictures: ReportPicture[] = [];
  const picturesLeftOut: ReportData['picturesLeftOut'] = [];
  let room = mostBytes;
  for (const [name, caption] of captions) {
    const path = resolve(folder, name);
    // A picture elsewhere, such as a content file that a parameter names, is none of the run's.
    if (relative(folder, path).startsWith(`..${sep}`) || !existsSync(path)) continue;
    const { size } = statSync(path);
    if (size > room) {
      picturesLeftOut.push({ name, reason: `it is ${Math.ceil(size / 1e6)} MB large` });
      continue;
    }
    room -= size;
    const type = types[extname(name).toLowerCase()] ?? '';
    const dataUrl = `data:${type};base64,${readFileSync(path).toString('base64')}`;
    pictures.push({ name: basename(name) === name ? name : relative(folder, path), caption, dataUrl });
  }
  return { pictures, picturesLeftOut };
}
