import { join } from 'node:path';
import { machinesOf, testedOf } from '../../experiments/tested';
import type { Row } from '../../facts/row';
import { type RunSummary, runSummarySchema } from '../../protocol/history';
import { isBeingWritten, readRunTo } from '../sessions/read-run';
import { stillRunning } from '../sessions/run-facts';

/** A run without its rows, from its own files; null if they hold none. */
export function summaryOf(root: string, folder: string): RunSummary | null {
  try {
    let rows = 0;
    let streams = 0;
    const streamNames = new Set<string>();
    const reported = readRunTo(join(root, folder), { running: false }, (row) => {
      rows += 1;
      streams = Math.max(streams, streamsOf(row));
      for (const { kind, name } of row.subjects) if (kind === 'stream') streamNames.add(name);
    });
    const notes = (reported.notes ?? []).map(({ text }) => text);
    const summary = {
      ...{ ...reported, folder, rows, streams, streamNames: [...streamNames], ...testedOf(reported) },
      ...{ recordedIn: reported.session?.name ?? '', hosts: machinesOf(reported.environment), notes },
    };
    return runSummarySchema.safeParse(summary).data ?? null;
  } catch {
    return null;
  }
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
