import { z } from 'zod';
import { describedFigures } from '../facts/figure';
import { runSchema } from '../facts/run';
import { sessionExportSchema } from './session';

/** docs/schema/run.schema.json: JSON Schema of `run.json`; a line of `rows.jsonl` is an item of its `rows`. */
export function runJsonSchema(): string {
  return jsonSchemaOf('Whiteline run', runSchema);
}

/** docs/schema/session.schema.json: JSON Schema of the JSON export of a session; `session.json` is the same without `run`. */
export function sessionJsonSchema(): string {
  return jsonSchemaOf('Whiteline session', sessionExportSchema);
}

function jsonSchemaOf(title: string, schema: z.ZodType): string {
  const described = z.toJSONSchema(schema, {
    reused: 'ref',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shape = describedFigures.get(zodSchema);
      if (shape) Object.assign(jsonSchema, z.toJSONSchema(shape), { $schema: undefined });
    },
  });
  return `${JSON.stringify({ title, ...described }, null, 2)}\n`;
}
