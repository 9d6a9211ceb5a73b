import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { badInput } from '../../protocol/errors';
import type { Place } from './agent-experiments';

/** Of temporary files it lies on a disk where that of the system may lie in memory. */
const onDisk = '/var/tmp';

/** Where a console may have a disk measured: in the folder that the agent's user gave, or in one of the agent's own. */
export class StorageFolder {
  private readonly given: string | undefined;
  private own: string | null = null;

  /** @throws WhitelineError BAD_INPUT for what is no folder */
  constructor(given: string | undefined) {
    if (given !== undefined && !statSync(given, { throwIfNoEntry: false })?.isDirectory())
      throw badInput('storage', 'a folder', given, 'Name one on the disk that is to be measured');
    this.given = given && resolve(given);
  }

  /** Of its own folder, which has another name each time, consoles read that it is temporary. */
  place(): Place {
    if (this.given !== undefined) return { path: this.given, called: this.given };
    this.own ??= mkdtempSync(join(existsSync(onDisk) ? onDisk : tmpdir(), 'whiteline-storage-'));
    return { path: this.own, called: 'temporary folder' };
  }

  /** What others put into its own folder stays. */
  close(): void {
    if (this.own === null) return;
    try {
      rmdirSync(this.own);
    } catch {
      // It is not empty, or gone.
    }
  }
}
