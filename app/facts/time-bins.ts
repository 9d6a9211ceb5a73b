/** The bins by which times are counted for a histogram: equally wide on a logarithmic axis, from 1 µs on. */

const binsPerDecade = 50;
/** The longest time in them is one of millions of years. */
export const mostBins = 1000;

/** Bin of a time; what is below 1 µs is in the first one. Each bin is 4.7 % wide. */
export function binOf(us: number): number {
  return us < 1 ? 0 : Math.floor(Math.log10(us) * binsPerDecade + 1e-9);
}

/** Where a bin begins, ms. */
export function binStartMs(bin: number): number {
  return 10 ** (bin / binsPerDecade) / 1000;
}
