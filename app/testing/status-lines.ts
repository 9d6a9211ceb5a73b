/** Standard error of a run without how far it is: on a busy machine a part takes long enough to be worth a line of its own. */
export function withoutStatus(errors: string): string {
  return errors.replace(/^(\d+ of \d+|Measuring the baseline)( · .*)?\n/gm, '');
}
