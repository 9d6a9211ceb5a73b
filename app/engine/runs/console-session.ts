import { join } from 'node:path';
import type { Run } from '../../facts/run';
import type { Clock } from '../../protocol/clock';
import { fileName } from '../../protocol/file-name';
import { dateNow } from '../clock';
import { deriveSession, joinSession } from '../sessions/join-session';

/**
 * The session of the console: its runs, those of plans apart, have one report. It lasts from the start of the process, or from
 * *New session*, to the next one. Its folder is made with the first run.
 */
export class ConsoleSession {
  name = '';
  private folder = '';
  private hasRuns = false;

  constructor(
    private readonly runsFolder: string,
    private readonly clock: Clock,
  ) {
    this.begin('');
  }

  /** @param title of the session; empty: it is called after its time */
  begin(title: string): void {
    const at = dateNow(this.clock);
    const end = fileName(title) || 'console';
    this.folder = join(this.runsFolder, `${folderTime(at)}-${end}`);
    this.name = title || `Console, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    this.hasRuns = false;
  }

  /** Where its next run is recorded. */
  folderOf(name: string): string {
    return join(this.folder, `${folderTime(dateNow(this.clock))}-${name}`);
  }

  /** @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
  join(): NonNullable<Run['session']> {
    const session = joinSession(this.folder, { name: this.name, now: dateNow(this.clock) });
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
export function folderTime(at: Date): string {
  return at.toISOString().replace(/[:.]/g, '-');
}
