import type { Fact } from './fact';
import type { ReasonCode } from './reason-words';

const quieter =
  'close other programs, or measure on a quieter machine (the experiment Quiet machine says whether it is)';
const lighter = 'close other programs, or measure fewer or smaller streams';
const clock = 'let no program set the clock while you measure';

/** What an operator does about a guard that is broken. The words of a reason say it where it is not here, and of what nobody can do nothing. */
const remedies: Partial<Record<ReasonCode, string>> = {
  ...{ 'others-busy': quieter, 'busy-baseline': quieter, 'no-load-sample': quieter },
  ...{ 'process-starved': quieter, 'row-late': quieter, 'pacing-late': quieter, 'fetched-late': quieter },
  ...{ 'records-overflowed': lighter, 'display-late': 'close the display window' },
  'process-stopped': 'let nothing pause Whiteline or the programs that it starts, such as a debugger',
  suspended: 'switch off sleep in the power settings of the machine',
  ...{ 'wall-clock-step': clock, 'sender-clock-step': clock },
  'machine-unreachable': 'check the network of the machine, and that its agent runs',
  'not-checked': 'run the Preflight, which says what this machine does not report',
};

const byCode = new Map<string, string>(Object.entries(remedies));

/** How it begins where it stands in a sentence. */
export const whatToDo = 'what to do: ';

/** What to do about the first of these facts for which there is something; null: for none. */
export function remedyOf(reason: readonly Fact[]): string | null {
  const known = reason.find(({ code }) => byCode.has(code));
  return known ? (byCode.get(known.code) ?? null) : null;
}
