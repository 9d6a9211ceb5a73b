import { badInput } from '../protocol/errors';

export interface ClockSkew {
  offsetMs: number;
  partsPerMillion: number;
}

/** A day, and a clock that is a tenth too fast or too slow: more than any test needs. */
const mostOffsetMs = 86_400_000;
const mostPartsPerMillion = 100_000;

/**
 * The clock of another machine for this process, as tests ask for it in the environment variable WHITELINE_CLOCK_SKEW:
 * "37ms,20ppm" is ahead by 37 ms and runs fast by 20 ppm. Null if it is not asked for.
 * @throws WhitelineError BAD_INPUT
 */
export function clockSkewOf(environment: NodeJS.ProcessEnv): ClockSkew | null {
  const text = environment.WHITELINE_CLOCK_SKEW;
  if (text === undefined) return null;
  const [, offset, rate] = /^(-?\d{1,8}(?:\.\d{1,6})?)ms,(-?\d{1,6}(?:\.\d{1,6})?)ppm$/.exec(text) ?? [];
  const skew = { offsetMs: Number(offset), partsPerMillion: Number(rate) };
  const isSound =
    Math.abs(skew.offsetMs) <= mostOffsetMs && Math.abs(skew.partsPerMillion) <= mostPartsPerMillion;
  if (isSound) return skew;
  throw badInput(
    'WHITELINE_CLOCK_SKEW',
    'an offset and a rate like "37ms,20ppm", at most a day and 100000 ppm,',
    text,
    'Unset it: it only serves tests',
  );
}
