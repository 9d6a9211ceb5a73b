import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { HistoryFilter, RunSummary } from '../../protocol/history';
import { type DuckDBConnection, type DuckDBValue, queryRows, withDatabase } from './database';
import { readSummaries } from './index-file';
import { keyOf } from './run-folders';

const columns = ['position', 'started_at', 'experiment', 'verdict', 'state', 'hosts', 'words'] as const;

/**
 * The runs below a folder that are as the filter says, newest first.
 * @throws WhitelineError NOT_FOUND where there is no such folder; REQUIREMENT_MISSING without DuckDB
 */
export async function findInHistory(root: string, filter: HistoryFilter = {}): Promise<RunSummary[]> {
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

/**
 * Those of the runs that are as the filter says, newest first.
 * @throws WhitelineError REQUIREMENT_MISSING without DuckDB
 */
export function searchSummaries(
  summaries: readonly RunSummary[],
  filter: HistoryFilter,
): Promise<RunSummary[]> {
  return withDatabase(async (connection) => {
    await load(connection, summaries);
    const { where, values } = conditions(filter);
    const limit = filter.limit === undefined ? '' : ` LIMIT ${Math.max(0, Math.trunc(filter.limit))}`;
    const sql = `SELECT position FROM runs ${where} ORDER BY started_at DESC, position${limit}`;
    const found = await queryRows(connection, sql, values);
    return found.map(({ position }) => summaries[Number(position)] as RunSummary);
  });
}

/**
 * The folder that somebody means by a folder, a run's name below the folder of all runs, or its id.
 * @throws WhitelineError BAD_INPUT where there is no such run, or more than one
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
  throw badInput('run', named.length > 1 ? 'the name of one run' : 'a run', reference, remedy);
}

/**
 * The folder of a run by its name below the folder of all runs, and nowhere else.
 * @throws WhitelineError BAD_INPUT where it leads elsewhere, or holds no run
 */
export function runFolderBelow(root: string, name: string): string {
  const path = join(root, name);
  if (nameBelow(root, path) !== null && keyOf(path) !== null) return path;
  throw badInput('run', `a run below ${root}`, name);
}

/** A run's folder as it is called below the folder of all runs; null where it lies elsewhere. */
export function nameBelow(root: string, path: string): string | null {
  const name = relative(resolve(root), resolve(path)).replace(/\\/g, '/');
  // Between two drives of Windows (untested) there is no way but the whole path.
  return name === '' || name.startsWith('..') || isAbsolute(name) ? null : name;
}

async function load(connection: DuckDBConnection, summaries: readonly RunSummary[]): Promise<void> {
  const types = columns.map((column) => `${column} ${column === 'position' ? 'INTEGER' : 'VARCHAR'}`);
  await connection.run(`CREATE TABLE runs (${types.join(', ')})`);
  const appender = await connection.createAppender('runs');
  for (const [position, summary] of summaries.entries()) {
    const { startedAt, experiment, verdict, state, hosts } = summary;
    appender.appendInteger(position);
    appender.appendVarchar(startedAt);
    appender.appendVarchar(experiment);
    if (verdict === null) appender.appendNull();
    else appender.appendVarchar(verdict);
    appender.appendVarchar(state);
    appender.appendVarchar(hosts.join('\n').toLowerCase());
    appender.appendVarchar(wordsOf(summary));
    appender.endRow();
  }
  appender.closeSync();
}

function wordsOf({ title, reason, notes, command, hosts, folder, experiment, id }: RunSummary): string {
  return [title, reason, ...notes, command, ...hosts, folder, experiment, id].join('\n').toLowerCase();
}

function conditions(filter: HistoryFilter): { where: string; values: DuckDBValue[] } {
  const parts: [condition: string, value: string | undefined][] = [
    ['experiment = ?', filter.experiment],
    ['verdict = ?', filter.verdict],
    ['state = ?', filter.state],
    ['contains(hosts, ?)', filter.host?.toLowerCase()],
    ['started_at >= ?', filter.from],
    ['started_at < ?', filter.before],
    ...(filter.text ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word): [string, string] => ['contains(words, ?)', word]),
  ];
  const given = parts.filter((part): part is [string, string] => part[1] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`;
  return { where, values: given.map(([, value]) => value) };
}
