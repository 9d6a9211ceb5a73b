import { z } from 'zod';
import { runSchema } from './run';

/** docs/schema/run.schema.json: JSON Schema of `run.json`; a line of `rows.jsonl` is an item of its `rows`. */
export function runJsonSchema(): string {
  const schema = { title: 'Whiteline run', ...z.toJSONSchema(runSchema, { reused: 'ref' }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
