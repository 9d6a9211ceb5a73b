import { join } from 'node:path';
import { type RunSummary, runSummarySchema } from '../../protocol/history';
import { isBeingWritten, readRunTo } from '../sessions/read-run';
import { stillRunning } from '../sessions/run-facts';

/** A run without its rows, from its own files; null where they hold none. */
export function summaryOf(root: string, folder: string): RunSummary | null {
  try {
    let rows = 0;
    const reported = readRunTo(join(root, folder), { running: false }, () => {
      rows += 1;
    });
    const notes = (reported.notes ?? []).map(({ text }) => text);
    const summary = { ...reported, folder, rows, hosts: hostNames(reported.environment), notes };
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

/** One of each machine: its name in the fleet, or that of its system. */
function hostNames({ hosts }: Record<string, unknown>): string[] {
  if (!Array.isArray(hosts)) return [];
  const names = hosts.flatMap((host) => {
    const { hostName, machine } = (host ?? {}) as { hostName?: unknown; machine?: { name?: unknown } };
    return [machine?.name, hostName].find((name) => typeof name === 'string') ?? [];
  });
  return [...new Set(names)];
}
