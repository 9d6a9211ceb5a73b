import { z } from 'zod';

/** What JSON Schema says of a field, as far as forms, flags and error messages use it. */
export interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  anyOf?: FieldSchema[];
}

/** Of what is typed, before defaults are filled in. */
export function fieldSchemaOf(schema: z.ZodType): FieldSchema {
  const described =
    known.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as FieldSchema);
  known.set(schema, described);
  return described;
}

/** Making one takes milliseconds, and a value with much wrong in it asks for it again and again. */
const known = new WeakMap<z.ZodType, FieldSchema>();
