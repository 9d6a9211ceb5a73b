export { Random } from '../engine/faults/random';

const { WHITELINE_SEED } = process.env;
const usualSeed = 20191021;
if (WHITELINE_SEED !== undefined && !/^\d{1,15}$/.test(WHITELINE_SEED))
  throw new Error(
    `Expected a whole number of up to 15 digits for WHITELINE_SEED but received "${WHITELINE_SEED}"`,
  );

/**
 * What random tests begin with. `npm test` always takes the same seed, so that the code alone decides; the suite `seeds` of
 * `npm run test:deep` takes another one each time, and the variable repeats it.
 */
export const seeds: readonly [number] = [Number(WHITELINE_SEED ?? usualSeed)];

/** How many random cases a test takes: few with the usual seed, many with another. */
export function cases(few: number, many: number): number {
  return WHITELINE_SEED === undefined ? few : many;
}

/** The seeds of so many cases in groups of this many: a test for each ends soon, on a busy machine too. */
export function groupsOf(all: number, each: number): number[] {
  return seeds.flatMap((seed) => Array.from({ length: all / each }, (_, group) => seed + group * each));
}
