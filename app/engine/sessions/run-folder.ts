import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { badInput, type WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import type { RunRow } from '../../protocol/row';
import type { RunEvent } from '../../protocol/run';
import { AppendFile, writeProblem } from './append-file';
import { makeFolder } from './make-folder';
import { readRun, runFiles } from './read-run';
import { replaceFile } from './replace-file';

const syncEveryMs = 500;

/**
 * The folder of one run: three append-only files are the truth, `run.json` is derived from them and replaced whole.
 * A write that fails is reported once through `onProblem`; the run decides what follows.
 */
export class RunFolder {
  private readonly rows: AppendFile;
  private readonly samples: AppendFile;
  private readonly events: AppendFile;
  private readonly timer: NodeJS.Timeout;
  private failed = false;

  /** @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL; BAD_INPUT for a folder that already holds a run */
  constructor(
    readonly path: string,
    private readonly onProblem: (error: WhitelineError) => void,
  ) {
    if (Object.values(runFiles).some((name) => existsSync(join(path, name)))) {
      throw badInput(
        'out',
        'a folder without a run in it',
        path,
        'Choose another folder; a run is never overwritten',
      );
    }
    try {
      makeFolder(path);
      this.rows = AppendFile.make(join(path, runFiles.rows));
      this.samples = AppendFile.make(join(path, runFiles.samples));
      this.events = AppendFile.make(join(path, runFiles.events));
    } catch (error) {
      throw writeProblem(error, path);
    }
    this.timer = setInterval(() => this.sync(), syncEveryMs);
  }

  addEvent(event: RunEvent): void {
    this.attempt(() => this.events.append(event));
  }

  addSample(sample: LoadSample): void {
    this.attempt(() => this.samples.append(sample));
  }

  addRow(row: RunRow): void {
    this.attempt(() => this.rows.append(row));
    this.replaceRunFile();
  }

  /** Derives run.json from the three files and puts it in place. */
  replaceRunFile(): void {
    this.attempt(() => {
      replaceFile(join(this.path, runFiles.run), readRun(this.path, { running: true }));
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.replaceRunFile();
    for (const file of [this.rows, this.samples, this.events]) this.attempt(() => file.close());
  }

  private sync(): void {
    for (const file of [this.rows, this.samples, this.events]) file.sync((error) => this.report(error));
  }

  private attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.report(error as WhitelineError);
    }
  }

  private report(error: WhitelineError): void {
    if (this.failed) return;
    this.failed = true;
    this.onProblem(error);
  }
}
