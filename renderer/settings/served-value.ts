import type { ServedSettings } from '../../app/protocol/about';
import { texts } from '../texts';

const { settings } = texts;
const words: Record<string, string> = {
  ...settings.thresholds.options,
  ...settings.reportPaper.options,
  ...settings.nmosNode.options,
};

/** What a served console has for a setting, in words; of what is not set, what stands in its place. */
export function servedValue(name: keyof ServedSettings, value: string): string {
  if (name === 'networkInterface') return value || settings.networkInterface.all;
  if (name === 'thresholds' || name === 'reportPaper' || name === 'nmosNode') return words[value] ?? value;
  if (name === 'reportLogo') return value || settings.reportLogo.usual;
  return value || (name === 'runsFolder' ? '' : settings[name].hint);
}
