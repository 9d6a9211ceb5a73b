import type { z } from 'zod';
import type { Progress } from '../../protocol/console';
import type { Row } from '../../protocol/row';
import type { Thresholds } from '../../protocol/thresholds';
import type { Verdict } from '../../protocol/verdict';
import type { RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import type { StreamSet } from '../streams/stream-set';

/** What an experiment is given to work with. */
export interface ExperimentContext {
  streams: StreamSet;
  thresholds: Thresholds;
  signal: AbortSignal;
  /** Opens the next row between two moments of the monotonic clock. */
  openRow(index: number, streams: Stream[], fromNs: number, toNs: number): RowMeter;
  progress(progress: Progress): void;
}

/** A binary or capability that an experiment needs, with how to get it. */
export interface Requirement {
  name: string;
  /** Null when it is met, otherwise what is missing and how to get it. */
  check(): Promise<string | null>;
}

export interface RunVerdict {
  verdict: Verdict;
  /** The one sentence that matters. */
  reason: string;
}

/** Everything the console can measure looks like this; adding one means adding one folder beside this file. */
export interface Experiment<Schema extends z.ZodType = z.ZodType> {
  id: string;
  title: string;
  /** One paragraph. */
  purpose: string;
  /** The study or standard it follows. */
  study: string;
  /** Defaults, help texts and checks of the parameters. */
  parameters: Schema;
  /** Metrics of a row's table, in order. */
  columns: readonly string[];
  requires: Requirement[];
  /** Yields rows as they close; ends early, without error, when the signal aborts. */
  run(parameters: z.output<Schema>, context: ExperimentContext): AsyncGenerator<Row>;
  verdict(rows: Row[], parameters: z.output<Schema>): RunVerdict;
}
