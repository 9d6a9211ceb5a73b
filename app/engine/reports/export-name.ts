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
const most = { header: 24, host: 30, experiment: 40, tested: 40 };

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
  const part = (text: string, length: number): string => fileName(text).slice(0, length);
  const parts = [
    'whiteline',
    ...[client, project].map((name) => part(name, most.header)),
    part(hosts[0] ?? '', most.host),
    part(experiment, most.experiment),
    ...[sources, formats].map((names) => part(names.join(' '), most.tested)),
    startedAt.slice(0, 19),
  ];
  return parts.map(fileName).filter(Boolean).join('-');
}
