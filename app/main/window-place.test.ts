import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { readPlace } from './window-place';

const path = join(temporaryFolder(), 'window.json');
const displays = [
  { workArea: { x: 0, y: 0, width: 1920, height: 1080 } },
  { workArea: { x: 1920, y: 0, width: 2560, height: 1440 } },
];

function placeOf(text: string) {
  writeFileSync(path, text);
  return readPlace(path, displays);
}

test('a window opens where it was', () => {
  const place = { x: 2000, y: 100, width: 1600, height: 1000, isMaximized: true };
  expect(placeOf(JSON.stringify(place))).toEqual(place);
});

test.each([
  ['beside every display', { x: 5000, y: 100 }],
  ['above every display', { x: 100, y: -300 }],
  ['below every display', { x: 100, y: 1070 }],
  ['with next to nothing in sight', { x: -1500, y: 100 }],
])('a window that would be %s opens in its usual place', (_, at) => {
  expect(placeOf(JSON.stringify({ ...at, width: 1600, height: 1000, isMaximized: false }))).toBeNull();
});

test.each(['', '{', 'null', '{"x":1}', '{"x":0,"y":0,"width":-1,"height":1,"isMaximized":true}'])(
  'a file of %j is left aside',
  (text) => expect(placeOf(text)).toBeNull(),
);

test('without a file there is no place', () => {
  expect(readPlace(join(path, 'none'), displays)).toBeNull();
});
