import { z } from 'zod';

const plainFactSchema = z.object({
  code: z.string().min(1),
  data: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
});

/**
 * A finding before it becomes a sentence: a code, with its figures and names; null: not measured. Counts and groups use codes.
 * One module words the facts of a kind.
 */
export const factSchema = plainFactSchema.extend({
  /** For a loss or an outage in a reason: the causes that were observed at the time. For a finding: why the check proves nothing. */
  seen: z.array(plainFactSchema).optional(),
});

export type Fact<Code extends string = string> = Omit<z.infer<typeof factSchema>, 'code'> & { code: Code };
export type FactData = Fact['data'];
