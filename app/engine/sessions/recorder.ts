import type { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import type { Row } from '../../protocol/row';
import type { Run, RunEvent } from '../../protocol/run';
import type { RunEnd, RunStart } from './read-run';
import { RunFolder } from './run-folder';

export interface RecorderOptions {
  folder: string;
  start: Omit<RunStart, 'id' | 'startedAt'>;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** What a run leaves behind: its folder on disk, and its rows and samples in memory for whoever shows them. */
export class Recorder {
  readonly rows: Row[] = [];
  readonly samples: LoadSample[] = [];
  readonly id: string;
  readonly title: string;
  readonly folder: RunFolder;
  private ended = false;

  constructor(options: RecorderOptions) {
    this.title = options.start.title;
    const startedAt = new Date().toISOString();
    this.id = startedAt.replace(/[:.]/g, '-');
    this.folder = new RunFolder(options.folder, options.onProblem);
    const details: RunStart = { id: this.id, startedAt, ...options.start };
    this.event('run-started', options.start.title, { ...details });
    this.folder.replaceRunFile();
  }

  event(kind: RunEvent['kind'], text: string, details?: Record<string, unknown>, streamId?: number): void {
    if (this.ended) return;
    this.folder.addEvent({ at: new Date().toISOString(), kind, text, streamId, details });
  }

  sample(sample: LoadSample): void {
    if (this.ended) return;
    this.samples.push(sample);
    this.folder.addSample(sample);
  }

  row(row: Row): void {
    this.rows.push(row);
    this.folder.addRow(row);
  }

  /** Mean loopback traffic of row 0, null before it. */
  baselineMbps(): number | null {
    const baseline = this.rows[0];
    if (!baseline) return null;
    const from = Date.parse(baseline.startedAt);
    const to = Date.parse(baseline.endedAt);
    const within = this.samples.filter(
      (sample) => sample.wallMs - 1000 >= from - 100 && sample.wallMs <= to + 100,
    );
    const known = within
      .map((sample) => sample.loopbackMbps)
      .filter((value): value is number => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
  }

  end(state: Run['state'], verdict: Run['verdict'], reason: string): void {
    if (this.ended) return;
    const details: RunEnd = { state, endedAt: new Date().toISOString(), verdict, reason };
    this.event('run-ended', reason, { ...details });
    this.ended = true;
    this.folder.close();
  }
}
