import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examplePictures, pngOf } from '../testing/example-pictures';
import { temporaryFolder } from '../testing/temporary-folder';
import { logoDataUrl, mostLogoBytes } from './report-logo';

const root = temporaryFolder();
const { png } = examplePictures;

function fileOf(name: string, content: Buffer | string): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

test('a picture is one by what it holds, whatever it is called', () => {
  const path = fileOf('logo.svg', png);
  expect(logoDataUrl(path)).toBe(`data:image/png;base64,${png.toString('base64')}`);
  const largest = fileOf('largest.png', Buffer.concat([png, Buffer.alloc(mostLogoBytes - png.length)]));
  expect(logoDataUrl(largest)).toHaveLength(22 + 4 * Math.ceil(mostLogoBytes / 3));
});

test.each([
  ['SVG', () => fileOf('a.png', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a PNG, JPEG or WebP picture'],
  ['an empty file', () => fileOf('empty.png', ''), 'a PNG, JPEG or WebP picture'],
  [
    'a larger picture',
    () => fileOf('large.png', Buffer.concat([png, Buffer.alloc(mostLogoBytes)])),
    'at most 1 MiB',
  ],
  ['half a picture', () => fileOf('half.png', png.subarray(0, -20)), 'a whole picture'],
  ['the head of one', () => fileOf('head.png', png.subarray(0, 8)), 'a whole picture'],
  ['a point', () => fileOf('point.png', pngOf(1, 1)), '16 to 4096 pixels a side'],
  ['a line', () => fileOf('line.png', pngOf(4000, 16)), 'no side over 10 times the other'],
  ['a larger one', () => fileOf('wall.png', pngOf(4097, 4097)), '16 to 4096 pixels a side'],
  ['no file', () => join(root, 'absent.png'), 'a picture that can be read'],
  [
    'a folder',
    () => {
      mkdirSync(join(root, 'folder.png'));
      return join(root, 'folder.png');
    },
    'the file of a picture',
  ],
  ['a device', () => '/dev/zero', 'the file of a picture'],
])('%s is refused by its name', (_, make, expected) => {
  const path = make();
  expect(() => logoDataUrl(path)).toThrow(expected);
  expect(() => logoDataUrl(path)).toThrow(path);
});
