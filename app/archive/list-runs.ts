import { existsSync } from 'node:fs';
import { baselinesShown } from '../engine/history/baseline';
import { searchSummaries } from '../engine/history/history';
import { readSummaries } from '../engine/history/index-file';
import type { ArchiveCommands, RunList } from '../protocol/archive';
import type { ParametersOf } from '../protocol/command-table';
import { archivedRun } from './named-run';

type Asked = ParametersOf<ArchiveCommands, 'listRuns'>;

/** A page of the runs below a folder, newest first. A folder that is not there yet has none. */
export function listRuns(root: string, { filter, offset, limit }: Asked): RunList {
  const summaries = existsSync(root) ? readSummaries(root) : [];
  const found = searchSummaries(summaries, filter);
  const { baselines, problem: baselinesProblem } = baselinesShown(root);
  return {
    runs: found.slice(offset, offset + limit).map((summary) => archivedRun(root, summary, baselines)),
    total: found.length,
    experiments: sortedSet(summaries.map(({ experiment }) => experiment)),
    hosts: sortedSet(summaries.flatMap(({ hosts }) => hosts)),
    recorded: summaries.length,
    baselines,
    baselinesProblem,
  };
}

function sortedSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((one, other) => one.localeCompare(other));
}
