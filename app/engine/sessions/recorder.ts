import type { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import type { RunRow } from '../../protocol/row';
import type { Run, RunEvent } from '../../protocol/run';
import { withoutInterfaces } from '../load/sampler';
import { type Carrier, summarise } from '../load/window';
import { annotateRun } from './notes';
import type { RunEnd, RunStart } from './read-run';
import { RunFolder } from './run-folder';

export interface RecorderOptions {
  folder: string;
  start: Omit<RunStart, 'id' | 'startedAt'>;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** Samples that a row may still need when the one before it closes. */
const keptMs = 3000;

/** What a run leaves behind: its folder on disk, and its rows and samples in memory for whoever shows them. */
export class Recorder {
  readonly rows: RunRow[] = [];
  /** Samples since the newest row closed, which the next row is built from; all of them are in the folder. */
  readonly samples: LoadSample[] = [];
  readonly id: string;
  title: string;
  readonly experiment: string;
  readonly folder: RunFolder;
  private ended = false;
  /** Samples of row 0. */
  private baseline: LoadSample[] = [];

  constructor(options: RecorderOptions) {
    this.title = options.start.title;
    this.experiment = options.start.experiment;
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

  /** Something that an operator says of the run, while it runs or after its end. */
  annotate(event: RunEvent): void {
    if (event.kind === 'renamed') this.title = event.text;
    if (this.ended) {
      annotateRun(this.folder.path, [event]);
      return;
    }
    this.folder.addEvent(event);
    this.folder.replaceRunFile();
  }

  sample(sample: LoadSample): void {
    if (this.ended) return;
    this.folder.addSample(sample);
    this.samples.push(withoutInterfaces(sample));
  }

  row(row: RunRow): void {
    if (this.rows.length === 0) this.baseline = this.samplesOf(row);
    this.rows.push(row);
    this.folder.addRow(row);
    const keepFromMs = Date.parse(row.endedAt) - keptMs;
    while (this.samples[0] && this.samples[0].wallMs < keepFromMs) this.samples.shift();
  }

  /** Mean traffic of row 0, null before it. */
  baselineMbps(carrier: Carrier): number | null {
    return summarise(this.baseline.map((sample) => sample[carrier]))?.mean ?? null;
  }

  private samplesOf(row: RunRow): LoadSample[] {
    const from = Date.parse(row.startedAt);
    const to = Date.parse(row.endedAt);
    return this.samples.filter((sample) => sample.wallMs - 1000 >= from - 100 && sample.wallMs <= to + 100);
  }

  end(state: Run['state'], verdict: Run['verdict'], reason: string): void {
    if (this.ended) return;
    const details: RunEnd = { state, endedAt: new Date().toISOString(), verdict, reason };
    this.event('run-ended', reason, { ...details });
    this.ended = true;
    this.folder.close();
  }
}
