import { z } from 'zod';

type Parsed<Value> =
  | { success: true; data: Value; error?: undefined }
  | { success: false; data?: undefined; error: z.core.$ZodError };

/**
 * `schema.safeParse(value)` of what others wrote. A check of a length compares whatever is called `length`, and throws where that is
 * an object that is no number: this refuses such a value like any other.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    const message = `Expected values of plain types: ${(error as Error).message}`;
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: value }]) };
  }
}
