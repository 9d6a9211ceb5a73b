import { badInput } from './errors';

const unitBytes: Record<string, number> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/**
 * Parses "500MB", "4GB" or a bare number of bytes.
 * @throws WhitelineError BAD_INPUT
 */
export function parseBytes(text: string, field: string): number {
  const parts = /^(\d{1,12}(?:\.\d{1,3})?) ?(kB|MB|GB|TB)?$/.exec(text.trim());
  if (!parts) throw badInput(field, 'a size', text, 'Use for example 500MB or 4GB');
  return Math.floor(Number(parts[1]) * (unitBytes[parts[2] ?? ''] ?? 1));
}
