import { type Existing, writeNewFile } from '../sessions/new-file';
import { planText } from './plan-text';
import { checkedPlan, positionInPlan } from './read-plan';

/**
 * Writes a plan as a file for `whiteline run`.
 * @throws WhitelineError BAD_INPUT with everything that is wrong with it, or for a name that is taken; OUTPUT_UNWRITABLE or
 * DISK_FULL
 */
export function writePlan(value: unknown, path: string, existing: Existing): void {
  writeNewFile(path, planText(checkedPlan(value, positionInPlan)), existing);
}
