import { lstatSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../facts/row';
import type { RunEvent } from '../../facts/run';
import { afterRecordsMs, onBeat } from '../../protocol/beat';
import type { Clock } from '../../protocol/clock';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { AppendFile, writeProblem } from './append-file';
import type { DeriveRun } from './derive-run';
import { makeFolder } from './make-folder';
import { runFiles } from './run-files';
import { withHost } from './with-host';

const deriveEveryNs = 60e9;

export interface RunFolderOptions {
  path: string;
  clock: Clock;
  /** The event that the run begins with. */
  first: RunEvent;
  derive: DeriveRun;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/**
 * The folder of one run: three append-only files are the truth, `run.json` is derived from them and replaced whole.
 * A write that fails is reported once through `onProblem`; the run decides what follows.
 */
export class RunFolder {
  readonly path: string;
  private readonly rows: AppendFile;
  private readonly samples: AppendFile;
  private readonly events: AppendFile;
  /** Lines that were handed to each file. */
  private readonly added = { rows: 0, samples: 0, events: 0 };
  private readonly stopSync: () => void;
  private failed = false;
  private closed = false;
  private deriving: Promise<void> | null = null;
  /** Something was added since the newest derivation began, so another one is due. */
  private isBehind = false;
  private derivedRows = 0;
  private derivedNs: number;

  /**
   * A run that cannot begin leaves no files.
   * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL; BAD_INPUT for a folder that already holds a run
   */
  constructor(private readonly options: RunFolderOptions) {
    const { path, clock } = options;
    this.path = path;
    this.derivedNs = clock.monotonicNs();
    let isNew = false;
    const made: AppendFile[] = [];
    const make = (name: string): AppendFile => {
      const file = AppendFile.make(join(path, name));
      made.push(file);
      return file;
    };
    try {
      isNew = !isTaken(path);
      if (Object.values(runFiles).some((name) => isTaken(join(path, name)))) {
        throw badInput(
          'out',
          'a folder without a run in it',
          path,
          'Choose another folder; a run is never overwritten',
        );
      }
      makeFolder(path);
      this.rows = make(runFiles.rows);
      this.samples = make(runFiles.samples);
      this.events = make(runFiles.events);
      this.events.append(withHost(options.first));
      this.added.events = 1;
    } catch (error) {
      for (const file of made) file.discard();
      if (isNew) removeEmptyFolder(path);
      throw error instanceof WhitelineError ? error : writeProblem(error, path);
    }
    this.stopSync = onBeat(clock, () => this.sync(), { every: 2, afterMs: afterRecordsMs });
  }

  /** How much was recorded so far. */
  get recorded(): Readonly<RunFolder['added']> {
    return this.added;
  }

  addEvent(event: RunEvent): void {
    this.add('events', withHost(event));
  }

  addSample(sample: LoadSample): void {
    this.add('samples', withHost(sample));
  }

  /**
   * Deriving takes longer the longer a run gets. So it is done at most once a minute, and not before the rows have doubled
   * since the last time: what it costs by row does not grow. False: the row is not in the folder.
   */
  addRow(row: Row): boolean {
    const isWritten = this.add('rows', row) && this.rows.isInPlace;
    const { rows } = this.added;
    const sinceNs = this.options.clock.monotonicNs() - this.derivedNs;
    if (sinceNs >= deriveEveryNs && rows >= 2 * this.derivedRows) void this.derive();
    return isWritten;
  }

  /** Derives run.json from the three files; asked again meanwhile, once more after that. Fails through `onProblem`. */
  derive(): Promise<void> {
    this.isBehind = true;
    this.deriving ??= this.catchUp().finally(() => {
      this.deriving = null;
    });
    return this.deriving;
  }

  /** Resolves once run.json says all that the run was; the three files do so at once. */
  close(): Promise<void> {
    this.stopSync();
    this.requirePlace();
    for (const file of [this.rows, this.samples, this.events]) this.attempt(() => file.close());
    this.closed = true;
    return this.derive();
  }

  private async catchUp(): Promise<void> {
    while (this.isBehind) {
      this.isBehind = false;
      this.derivedRows = this.added.rows;
      this.derivedNs = this.options.clock.monotonicNs();
      try {
        await this.options.derive(this.path, { running: !this.closed });
      } catch (error) {
        this.requirePlace();
        // A thread that failed is tried again the next time; the three files say the same until then.
        if (error instanceof WhitelineError) this.report(error);
        else if (this.closed) this.report(new WhitelineError(toProblem(error)));
      }
    }
  }

  private add(name: keyof RunFolder['added'], value: unknown): boolean {
    this.added[name] += 1;
    return this.attempt(() => this[name].append(value));
  }

  private sync(): void {
    this.requirePlace();
    for (const file of [this.rows, this.samples, this.events]) file.sync((error) => this.report(error));
  }

  /** A file that was removed takes every line that it is given, and none is ever read. */
  private requirePlace(): void {
    if (this.closed || [this.rows, this.samples, this.events].every((file) => file.isInPlace)) return;
    this.report(
      new WhitelineError({
        code: 'OUTPUT_UNWRITABLE',
        message: `The run's files in ${this.path} were removed or moved while it was recorded`,
        field: 'out',
        value: this.path,
        remedy: 'Measure again, into a folder that stays in its place',
      }),
    );
  }

  private attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      this.report(error as WhitelineError);
      return false;
    }
  }

  private report(error: WhitelineError): void {
    if (this.failed) return;
    this.failed = true;
    this.options.onProblem(error);
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It was never made, or another program put a file into it.
  }
}

/** By a link that leads nowhere too. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
