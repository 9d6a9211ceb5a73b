import type { WebUtils } from 'electron';
import { expect, test } from 'vitest';
import { pathOf } from './path-of';

const file: File & { path?: string } = new File([], 'clip.mov');
const onFile = Object.assign(new File([], 'clip.mov'), { path: '/on/file/clip.mov' });

test('an Electron with webUtils is asked for the path', () => {
  const asked: File[] = [];
  const webUtils: WebUtils = {
    getPathForFile: (one) => {
      asked.push(one);
      return '/of/utils/clip.mov';
    },
  };
  expect(pathOf(file, webUtils)).toBe('/of/utils/clip.mov');
  expect(pathOf(onFile, webUtils)).toBe('/of/utils/clip.mov');
  expect(asked).toEqual([file, onFile]);
});

test('without webUtils the file has its path, or none', () => {
  expect(pathOf(onFile, undefined)).toBe('/on/file/clip.mov');
  expect(pathOf(file, undefined)).toBe('');
});
