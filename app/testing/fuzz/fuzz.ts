import { expect, test } from 'vitest';
import { Random, seeds } from '../random';
import { unlikeData } from './data';
import type { FuzzTarget } from './target';

/** `npm run fuzz` reads 1,000,000 values of each set, the tests this many. */
const cases = Number(process.env.WHITELINE_FUZZ_CASES ?? 10_000);
const [seed] = seeds;
const longestMs = 3_600_000;

/** A test for each target of a set. */
export function fuzz(targets: readonly FuzzTarget[]): void {
  const casesOfTarget = Math.ceil(cases / targets.length);
  test.each(targets.map((target) => [target.name, target] as const))(
    '%s: whatever is read, data or a documented error comes out, and nothing else',
    async (_, target) => {
      for (const value of await target.readGood()) expect(unlikeData(value)).toEqual([]);
      for (let index = 0; index < casesOfTarget; index++) {
        try {
          expect(unlikeData(await target.read(new Random(seed + index)))).toEqual([]);
        } catch (error) {
          if (target.isDocumented(error)) continue;
          expect.fail(`WHITELINE_SEED=${seed + index}: ${(error as Error).stack}`);
        }
      }
    },
    longestMs,
  );
}
