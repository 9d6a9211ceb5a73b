import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { HistoryFilter, RunSummary } from '../../protocol/history';
import { readSummaries } from './index-file';
import { keyOf } from './run-folders';
import { plain, searchedCommand, searchTerms } from './searched-text';

/**
 * The runs below a folder that are as the filter says, newest first.
 * @throws WhitelineError NOT_FOUND if there is no such folder
 */
export function findInHistory(root: string, filter: HistoryFilter = {}): RunSummary[] {
  if (!existsSync(root)) {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `There is no folder ${root} with runs in it`,
      field: 'runs',
      value: root,
      remedy: 'Name the folder of your runs with --runs, or run an experiment first',
    });
  }
  return searchSummaries(readSummaries(root), filter);
}

/** Those of the runs that are as the filter says, newest first. */
export function searchSummaries(summaries: readonly RunSummary[], filter: HistoryFilter): RunSummary[] {
  const { text = '', host, from = '', before, limit } = filter;
  const terms = searchTerms(text);
  const wantedHost = host?.toLowerCase();
  const isWanted = (run: RunSummary): boolean =>
    (filter.experiment ?? run.experiment) === run.experiment &&
    (filter.verdict ?? run.verdict) === run.verdict &&
    (filter.state ?? run.state) === run.state &&
    (wantedHost === undefined || run.hosts.some((name) => name.toLowerCase() === wantedHost)) &&
    from <= run.startedAt &&
    (before === undefined || run.startedAt < before) &&
    hasAll(run, terms);
  return summaries.filter(isWanted).sort(newestFirst).slice(0, limit);
}

function newestFirst({ startedAt: one }: RunSummary, { startedAt: other }: RunSummary): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}

/**
 * The folder that is meant by a folder, a run's name below the folder of all runs, or its id.
 * @throws WhitelineError BAD_INPUT if there is no such run, or more than one
 */
export function runFolderOf(root: string, reference: string): string {
  for (const path of [reference, join(root, reference)]) if (keyOf(path) !== null) return path;
  const named = readSummaries(root).filter(
    ({ id, folder }) => id === reference || folder.split('/').pop() === reference,
  );
  const [only] = named;
  if (only && named.length === 1) return join(root, only.folder);
  // One that holds little of a run, or nothing: who reads it says so.
  if (!only && existsSync(reference)) return reference;
  const remedy = named.length > 1 ? 'Give its folder instead' : 'See whiteline runs';
  throw badInput(
    'run',
    named.length > 1 ? 'the name of one run' : 'the folder, name or id of a run',
    reference,
    remedy,
  );
}

/**
 * The folder of a run by its name below the folder of all runs, and nowhere else.
 * @throws WhitelineError BAD_INPUT if it leads elsewhere, or holds no run
 */
export function runFolderBelow(root: string, name: string): string {
  const path = join(root, name);
  if (nameBelow(root, path) !== null && keyOf(path) !== null) return path;
  throw badInput('run', `a run below ${root}`, name);
}

/** A run's folder as it is called below the folder of all runs; null if it lies elsewhere. */
export function nameBelow(root: string, path: string): string | null {
  const name = relative(resolve(root), resolve(path)).replace(/\\/g, '/');
  // Between two drives of Windows (untested) there is no way but the whole path.
  return name === '' || name.startsWith('..') || isAbsolute(name) ? null : name;
}

function hasAll(run: RunSummary, terms: readonly RegExp[]): boolean {
  if (terms.length === 0) return true;
  const { title, reason, notes, command, hosts, sources, formats, recordedIn, folder, experiment, id } = run;
  const lists = [notes, hosts, sources, formats, run.streamNames].flat();
  const named = [title, reason, searchedCommand(command), ...lists];
  // A phrase does not go on from one of them to the next.
  const searched = plain([...named, recordedIn, folder, experiment, id].join('\n;'));
  return terms.every((term) => term.test(searched));
}
