import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, rowSchema } from '../app/facts/row';
import { isOfNamedStreams, namedRow, type Row as StreamsRow } from '../app/testing/named-rows';

/** Rows of a run folder as they stand in its append-only file; each must follow the schema. */
export function readRecordedRows(folder: string): Row[] {
  const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => rowSchema.parse(JSON.parse(line)));
}

/** Those of streams, as flat rows. */
export function readRows(folder: string): StreamsRow[] {
  return readRecordedRows(folder).map(namedRow).filter(isOfNamedStreams);
}
