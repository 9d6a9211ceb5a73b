import { Refusal } from '../../http/reply';

/** Attributes of a resource by paths with dots, as queries name them (IS-04 APIs – Query Parameters, "Basic Queries"). */

export type Scalar = string | number | boolean | null;

const mostSegments = 16;
const longestPath = 200;

/** @throws Refusal 400 for a path that no resource has, and that would take long to look for */
export function pathOf(name: string): string[] {
  const path = name.split('.');
  if (name.length <= longestPath && path.length <= mostSegments) return path;
  throw new Refusal(
    400,
    `Expected a path of at most ${longestPath} characters and ${mostSegments} parts but received ${name.slice(0, 40)}…`,
  );
}

/**
 * Whether any value at that path passes. Lists are gone through; a key may have dots of its own, as those of tags do.
 * @param path split at its dots
 */
export function someAt(value: unknown, path: readonly string[], passes: (value: Scalar) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => someAt(item, path, passes));
  if (typeof value !== 'object' || value === null)
    return path.length === 0 && isScalar(value) && passes(value);
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join('.');
    if (Object.hasOwn(value, key) && someAt(Reflect.get(value, key), path.slice(length), passes)) return true;
  }
  return false;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Names and values of tags are compared without regard to case (IS-04 APIs – Common Keys, "Tags"). */
export function foldedIn(path: readonly string[], text: string): string {
  return path[0] === 'tags' ? text.toLowerCase() : text;
}
