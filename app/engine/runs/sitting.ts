import { join } from 'node:path';
import type { Run } from '../../protocol/run';
import { deriveSession, joinSession } from '../sessions/join-session';

/**
 * One sitting at the console: the runs of this process, those of plans apart, are one session with one report. Its folder is made
 * with the first run.
 */
export class Sitting {
  private readonly folder: string;
  private readonly name: string;
  private hasRuns = false;

  constructor(runsFolder: string, startedAt = new Date()) {
    this.folder = join(runsFolder, `${folderTime(startedAt)}-console`);
    this.name = `Console, ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  }

  /** Where its next run is recorded. */
  folderOf(name: string): string {
    return join(this.folder, `${folderTime()}-${name}`);
  }

  /** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
  join(): NonNullable<Run['session']> {
    const session = joinSession(this.folder, { name: this.name });
    this.hasRuns = true;
    return session;
  }

  /** Brings session.json up to date, once a run is over. Where it cannot be written, the folders of the runs say the same. */
  derive(): void {
    if (!this.hasRuns) return;
    try {
      deriveSession(this.folder);
    } catch {
      // The recorder has reported what is wrong with the disk.
    }
  }
}

/** As the name of a folder begins. */
export function folderTime(at = new Date()): string {
  return at.toISOString().replace(/[:.]/g, '-');
}
