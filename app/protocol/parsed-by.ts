import type { z } from 'zod';
import { WhitelineError } from './errors';

/** Lets zod report our own sentence for a value that one of our parsers refuses. */
export function parsedBy<Value = string>(parse: (value: Value) => unknown) {
  return (value: Value, context: z.RefinementCtx): void => {
    try {
      parse(value);
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      context.addIssue({
        code: 'custom',
        message: error.remedy ? `${error.message}. ${error.remedy}` : error.message,
      });
    }
  };
}
