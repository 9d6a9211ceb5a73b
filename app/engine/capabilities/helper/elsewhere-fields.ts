import { z } from 'zod';

/** Fields of commands as an agent reads them of a console. */

/** Of a row, a topic or a stream. */
export const shortText = z.string().max(200);

/** Of one machine. */
export const unicastAddress = z
  .ipv4()
  .refine((text) => isUnicast(text), 'Expected the IPv4 address of one machine');

function isUnicast(text: string): boolean {
  const first = Number(text.split('.')[0]);
  return first > 0 && first < 224;
}

export const portSchema = z.int().min(0).max(65_535);

/** Of the monotonic clock there, ns. */
export const momentText = z.string().regex(/^\d{0,19}$/, 'Expected nanoseconds');

export const webUrl = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[^\s@/]+(\/\S*)?$/, 'Expected a URL of HTTP without user and password');
