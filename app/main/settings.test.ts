import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseSettings, parseSettingsChange } from '../protocol/settings';
import { SettingsFile } from './settings';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whiteline-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what is changed is there the next time, and nothing else is left behind', () => {
  const first = new SettingsFile(path);
  expect(first.settings).toEqual(parseSettings({}));
  first.change({ searchHosts: ['192.0.2.7'], runsFolder: '/mnt/runs' });
  first.change({ theme: 'light' });
  const { settings, problem } = new SettingsFile(path);
  expect(settings).toEqual({
    ...parseSettings({}),
    searchHosts: ['192.0.2.7'],
    runsFolder: '/mnt/runs',
    theme: 'light',
  });
  expect(problem).toBeNull();
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

test.each([
  ['{"theme": "dark"', 'JSON'],
  ['[]', 'for settings but received []'],
  ['{"theme": "pink"}', 'Expected dark or light for theme but received pink'],
  ['{"themes": "dark"}', 'but received themes'],
  ['{"searchHosts": ["192.0.2.7", "--help"]}', 'for searchHosts but received --help'],
])('a broken file, %s, is reported and set aside', (text, reported) => {
  writeFileSync(path, text);
  const file = new SettingsFile(path);
  expect(file.settings).toEqual(parseSettings({}));
  expect(file.problem?.message).toContain(reported);
  expect(file.problem?.message).toContain(`${path}.broken`);
  expect(readFileSync(`${path}.broken`, 'utf8')).toBe(text);
  file.change({ theme: 'light' });
  expect(new SettingsFile(path)).toMatchObject({ problem: null, settings: { theme: 'light' } });
});

test('what cannot be written is reported, and the settings are what they were', () => {
  writeFileSync(join(folder, 'blocked'), '');
  const file = new SettingsFile(join(folder, 'blocked', 'settings.json'));
  expect(() => file.change({ theme: 'light' })).toThrow('cannot be written');
  expect(file.settings.theme).toBe('dark');
});

test('presets of sources are kept as a window gives them, and a broken one is refused', () => {
  const presets = [{ name: 'Rack 4', source: '/clips/flares.mov', format: '1920x1080@25' }];
  expect(parseSettingsChange({ presets })).toEqual({ presets });
  new SettingsFile(path).change({ presets });
  expect(new SettingsFile(path).settings.presets).toEqual(presets);
  expect(() => parseSettingsChange({ presets: [{ ...presets[0], name: ' ' }] })).toThrow('for presets');
  expect(() => parseSettingsChange({ presets: [{ ...presets[0], run: 'rm' }] })).toThrow('for presets');
});

test('a window changes what it names, and gives no paths', () => {
  expect(parseSettingsChange({ theme: 'light' })).toEqual({ theme: 'light' });
  expect(parseSettingsChange({ runsFolder: null })).toEqual({ runsFolder: null });
  expect(() => parseSettingsChange({ ndiPath: '/tmp/libndi.so' })).toThrow('received /tmp/libndi.so');
  expect(() => parseSettingsChange({ thresholds: { file: '/etc/passwd' } })).toThrow('for thresholds');
  expect(() => parseSettingsChange({ discoveryServers: ['a b'] })).toThrow('received a b');
  expect(() => parseSettingsChange({ discoveryServers: ['pc:99999x'] })).toThrow('received pc:99999x');
});
