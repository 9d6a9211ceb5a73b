import { z } from 'zod';

/** A moment of wall time as ISO 8601 in UTC. Whatever reads a record may make a date of it. */
export const wallTimeSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'a date that there is');
