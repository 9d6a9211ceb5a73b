import { mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportKind } from '../../protocol/shell';
import { writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';

export type ExportedKind = ExportKind | 'plan';

const extensions: Record<ExportedKind, string> = {
  ...{ html: 'html', pdf: 'pdf', json: 'json', csv: 'csv', junit: 'xml', parquet: 'parquet', plan: 'yaml' },
};

/** A page that asks for names and never uses them leaves no more empty files than this. */
const mostReserved = 100;

/** Where exports and plans of a served console go, in the place of main's dialogs. */
export class ExportFolder {
  private readonly reserved: string[] = [];

  constructor(readonly path: string) {}

  /**
   * A path that no one else gets: an empty file, or for Parquet a folder, is made there at once. Nothing that exists is
   * ever overwritten.
   * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL
   */
  reserve(name: string, kind: ExportedKind): string {
    const path = this.firstFree(name, kind);
    this.reserved.push(path);
    if (this.reserved.length > mostReserved) removeEmpty(this.reserved.shift());
    return path;
  }

  /** Removes what was reserved and never written. */
  close(): void {
    for (const path of this.reserved.splice(0)) removeEmpty(path);
  }

  private firstFree(name: string, kind: ExportedKind): string {
    // Before the search: a file of the folder's own name is no taken name of an export.
    this.make();
    for (let number = 1; ; number++) {
      const counted = number === 1 ? name : `${name}-${number}`;
      const path = join(this.path, `${counted}.${extensions[kind]}`);
      try {
        if (kind === 'parquet') mkdirSync(path);
        else writeFileSync(path, '', { flag: 'wx' });
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeProblem(error, path);
      }
    }
  }

  private make(): void {
    try {
      makeFolder(this.path);
    } catch (error) {
      throw writeProblem(error, this.path);
    }
  }
}

/** Of an export nothing is empty. What cannot be removed is in no one's way. */
function removeEmpty(path: string | undefined): void {
  if (path === undefined) return;
  try {
    const stats = statSync(path);
    // A folder with something in it stays: the system refuses.
    if (stats.isDirectory()) rmdirSync(path);
    else if (stats.size === 0) unlinkSync(path);
  } catch {
    // Moved away or in use.
  }
}
