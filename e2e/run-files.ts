import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowSchema } from '../app/protocol/row';
import { type Row, streamRowsOf } from '../app/protocol/version-1/row';
import { flatRow } from '../app/testing/flat-rows';

/** Rows of streams of a run folder as they stand in its append-only file; each must follow the schema. */
export function readRows(folder: string): Row[] {
  const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trim().split('\n');
  const rows = lines.filter((line) => line !== '').map((line) => rowSchema.parse(JSON.parse(line)));
  return streamRowsOf(rows.map(flatRow));
}
