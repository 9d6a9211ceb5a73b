import { WhitelineError } from '../../protocol/errors';
import type { Random } from '../random';
import { mutated, mutatedText } from './mutate';

/** A reader of something that others wrote. */
export interface FuzzTarget {
  name: string;
  /** Reads the good ones as they are. */
  readGood(): Promise<void>;
  /** Reads a value like one of the good ones; where it is a promise, it is read when that resolves. */
  read(random: Random): unknown;
  /** What it may throw: the errors that it documents. */
  isDocumented(error: unknown): boolean;
}

export const isRefusal = (error: unknown): boolean => error instanceof WhitelineError;
export const never = (): boolean => false;

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
      for (const value of good) await read(value);
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
  read: (text: string) => void,
  isDocumented: FuzzTarget['isDocumented'] = isRefusal,
): FuzzTarget {
  return target(name, good, mutatedText, read, isDocumented);
}
