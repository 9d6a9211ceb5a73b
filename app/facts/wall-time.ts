import { z } from 'zod';

/** A moment of wall time as ISO 8601 in UTC. Whatever reads a record may make a date of it. */
export const wallTimeSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/);
