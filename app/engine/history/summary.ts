import { join } from 'node:path';
import { machinesOf, testedOf } from '../../experiments/tested';
import type { Row } from '../../facts/row';
import type { Run } from '../../facts/run';
import { type RunSummary, runSummarySchema } from '../../protocol/history';
import { isBeingWritten, readRunTo } from '../sessions/read-run';
import { type RunFacts, stillRunning } from '../sessions/run-facts';

/** A run without its rows, from its own files; null if they hold none. */
export function summaryOf(root: string, folder: string): RunSummary | null {
  try {
    const rows = new RowSums();
    const reported = readRunTo(join(root, folder), { running: false }, (row) => rows.add(row));
    return summaryFrom(folder, reported, rows);
  } catch {
    return null;
  }
}

/** The same of a run that was read already, below the folder of all runs. */
export function summaryOfRun(folder: string, run: Run): RunSummary | null {
  const rows = new RowSums();
  for (const row of run.rows) rows.add(row);
  return summaryFrom(folder, run, rows);
}

/** What a summary says of the rows. */
class RowSums {
  private rows = 0;
  private streams = 0;
  private readonly streamNames = new Set<string>();

  add(row: Row): void {
    this.rows += 1;
    this.streams = Math.max(this.streams, streamsOf(row));
    for (const { kind, name } of row.subjects) if (kind === 'stream') this.streamNames.add(name);
  }

  get sums() {
    return { rows: this.rows, streams: this.streams, streamNames: [...this.streamNames] };
  }
}

function summaryFrom(folder: string, run: RunFacts, { sums }: RowSums): RunSummary | null {
  const summary = {
    ...{ ...run, folder, ...sums, ...testedOf(run) },
    ...{ recordedIn: run.session?.name ?? '', hosts: machinesOf(run.environment) },
    notes: (run.notes ?? []).map(({ text }) => text),
  };
  return runSummarySchema.safeParse(summary).data ?? null;
}

/** Its files alone do not distinguish a run that goes on from one whose process is gone. */
export function asItIsNow(root: string, summary: RunSummary): RunSummary {
  if (summary.state !== 'interrupted' || !isBeingWritten(join(root, summary.folder))) return summary;
  return { ...summary, state: 'running', reason: stillRunning };
}

function streamsOf({ step, subjects }: Row): number {
  if (typeof step.streams === 'number') return step.streams;
  return subjects.filter(({ kind }) => kind === 'stream').length;
}
