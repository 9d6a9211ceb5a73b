import { fileName } from '../../protocol/file-name';

/** What distinguishes a run's exports from those of others: where, what and when. */
export interface ExportedRun {
  hosts: readonly string[];
  experiment: string;
  startedAt: string;
}

/** Name of an export without its extension: "whiteline-rack-1-stream-load-2026-11-22t11-18-00". */
export function exportName({ hosts, experiment, startedAt }: ExportedRun): string {
  const parts = ['whiteline', hosts[0] ?? '', experiment, startedAt.slice(0, 19)];
  return parts.map(fileName).filter(Boolean).join('-');
}
