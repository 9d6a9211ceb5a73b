import { type Problem, renameFields, toProblem } from '../../app/protocol/errors';
import { parseSettingsChange, type SettingsChange } from '../../app/protocol/settings';
import { settingLabel } from './setting-label';

/** What is wrong with a change, by the rules that main goes by; settings have the names that the window shows. */
export function changeProblem(change: SettingsChange): Problem | null {
  try {
    parseSettingsChange(change);
    return null;
  } catch (error) {
    return renameFields(toProblem(error), settingLabel);
  }
}
