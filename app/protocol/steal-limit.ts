/** CPU that a hypervisor may take away in any second, in percent: more makes a row INVALID. Apart, for what loads no schema. */
export const defaultMaxStealPercent = 5;

const mostDigits = 12;

/** What a hypervisor took beyond the limit, with as many digits as show that it is beyond: 5.04 % of 5 %, never 5.0 %. */
export function stolenText(percent: number, limitPercent: number): string {
  let digits = 1;
  while (digits < mostDigits && Number(percent.toFixed(digits)) <= limitPercent) digits += 1;
  return `the hypervisor took ${percent.toFixed(digits)} % of the CPU away`;
}
