const longest = 80;

/** A plan's name as the name of a file, the same on every system; letters of any language stay. */
export function planFileName(name: string): string {
  const words = name.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').replace(/\s+/g, ' ');
  // Neither hidden nor one of the folder's own names.
  return words.slice(0, longest).replace(/^[ .]+|[ .]+$/g, '') || 'plan';
}
