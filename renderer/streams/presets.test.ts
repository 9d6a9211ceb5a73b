import { afterEach, expect, test } from 'vitest';
import { parseFormat } from '../../app/protocol/format';
import { sourcePresetSchema } from '../../app/protocol/source-preset';
import { sourceOf, useSettings } from '../engine/source-settings';
import { applyPreset, builtInPresets, presetOf, withoutPreset, withPreset } from './presets';

const initial = useSettings.getState();
afterEach(() => useSettings.setState(initial, true));

test('every given preset is one that the settings would keep, in a format that can be sent', () => {
  for (const preset of builtInPresets) {
    expect(sourcePresetSchema.parse(preset)).toEqual(preset);
    expect(() => parseFormat(preset.format)).not.toThrow();
  }
});

test.each(['noise', '/clips/flares.mov'])('%s is set again as it was kept', (source) => {
  applyPreset({ name: 'x', source, format: '1920x1080@25' });
  const kept = presetOf(useSettings.getState(), ' Rack 4 ');
  expect(kept).toEqual({ name: 'Rack 4', source, format: '1920x1080@25' });
  useSettings.setState(initial, true);
  if (kept) applyPreset(kept);
  expect(sourceOf(useSettings.getState())).toBe(source);
  expect(useSettings.getState().format).toBe('1920x1080@25');
});

test('there is nothing to keep while a file is yet to be chosen, or of a live source', () => {
  for (const kind of ['movie', 'clip', 'live'] as const)
    expect(presetOf({ ...initial, kind }, 'x')).toBeNull();
});

test('a movie of another machine is not kept: its name is one of that machine alone', () => {
  const machineMovie = { machine: 'render-1', name: 'a.mov' };
  const settings = { ...initial, kind: 'movie' as const, machineMovie, sendOn: 'render-1' };
  expect(sourceOf(settings)).toBe('a.mov');
  expect(presetOf(settings, 'x')).toBeNull();
});

test('presets are in the order of their names, and one of the same name is replaced', () => {
  const of = (name: string, source = 'noise') => ({ name, source, format: '1280x720@60' });
  const kept = withPreset(withPreset([of('B')], of('A')), of('B', 'white-line'));
  expect(kept).toEqual([of('A'), of('B', 'white-line')]);
  expect(withoutPreset(kept, 'A')).toEqual([of('B', 'white-line')]);
});
