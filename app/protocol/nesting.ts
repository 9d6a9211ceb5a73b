import { z } from 'zod';

/** Nothing of ours is nested half as deep. What walks through a value that is much deeper overflows its stack. */
export const deepestNesting = 100;

/** Level by level, which needs no stack, and each object of a level once, however often it is referred to. */
export function isShallow(value: unknown): boolean {
  let level = [value].filter(isObject);
  for (let depth = 0; depth <= deepestNesting; depth++) {
    if (level.length === 0) return true;
    level = [...new Set(level.flatMap((one) => Object.values(one).filter(isObject)))];
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const expected = `Expected a value nested at most ${deepestNesting} levels deep`;

/** A foreign value that we keep as it is. */
export const shallowValue = z.unknown().refine(isShallow, expected);
export const shallowRecord = z.record(z.string(), z.unknown()).refine(isShallow, expected);
