import { expect } from 'vitest';
import { type ErrorCode, WhitelineError } from '../../protocol/errors';
import type { Random } from '../random';
import { mutated, mutatedText } from './mutate';

/** A reader of something that others wrote. */
export interface FuzzTarget {
  name: string;
  /** What comes of the good ones as they are. */
  readGood(): Promise<unknown[]>;
  /** What comes of a value like one of the good ones, or a promise of it. */
  read(random: Random): unknown;
  /** What it may throw: the errors that it documents. */
  isDocumented(error: unknown): boolean;
}

/** For readers of what people wrote. */
export const isRefusal = isProblem('BAD_INPUT');
/** For readers of what a tool or a server said. */
export const isToolFailure = isProblem('TOOL_FAILED');
export const never = (): boolean => false;

function isProblem(code: ErrorCode): FuzzTarget['isDocumented'] {
  return (error) => error instanceof WhitelineError && error.code === code;
}

/** Reads values like these, varied in this way. */
export function target<Value>(
  name: string,
  good: readonly Value[],
  vary: (value: Value, random: Random) => Value,
  read: (value: Value) => unknown,
  isDocumented: FuzzTarget['isDocumented'],
): FuzzTarget {
  return {
    name,
    readGood: async () => {
      const all: unknown[] = [];
      for (const value of good) all.push(await read(value));
      return all;
    },
    read: (random) => read(vary(random.pick(good), random)),
    isDocumented,
  };
}

/** Of values as JSON has them. */
export function ofValues(
  name: string,
  good: readonly unknown[],
  read: (value: unknown) => unknown,
  isDocumented: FuzzTarget['isDocumented'] = never,
): FuzzTarget {
  return target(name, good, mutated, read, isDocumented);
}

export function ofTexts(
  name: string,
  good: readonly string[],
  read: (text: string) => unknown,
  isDocumented: FuzzTarget['isDocumented'] = isRefusal,
): FuzzTarget {
  return target(name, good, mutatedText, read, isDocumented);
}

/** Reads, and holds what it read against what is read of the same when it was written. */
export function readTwice<Value, Read>(
  read: (value: Value) => Read,
  write: (read: Read) => Value,
): (value: Value) => Read {
  return (value) => {
    const once = read(value);
    // In JSON −0 is 0.
    expect(asJson(readOrError(read, write(once)))).toEqual(asJson(once));
    return once;
  };
}

/** A value that was read once must be readable again, so any error here is a fault. */
function readOrError<Value, Read>(read: (value: Value) => Read, value: Value): unknown {
  try {
    return read(value);
  } catch (error) {
    return error;
  }
}

export function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
