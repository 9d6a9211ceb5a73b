import type { SourcePreset } from '../../app/protocol/source-preset';
import { playMovie, type SourceSettings, sourceOf, useSettings } from '../engine/source-settings';
import { fileName } from '../format';
import { texts } from '../texts';

const { builtIn } = texts.picker.presets;

/** What the first study sent, what it found to break a codec, and two that any machine carries. */
export const builtInPresets: readonly SourcePreset[] = [
  { name: builtIn.study, source: 'white-line', format: '3840x2160@60' },
  { name: builtIn.hd, source: 'white-line', format: '1920x1080@60' },
  { name: builtIn.worst, source: 'noise', format: '1920x1080@60' },
  { name: builtIn.light, source: 'white-line', format: '1280x720@30' },
];

/** What is set now, to be kept; null while there is no source to keep. */
export function presetOf(settings: SourceSettings, name: string): SourcePreset | null {
  // A movie of another machine has a name of that machine alone.
  const isHere = settings.kind !== 'movie' || settings.sendOn === null;
  const source = isHere ? sourceOf(settings) : '';
  const format = settings.format.trim();
  return source === '' || format === '' ? null : { name: name.trim(), source, format };
}

export function applyPreset({ source, format }: SourcePreset): void {
  useSettings.setState({ format });
  if (source === 'white-line' || source === 'noise') useSettings.setState({ kind: source });
  else playMovie(source);
}

/** By name; one of the same name is replaced. */
export function withPreset(presets: readonly SourcePreset[], preset: SourcePreset): SourcePreset[] {
  return [...withoutPreset(presets, preset.name), preset].sort((one, other) =>
    one.name.localeCompare(other.name, 'en'),
  );
}

export function withoutPreset(presets: readonly SourcePreset[], name: string): SourcePreset[] {
  return presets.filter((preset) => preset.name !== name);
}

export function summaryOf({ source, format }: SourcePreset): string {
  const isGenerated = source === 'white-line' || source === 'noise';
  if (!isGenerated) return fileName(source);
  return texts.picker.presets.summary(texts.source.kinds[source], format.replace('x', '×'));
}
