import { type Problem, toProblem } from '../../app/protocol/errors';
import { parseSettingsChange, type SettingsChange } from '../../app/protocol/settings';

/** What is wrong with a change, by the rules that main goes by. */
export function changeProblem(change: SettingsChange): Problem | null {
  try {
    parseSettingsChange(change);
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
