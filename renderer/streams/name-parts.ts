const endLength = 8;

/** The start of a name, which may be cut, and its end, which tells names of one console apart. */
export function nameParts(name: string): [start: string, end: string] {
  const letters = [...name];
  return [letters.slice(0, -endLength).join(''), letters.slice(-endLength).join('')];
}
