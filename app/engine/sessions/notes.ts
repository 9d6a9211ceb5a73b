import { constants, copyFileSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { RunEvent } from '../../facts/run';
import { badInput } from '../../protocol/errors';
import { type PictureKind, pictureKindOf } from '../../protocol/picture-kinds';
import { visibleName, writtenLines } from '../../protocol/visible-name';
import { AppendFile, writeProblem } from './append-file';
import { deriveRunFile } from './derive-run';
import { makeFolder } from './make-folder';
import { isBeingWritten } from './read-run';
import { isInside } from './recorded-picture';
import { factsOf } from './run-facts';
import { runFiles } from './run-files';
import { withHost } from './with-host';

const longestText = 10_000;
const largestPictureBytes = 50e6;
export const picturesFolder = 'pictures';

/** What is said of a run: the kinds of event that may come after its end. */
export interface Remark {
  /** switch: model and settings of the switch, where it does not report them itself; renamed: another title. */
  kind: 'note' | 'marker' | 'renamed' | 'switch';
  text: string;
}

/** @throws WhitelineError BAD_INPUT for an empty or endless text */
export function remarkEvent({ kind, text }: Remark, at: Date): RunEvent {
  const checked =
    kind === 'renamed' ? visibleName('title', checkedText(text, 200)) : checkedText(text, longestText);
  return { at: at.toISOString(), kind, text: writtenLines(checked) };
}

/**
 * Copies a picture into a run's folder, never over another one.
 * @throws WhitelineError BAD_INPUT for what is no picture or too large; NOT_FOUND; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function pictureEvent(folder: string, path: string, text: string, at: Date): RunEvent {
  const bytes = pictureBytes(path);
  const { extension } = pictureKind(path);
  const caption = text === '' ? basename(path) : writtenLines(checkedText(text, longestText));
  const name =
    basename(path, extname(path))
      .replace(/[^\w.-]+/g, '-')
      .slice(0, 60) || 'picture';
  let file = join(picturesFolder, `${name}${extension}`);
  makePicturesFolder(folder);
  try {
    for (let number = 2; isTaken(join(folder, file)); number++)
      file = join(picturesFolder, `${name}-${number}${extension}`);
    copyFileSync(path, join(folder, file), constants.COPYFILE_EXCL);
  } catch (error) {
    throw writeProblem(error, join(folder, file));
  }
  return { at: at.toISOString(), kind: 'picture', text: caption, details: { file, bytes } };
}

/** @throws WhitelineError OUTPUT_UNWRITABLE, also if it is a link out of the run's folder; DISK_FULL */
export function makePicturesFolder(folder: string): void {
  const pictures = join(folder, picturesFolder);
  try {
    makeFolder(pictures);
    if (!isInside(folder, pictures)) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
  } catch (error) {
    throw writeProblem(error, pictures);
  }
}

/**
 * Adds events to a run that this process does not record, and derives its run.json again; if another process records the run now, that
 * process derives it.
 * @throws WhitelineError NOT_FOUND if the folder holds no run; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function annotateRun(folder: string, events: readonly RunEvent[]): void {
  addEvents(folder, events);
  if (!isRecordedElsewhere(folder)) deriveRunFile(folder, { running: false });
}

/**
 * Adds events to a run, and no more.
 * @throws WhitelineError NOT_FOUND if the folder holds no run; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function addEvents(folder: string, events: readonly RunEvent[]): void {
  factsOf(folder, false);
  const path = join(folder, runFiles.events);
  let file: AppendFile;
  try {
    file = new AppendFile(path);
  } catch (error) {
    throw writeProblem(error, path);
  }
  try {
    for (const event of events) file.append(withHost(event));
  } finally {
    file.close();
  }
}

/** Whether another process records the run at this moment: its run.json is that process's. */
export function isRecordedElsewhere(folder: string): boolean {
  return isBeingWritten(folder) && factsOf(folder, false).facts.state === 'interrupted';
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

function pictureKind(path: string): PictureKind {
  const bytes = readFileSync(path);
  const kind = pictureKindOf(bytes);
  if (!kind) throw badInput('picture', 'a PNG, JPEG or WebP picture', path, 'Save it as one of these');
  if (!kind.sizeOf(bytes))
    throw badInput('picture', 'a whole picture', `${path}, which ends too early`, 'Save it again');
  return kind;
}

/** By a link that leads nowhere too. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
