import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withNdiConfiguration } from './ndi-configuration';

/** What libndi would read while it is loaded. */
function read(): { folder: string; text: string } {
  const folder = process.env.NDI_CONFIG_DIR ?? '';
  return { folder, text: readFileSync(join(folder, 'ndi-config.v1.json'), 'utf8') };
}

test('a configuration is there while libndi is loaded, and gone afterwards', () => {
  process.env.NDI_CONFIG_DIR = '/mine';
  const { folder, text } = withNdiConfiguration('{"ndi":{}}', read);
  expect(text).toBe('{"ndi":{}}');
  expect(existsSync(folder)).toBe(false);
  expect(process.env.NDI_CONFIG_DIR).toBe('/mine');
  delete process.env.NDI_CONFIG_DIR;
  withNdiConfiguration('{}', read);
  expect('NDI_CONFIG_DIR' in process.env).toBe(false);
});

test('nothing is left where libndi cannot be loaded', () => {
  let folder = '';
  const fail = (): never => {
    folder = read().folder;
    throw new Error('no libndi');
  };
  expect(() => withNdiConfiguration('{}', fail)).toThrow('no libndi');
  expect(existsSync(folder)).toBe(false);
});

test('without one, the machine’s own counts', () => {
  process.env.NDI_CONFIG_DIR = '/mine';
  expect(withNdiConfiguration(undefined, () => process.env.NDI_CONFIG_DIR)).toBe('/mine');
  delete process.env.NDI_CONFIG_DIR;
});
