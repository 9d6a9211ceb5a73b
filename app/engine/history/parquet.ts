import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../facts/reason-words';
import type { Row, Subject } from '../../facts/row';
import { type Figured, figureOf, idsOf } from '../../facts/row-figures';
import { WhitelineError } from '../../protocol/errors';
import { writeProblem } from '../sessions/append-file';
import { makeFolder } from '../sessions/make-folder';
import { checkNewFile, type Existing, putInPlace } from '../sessions/new-file';
import { readEvents, readRun, readSamples } from '../sessions/read-run';
import { factsOf } from '../sessions/run-facts';
import { type DuckDBAppender, type DuckDBConnection, literal, quoted, withDatabase } from './database';
import { type Cell, type ColumnType, ColumnTypes, flatRecord } from './flat-records';

type FlatRecord = Record<string, Cell>;

const tables = ['rows', 'subjects', 'samples', 'events'] as const;
type Table = (typeof tables)[number];

/**
 * Writes rows, their subjects (such as streams), samples and events of runs as Parquet files into a folder, which is made
 * where it is absent: `rows.parquet`, `subjects.parquet`, `samples.parquet`, `events.parquet`. The first columns of each line name its
 * run; figures are called as in the registry of metrics, and are null if they were not measured, with the reasons in
 * `notMeasured`. A table without a line has no file.
 * @returns paths of the files
 * @throws WhitelineError NOT_FOUND for a folder without a run; BAD_INPUT for a file that is there to be kept; OUTPUT_UNWRITABLE, DISK_FULL; REQUIREMENT_MISSING
 */
export async function exportParquet(
  folders: readonly string[],
  path: string,
  existing: Existing,
): Promise<string[]> {
  const runs = folders.map((folder) => {
    const { id, experiment, title, startedAt } = factsOf(folder, false).facts;
    return { folder, run: { runId: id, runFolder: folder, experiment, title, runStartedAt: startedAt } };
  });
  try {
    makeFolder(path);
  } catch (error) {
    throw writeProblem(error, path);
  }
  for (const table of tables) checkNewFile(fileOf(path, table), existing);
  // Twice through the folders, so that no more than one run's records are in memory.
  const types = Object.fromEntries(tables.map((table) => [table, new ColumnTypes()])) as Record<
    Table,
    ColumnTypes
  >;
  for (const { folder, run } of runs) {
    const records = recordsOf(folder);
    for (const table of tables) for (const record of records[table]) types[table].add({ ...run, ...record });
  }
  const filled = tables.filter((table) => types[table].columns.length > 0);
  return withDatabase(async (connection) => {
    const appenders: [Table, DuckDBAppender][] = [];
    for (const table of filled) {
      await createTable(connection, table, types[table].columns);
      appenders.push([table, await connection.createAppender(table)]);
    }
    for (const { folder, run } of runs) {
      const records = recordsOf(folder);
      for (const [table, appender] of appenders) append(appender, types[table].columns, records[table], run);
    }
    for (const [, appender] of appenders) appender.closeSync();
    const files: string[] = [];
    for (const table of filled) files.push(await copyTo(connection, table, path, existing));
    // A file that an earlier export left there is not of these runs.
    for (const table of tables) if (!filled.includes(table)) rmSync(fileOf(path, table), { force: true });
    return files;
  });
}

function recordsOf(folder: string): Record<Table, FlatRecord[]> {
  const { rows } = readRun(folder);
  return {
    rows: rows.map(rowRecord),
    subjects: rows.flatMap(({ index, subjects }) => subjects.map((subject) => subjectRecord(index, subject))),
    samples: readSamples(folder).map((sample) => flatRecord(sample)),
    events: readEvents(folder).map(({ at, kind, text, streamId = null, details }) => ({
      ...{ at, kind, text, streamId, details: details ? JSON.stringify(details) : null },
    })),
  };
}

function rowRecord(row: Row): FlatRecord {
  const { index, label, from, to, verdict, reason, notMeasured, details } = row;
  return {
    ...{ row: index, label, startedAt: from, endedAt: to, verdict, reason: wordsOf(reason) },
    ...figureRecord(row),
    notMeasured: JSON.stringify(notMeasured),
    details: details ? JSON.stringify(details) : null,
  };
}

function subjectRecord(row: number, subject: Subject): FlatRecord {
  const { kind, id, name, hosts, verdict = null, reason = [], losses, outages, notMeasured } = subject;
  return {
    ...{ row, kind, subjectId: id, name, hosts: JSON.stringify(hosts), verdict, reason: wordsOf(reason) },
    ...figureRecord(subject),
    losses: losses ? JSON.stringify(losses) : null,
    outages: outages ? JSON.stringify(outages) : null,
    notMeasured: JSON.stringify(notMeasured),
  };
}

/** The figures that were recorded; what does not fit into a cell, such as a histogram, as JSON. */
function figureRecord(of: Figured): FlatRecord {
  const record: FlatRecord = {};
  for (const id of idsOf(of)) {
    const figure = figureOf(of, id);
    record[id] = typeof figure === 'object' && figure !== null ? JSON.stringify(figure) : figure;
  }
  return record;
}

async function createTable(
  connection: DuckDBConnection,
  name: string,
  columns: readonly [name: string, type: ColumnType][],
): Promise<void> {
  const list = columns.map(([column, type]) => `${quoted(column)} ${type}`).join(', ');
  await connection.run(`CREATE TABLE ${quoted(name)} (${list})`);
}

function append(
  appender: DuckDBAppender,
  columns: readonly [name: string, type: ColumnType][],
  records: readonly FlatRecord[],
  run: FlatRecord,
): void {
  for (const record of records) {
    const line: FlatRecord = { ...run, ...record };
    for (const [name, type] of columns) {
      const cell = line[name] ?? null;
      if (cell === null) appender.appendNull();
      else if (type === 'DOUBLE') appender.appendDouble(cell as number);
      else if (type === 'BOOLEAN') appender.appendBoolean(cell as boolean);
      else appender.appendVarchar(String(cell));
    }
    appender.endRow();
  }
}

function fileOf(path: string, table: Table): string {
  return join(path, `${table}.parquet`);
}

/** Whole or not at all: a reader never finds half a file. DuckDB writes where no other has put a link. */
async function copyTo(
  connection: DuckDBConnection,
  table: Table,
  path: string,
  existing: Existing,
): Promise<string> {
  const file = fileOf(path, table);
  let scratch = '';
  try {
    scratch = mkdtempSync(join(path, '.whiteline-'));
    const temporary = fileOf(scratch, table);
    await connection.run(`COPY ${quoted(table)} TO ${literal(temporary)} (FORMAT parquet, COMPRESSION zstd)`);
    putInPlace(temporary, file, existing);
    return file;
  } catch (error) {
    throw error instanceof WhitelineError ? error : copyProblem(error as Error, file);
  } finally {
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  }
}

function copyProblem(error: Error, file: string): WhitelineError {
  const code = /No space left/i.test(error.message) ? 'ENOSPC' : undefined;
  return writeProblem(Object.assign(new Error(error.message.split('\n')[0]), { code }), file);
}
