import { expect, test } from 'vitest';
import { Random, seeds } from '../random';
import { fuzzTargets } from './targets';

/** `npm run fuzz` reads 1,000,000 values; the tests so many. */
const cases = Number(process.env.WHITELINE_FUZZ_CASES ?? 10_000);
const casesOfTarget = Math.ceil(cases / fuzzTargets.length);
const seed = Number(process.env.WHITELINE_FUZZ_SEED ?? seeds[1]);
const longestMs = 3_600_000;

test.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s: whatever is read, nothing but a documented error comes out',
  (_, target) => {
    target.readGood();
    for (let index = 0; index < casesOfTarget; index++) {
      try {
        target.read(new Random(seed + index));
      } catch (error) {
        if (target.isDocumented(error)) continue;
        expect.fail(`WHITELINE_FUZZ_SEED=${seed + index}: ${(error as Error).stack}`);
      }
    }
  },
  longestMs,
);
