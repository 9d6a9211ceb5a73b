import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { badInput } from '../../protocol/errors';
import type { RunEvent } from '../../protocol/run';
import { AppendFile, writeProblem } from './append-file';
import { makeFolder } from './make-folder';
import { isBeingWritten, readRun, runFiles } from './read-run';
import { replaceFile } from './replace-file';

const longestText = 10_000;
const largestPictureBytes = 50e6;
export const picturesFolder = 'pictures';

/** What may be attached, by what a file of it begins with, so that a report can show it. */
const pictureKinds: { extension: string; isKind(head: Buffer): boolean }[] = [
  {
    extension: '.png',
    isKind: (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  },
  { extension: '.jpg', isKind: (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  {
    extension: '.webp',
    isKind: (head) =>
      head.subarray(0, 4).toString('latin1') === 'RIFF' && head.subarray(8, 12).toString('latin1') === 'WEBP',
  },
];

/** What somebody says of a run: the kinds of event that may come after its end. */
export interface Remark {
  /** switch: model and settings of the switch, where it does not tell them itself; renamed: another title. */
  kind: 'note' | 'marker' | 'renamed' | 'switch';
  text: string;
}

/** @throws WhitelineError BAD_INPUT for an empty or endless text */
export function remarkEvent({ kind, text }: Remark, at = new Date()): RunEvent {
  return { at: at.toISOString(), kind, text: checkedText(text, kind === 'renamed' ? 200 : longestText) };
}

/**
 * Copies a picture into a run's folder, never over another one.
 * @throws WhitelineError BAD_INPUT for what is no picture or too large; NOT_FOUND; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function pictureEvent(folder: string, path: string, text: string, at = new Date()): RunEvent {
  const bytes = pictureBytes(path);
  const { extension } = pictureKind(path);
  const caption = text === '' ? basename(path) : checkedText(text, longestText);
  const name =
    basename(path, extname(path))
      .replace(/[^\w.-]+/g, '-')
      .slice(0, 60) || 'picture';
  let file = join(picturesFolder, `${name}${extension}`);
  for (let number = 2; existsSync(join(folder, file)); number++)
    file = join(picturesFolder, `${name}-${number}${extension}`);
  try {
    makeFolder(join(folder, picturesFolder));
    copyFileSync(path, join(folder, file), constants.COPYFILE_EXCL);
  } catch (error) {
    throw writeProblem(error, join(folder, file));
  }
  return { at: at.toISOString(), kind: 'picture', text: caption, details: { file, bytes } };
}

/**
 * Adds events to a run that this process does not record, and derives its run.json anew; of one that another process
 * records at this moment, that process does.
 * @throws WhitelineError NOT_FOUND where the folder holds no run; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function annotateRun(folder: string, events: readonly RunEvent[]): void {
  readRun(folder);
  const path = join(folder, runFiles.events);
  let file: AppendFile;
  try {
    file = new AppendFile(path);
  } catch (error) {
    throw writeProblem(error, path);
  }
  try {
    for (const event of events) file.append(event);
  } finally {
    file.close();
  }
  const run = readRun(folder);
  if (run.state === 'interrupted' && isBeingWritten(folder)) return;
  replaceFile(join(folder, runFiles.run), run);
}

function checkedText(text: string, longest: number): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > longest) {
    const received = trimmed === '' ? '' : `${trimmed.length} characters`;
    throw badInput('text', `a text of 1 to ${longest} characters`, received);
  }
  return trimmed;
}

function pictureBytes(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false });
  if (!size?.isFile()) throw badInput('picture', 'a file', path, 'Give the path of a picture');
  if (size.size <= largestPictureBytes) return size.size;
  throw badInput(
    'picture',
    `a file of at most ${largestPictureBytes / 1e6} MB`,
    `${path} (${Math.round(size.size / 1e6)} MB)`,
    'Make it smaller: it becomes part of the report',
  );
}

function pictureKind(path: string): (typeof pictureKinds)[number] {
  const head = Buffer.alloc(12);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  const kind = pictureKinds.find(({ isKind }) => isKind(head));
  if (kind) return kind;
  throw badInput('picture', 'a PNG, JPEG or WebP picture', path, 'Save it as one of these');
}
