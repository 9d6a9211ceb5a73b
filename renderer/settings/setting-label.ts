import { texts } from '../texts';

/** What a setting is called in the window; undefined for a field that is not a setting. */
export function settingLabel(field: string): string | undefined {
  const known = Object.entries(texts.settings).find(([name]) => name === field)?.[1];
  return typeof known === 'object' && 'label' in known ? `“${known.label}”` : undefined;
}
