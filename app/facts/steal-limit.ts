/** CPU that a hypervisor may take away in any second, in percent: more makes a row INVALID. Apart, for what loads no schema. */
export const defaultMaxStealPercent = 5;

const mostDigits = 12;

/** With as many digits as show that it is beyond the limit: 5.04 of 5, never 5.0. */
export function percentBeyond(percent: number, limitPercent: number): string {
  let digits = 1;
  while (digits < mostDigits && Number(percent.toFixed(digits)) <= limitPercent) digits += 1;
  return percent.toFixed(digits);
}

/** What a hypervisor took beyond the limit. `whose`: what follows the CPU. */
export function stolenText(percent: number, limitPercent: number, whose = ''): string {
  return `the hypervisor took ${percentBeyond(percent, limitPercent)} % of the CPU${whose} away`;
}
