import { join } from 'node:path';
import { type RunSummary, runSummarySchema } from '../../protocol/history';
import { jsonLines } from '../sessions/json-lines';
import { factsOf, isBeingWritten, readEvents, runFiles } from '../sessions/read-run';

/** A run without its rows, from its own files; null where they hold none. */
export function summaryOf(root: string, folder: string): RunSummary | null {
  const path = join(root, folder);
  const rows = [...jsonLines(join(path, runFiles.rows))];
  try {
    const facts = factsOf(path, readEvents(path), () => startedAt(rows[0]));
    const notes = (facts.notes ?? []).map(({ text }) => text);
    const summary = { ...facts, folder, rows: rows.length, hosts: hostNames(facts.environment), notes };
    const result = runSummarySchema.safeParse(summary);
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** Its files alone do not tell a run that goes on from one whose process is gone. */
export function asItIsNow(root: string, summary: RunSummary): RunSummary {
  if (summary.state !== 'interrupted' || !isBeingWritten(join(root, summary.folder))) return summary;
  return { ...summary, state: 'running', reason: 'The run is not over' };
}

function startedAt(row: unknown): string | undefined {
  const at = (row as { startedAt?: unknown } | undefined)?.startedAt;
  return typeof at === 'string' ? at : undefined;
}

function hostNames({ hosts }: Record<string, unknown>): string[] {
  if (!Array.isArray(hosts)) return [];
  return hosts
    .map((host) => (host as { hostName?: unknown } | null)?.hostName)
    .filter((name): name is string => typeof name === 'string');
}
