import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, rowSchema } from '../app/protocol/row';
import { type Row as StreamsRow, streamRowsOf } from '../app/protocol/version-1/row';
import { flatRow } from '../app/testing/flat-rows';

/** Rows of a run folder as they stand in its append-only file; each must follow the schema. */
export function readRecordedRows(folder: string): Row[] {
  const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => rowSchema.parse(JSON.parse(line)));
}

/** Those of streams, as flat rows. */
export function readRows(folder: string): StreamsRow[] {
  return streamRowsOf(readRecordedRows(folder).map(flatRow));
}
