import { z } from 'zod';
import { entryFields, experimentsField, mostEntries, planEntrySchema, planFields } from '../protocol/plan';
import { declarations } from './declarations';

const ids = declarations.map(({ id }) => id) as [string, ...string[]];

/** One experiment of a plan, of those that there are. */
export const knownEntrySchema = planEntrySchema.extend({
  experiment: z.enum(ids).describe('Which experiment; see whiteline list'),
});

/** docs/schema/plan.schema.json: JSON Schema of a plan with the parameters of every experiment, for editors. */
export function planJsonSchema(): string {
  const entries = declarations.map(({ id, title, parameters }) =>
    z
      .strictObject({
        experiment: z.literal(id).describe(title),
        name: entryFields.name,
        parameters: parameters.optional(),
        repeat: entryFields.repeat,
      })
      .describe(title),
  );
  const published = z.strictObject({
    ...planFields,
    experiments: z.array(z.union(entries)).min(1).max(mostEntries).describe(experimentsField),
  });
  const schema = { title: 'Whiteline plan', ...z.toJSONSchema(published, { io: 'input' }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
