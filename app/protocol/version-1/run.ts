import { z } from 'zod';
import { runSchema as newestSchema } from '../run';
import { runRowSchema } from './row';

/** `run.json`: derived from the append-only files beside it, so it can always be made again. */
export const runSchema = newestSchema.extend({
  schema: z.literal('whiteline-run/1'),
  rows: z.array(runRowSchema),
});

export type Run = z.infer<typeof runSchema>;
