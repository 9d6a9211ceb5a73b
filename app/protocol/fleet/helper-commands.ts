import { z } from 'zod';
import { plainSentences } from '../plain-text';
import { hostIdSchema } from './subjects';

/** A kind of helper program, which its agent finds by itself: the role under which its load counts. */
export const helperKindShape = {
  kind: z.string().regex(/^[a-z0-9-]{1,40}$/, 'Expected a kind of helper program'),
};

export const helperIdShape = { helperId: hostIdSchema };

/** What is missing and how to get it, as sentences; null: nothing. */
export const missingSchema = z.object({
  missing: z.string().max(2000).transform(plainSentences).nullable(),
});
