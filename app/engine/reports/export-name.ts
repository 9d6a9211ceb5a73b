import { fileName } from '../../protocol/file-name';

/** What distinguishes a run's exports from those of others: where, what, with what and when. */
export interface ExportedRun {
  /** As page one has them; empty: not set. */
  client?: string;
  project?: string;
  hosts: readonly string[];
  experiment: string;
  /** What was played or received; absent: of several runs, or not known. */
  sources?: readonly string[];
  formats?: readonly string[];
  startedAt: string;
}

/** With all the others, a file system takes so much of each. */
const mostOfSources = 40;
const mostOfHeader = 24;

/** Name of an export without its extension: "whiteline-northlight-hall-3-rack-1-stream-load-white-line-1280x720-60-2026-11-22t11-18-00". */
export function exportName({
  client = '',
  project = '',
  hosts,
  experiment,
  sources = [],
  formats = [],
  startedAt,
}: ExportedRun): string {
  const tested = [sources, formats].map((names) => fileName(names.join(' ')).slice(0, mostOfSources));
  const handedTo = [client, project].map((name) => fileName(name).slice(0, mostOfHeader));
  const parts = ['whiteline', ...handedTo, hosts[0] ?? '', experiment, ...tested, startedAt.slice(0, 19)];
  return parts.map(fileName).filter(Boolean).join('-');
}
