import type { z } from 'zod';
import { WhitelineError } from './errors';

/** Lets zod report our own sentence for a value that one of our parsers refuses. */
export function parsedBy(parse: (text: string) => unknown) {
  return (text: string, context: z.RefinementCtx): void => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      context.addIssue({
        code: 'custom',
        message: error.remedy ? `${error.message}. ${error.remedy}` : error.message,
      });
    }
  };
}
