import { fileName } from '../../protocol/file-name';

/** What distinguishes a run's exports from those of others: where, what, with what and when. */
export interface ExportedRun {
  hosts: readonly string[];
  experiment: string;
  /** What was played or received; absent: of several runs, or not known. */
  sources?: readonly string[];
  formats?: readonly string[];
  startedAt: string;
}

/** With all the others, a file system takes so much of a name. */
const mostOfSources = 40;

/** Name of an export without its extension: "whiteline-rack-1-stream-load-white-line-1280x720-60-2026-11-22t11-18-00". */
export function exportName({
  hosts,
  experiment,
  sources = [],
  formats = [],
  startedAt,
}: ExportedRun): string {
  const tested = [sources, formats].map((names) => fileName(names.join(' ')).slice(0, mostOfSources));
  const parts = ['whiteline', hosts[0] ?? '', experiment, ...tested, startedAt.slice(0, 19)];
  return parts.map(fileName).filter(Boolean).join('-');
}
