import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { pinBaseline, readBaselines, unpinBaseline } from '../engine/history/baseline';
import { keyOf } from '../engine/history/run-folders';
import { summaryOf } from '../engine/history/summary';
import { writeProblem } from '../engine/sessions/append-file';
import { parsed } from '../engine/sessions/json-lines';
import { makeFolder } from '../engine/sessions/make-folder';
import { readRecorded } from '../engine/sessions/recorded-file';
import { replaceFile } from '../engine/sessions/replace-file';
import type { DeletedRun } from '../protocol/archive';
import { badInput } from '../protocol/errors';
import { safeParse } from '../protocol/safe-parse';
import { namedRun, readArchivedRun, visibleName } from './named-run';

/** Below the folder of all runs, and on its disk, so that a run of any size is put aside at once. */
export const deletedFolder = '.deleted';

const dayMs = 86_400_000;

/** The folder of a deletion has the run and, next to it, this record. */
const files = { run: 'run', record: 'deleted.json' } as const;

const longestRecord = 1e6;

const recordSchema = z.object({ folder: z.string(), deletedAt: z.string(), wasBaseline: z.boolean() });
type DeletionRecord = z.infer<typeof recordSchema>;

/**
 * Puts a run aside; a baseline that it was is pinned no more.
 * @throws WhitelineError BAD_INPUT for no run of ours, or one that goes on; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function deleteRun(root: string, name: string, at: Date): DeletedRun {
  const { folder, path } = namedRun(root, name);
  const { state, isBaseline, experiment } = readArchivedRun(root, folder);
  if (state === 'running') throw badInput('run', 'a run that is over', folder, 'Stop it first');
  const deletedAt = at.toISOString();
  const home = makeHome(root, deletedAt);
  try {
    replaceFile(join(home, files.record), { folder, deletedAt, wasBaseline: isBaseline });
    renameSync(path, join(home, files.run));
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw writeProblem(error, path);
  }
  if (isBaseline) unpinBaseline(root, experiment);
  return readDeletion(root, basename(home));
}

/** Newest first. */
export function listDeleted(root: string): DeletedRun[] {
  const folder = join(root, deletedFolder);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => recordOf(root, name) !== null)
    .map((name) => readDeletion(root, name))
    .sort((one, other) => other.deletedAt.localeCompare(one.deletedAt));
}

/**
 * Puts a deleted run back where it was, pinned again unless another one was pinned since.
 * @returns its folder
 * @throws WhitelineError BAD_INPUT for no deletion, or a place that is taken by now; OUTPUT_UNWRITABLE
 */
export function restoreRun(root: string, deletion: string): string {
  const { folder, wasBaseline, home } = deletionOf(root, deletion);
  const path = join(root, folder);
  visibleName(root, path);
  if (existsSync(path)) {
    const remedy = 'Move what is there to another folder first';
    throw badInput('deletion', `a run whose place ${path} is free`, deletion, remedy);
  }
  const { experiment } = readDeletion(root, deletion);
  try {
    makeFolder(dirname(path));
    renameSync(join(home, files.run), path);
  } catch (error) {
    throw writeProblem(error, path);
  }
  rmSync(home, { recursive: true, force: true });
  if (wasBaseline && readBaselines(root)[experiment] === undefined) pinBaseline(root, path);
  return folder;
}

/** @throws WhitelineError BAD_INPUT for no deletion; OUTPUT_UNWRITABLE */
export function eraseRun(root: string, deletion: string): void {
  const { home } = deletionOf(root, deletion);
  try {
    rmSync(home, { recursive: true });
  } catch (error) {
    throw writeProblem(error, home);
  }
}

/**
 * Erases what was deleted longer ago than that. What cannot be erased now stays for the next time.
 * @returns how many were erased
 */
export function eraseOverdue(root: string, keepDays: number, nowMs: number): number {
  const overdue = listDeleted(root).filter(
    ({ deletedAt }) => nowMs - Date.parse(deletedAt) > keepDays * dayMs,
  );
  const erased = overdue.filter(({ deletion }) => {
    try {
      eraseRun(root, deletion);
      return true;
    } catch {
      return false;
    }
  });
  return erased.length;
}

function makeHome(root: string, deletedAt: string): string {
  const folder = join(root, deletedFolder);
  try {
    makeFolder(folder);
    return mkdtempSync(join(folder, `${deletedAt.replace(/[:.]/g, '-')}-`));
  } catch (error) {
    throw writeProblem(error, folder);
  }
}

function readDeletion(root: string, deletion: string): DeletedRun {
  const { folder, deletedAt, wasBaseline } = deletionOf(root, deletion);
  const summary = summaryOf(root, `${deletedFolder}/${deletion}/${files.run}`);
  return {
    ...{ deletion, folder, deletedAt, wasBaseline },
    title: summary?.title ?? folder,
    experiment: summary?.experiment ?? 'unknown',
    startedAt: summary?.startedAt ?? deletedAt,
  };
}

function deletionOf(root: string, deletion: string): DeletionRecord & { home: string } {
  const record = recordOf(root, deletion);
  if (record) return { ...record, home: join(root, deletedFolder, deletion) };
  throw badInput('deletion', 'one of a deleted run', deletion, 'It was restored or erased already');
}

/** Null if the name is not that of a deletion, or if a kill came before the run was moved. */
function recordOf(root: string, deletion: string): DeletionRecord | null {
  if (!/^\w[\w-]*$/.test(deletion)) return null;
  const home = join(root, deletedFolder, deletion);
  if (keyOf(join(home, files.run)) === null) return null;
  const bytes = readRecorded(join(home, files.record), longestRecord);
  return typeof bytes === 'string'
    ? null
    : (safeParse(recordSchema, parsed(bytes.toString('utf8'))).data ?? null);
}
