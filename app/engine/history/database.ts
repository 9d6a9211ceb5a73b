import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { WhitelineError } from '../../protocol/errors';

export type { DuckDBAppender, DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/** It shares the machine with what is measured, and reaches for nothing outside of it. */
const settings = {
  threads: '1',
  memory_limit: '1GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/**
 * A database in memory for as long as it is used. DuckDB is loaded here and not before: most runs never need it.
 * @throws WhitelineError REQUIREMENT_MISSING if DuckDB is not part of this installation
 */
export async function withDatabase<Result>(
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((error: Error) => {
    throw new WhitelineError({
      code: 'REQUIREMENT_MISSING',
      message: `DuckDB cannot be loaded (${error.message.split('\n')[0]})`,
      remedy: 'Install the application again, or run npm install; the run folders can be read without it',
    });
  });
  const instance = await DuckDBInstance.create(':memory:', settings);
  const connection = await instance.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Rows of a query; values of its parameters never become part of the query's text. */
export async function queryRows(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[] = [],
): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql, values);
  return reader.getRowObjectsJS();
}

/** A name as SQL takes it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}

/** A text as SQL takes it, where no parameter may stand. */
export function literal(text: string): string {
  return `'${text.replace(/'/g, "''")}'`;
}
