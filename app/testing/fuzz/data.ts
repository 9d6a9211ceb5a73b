/** The places where a value holds what JSON cannot carry, such as functions or NaN. Empty: JSON can carry all of it. */
export function unlikeData(value: unknown, place = 'it'): string[] {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return [];
    case 'number':
      return Number.isFinite(value) ? [] : [`${place} is ${value}`];
    case 'object':
      break;
    default:
      return [`${place} is a ${typeof value}`];
  }
  if (value === null) return [];
  const kind = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object';
  if (!['Object', 'Array'].includes(kind)) return [`${place} is a ${kind}`];
  return Object.entries(value).flatMap(([key, inner]) => unlikeData(inner, `${place}.${key}`));
}
