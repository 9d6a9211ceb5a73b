export { Random } from '../engine/faults/random';

/** A fixed seed and one of the moment; a failing test names its seed. */
export const seeds: readonly [fixed: number, ofTheMoment: number] = [20191021, Date.now() % 2 ** 31];
