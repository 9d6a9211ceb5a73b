import { writeFileSync } from 'node:fs';
import { writeProblem } from '../sessions/append-file';
import { planText } from './plan-text';
import { checkedPlan, placeInPlan } from './read-plan';

/**
 * Writes the console's plan as a file for `whiteline run`.
 * @throws WhitelineError BAD_INPUT with everything that is wrong with it; OUTPUT_UNWRITABLE or DISK_FULL
 */
export async function writePlan(value: unknown, path: string): Promise<void> {
  const text = planText(checkedPlan(value, placeInPlan));
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw writeProblem(error, path);
  }
}
